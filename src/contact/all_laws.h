// All contact laws, and the one place that turns a scene's choice into a type.
#pragma once

#include "contact/cohesive.h"
#include "contact/hertz.h"
#include "contact/hertz_slip.h"
#include "contact/kuwabara_kono.h"
#include "contact/linear.h"
#include "contact/pournin.h"
#include "contact/rolling.h"
#include "contact/walton.h"
#include "scree/scene.h"

namespace scree {

// Calls f with a value of the law's type.
template <class F>
void with_law(LawKind kind, F&& f) {
    switch (kind) {
        case LawKind::linear:
            return f(LinearLaw{});
        case LawKind::walton:
            return f(WaltonLaw{});
        case LawKind::hertz:
            return f(HertzLaw{});
        case LawKind::hertz_slip:
            return f(HertzSlipLaw{});
        case LawKind::kuwabara_kono:
            return f(KuwabaraKonoLaw{});
        case LawKind::pournin:
            return f(PourninLaw{});
        case LawKind::cohesive:
            return f(CohesiveLaw{});
    }
}

}  // namespace scree
