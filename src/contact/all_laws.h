// All contact laws, and the one place that turns a scene's choice into a type.
#pragma once

#include "contact/law.h"
#include "contact/linear.h"
#include "contact/rolling.h"
#include "scree/scene.h"

namespace scree {

// Calls f with a value of the law's type.
template <class F>
void with_law(LawKind kind, F&& f) {
    switch (kind) {
        case LawKind::linear: return f(LinearLaw{});
        default: return f(LinearLaw{});
    }
}

}  // namespace scree
