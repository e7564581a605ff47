// The types of all contact laws, and the one place that turns a scene's choice into a type.
#pragma once

#include "contact/cohesive.h"
#include "contact/hertz.h"
#include "contact/hertz_slip.h"
#include "contact/hooke.h"
#include "contact/kuwabara_kono.h"
#include "contact/linear.h"
#include "contact/pournin.h"
#include "contact/walton.h"
#include "scree/law_list.h"

namespace scree {

template <class... Law>
struct LawTypes {};
// In the order of law_list.
using AllLaws =
    LawTypes<LinearLaw, WaltonLaw, HertzLaw, HertzSlipLaw, KuwabaraKonoLaw, PourninLaw, CohesiveLaw, HookeLaw>;

template <class... Law>
constexpr bool in_order(LawTypes<Law...>) {
    std::size_t k = 0;
    const bool types = ((Law::kind == law_list[k++].kind) && ...);
    bool entries = k == law_count;
    for (std::size_t each = 0; each < law_count; ++each)
        entries = entries && law_list[each].kind == static_cast<LawKind>(each);
    return types && entries;
}
template <class... Law>
constexpr int largest_memory(LawTypes<Law...>) {
    int largest = 0;
    ((largest = Law::memory > largest ? Law::memory : largest), ...);
    return largest;
}
inline constexpr int largest_law_memory = largest_memory(AllLaws{});

static_assert(in_order(AllLaws{}), "LawKind, law_list and AllLaws name the same laws in the same order");

template <class F, class... Law>
void with_law_of(LawKind kind, F&& f, LawTypes<Law...>) {
    ((kind == Law::kind && (f(Law{}), true)) || ...);
}
// Calls f with a value of the law's type.
template <class F>
void with_law(LawKind kind, F&& f) {
    with_law_of(kind, f, AllLaws{});
}

}  // namespace scree
