// The tests that run over all laws of scree/law_list.h, or over those that take some value of a material.
#pragma once

#include <gtest/gtest.h>

#include "contact/all_laws.h"

namespace scree {

template <class>
struct TestTypesOf;
template <class... Law>
struct TestTypesOf<LawTypes<Law...>> {
    using type = testing::Types<Law...>;
};
using LawTestTypes = TestTypesOf<AllLaws>::type;  // for TYPED_TEST_SUITE

template <class Test, class... Law>
void for_laws(bool LawInputs::*input, Test&& test, LawTypes<Law...>) {
    const auto one = [&](auto law) {
        const LawEntry& entry = entry_of(decltype(law)::kind);
        if (!(entry.takes.*input)) return;
        SCOPED_TRACE(entry.name);
        test(law);
    };
    (one(Law{}), ...);
}
// Calls test(law) with a value of each law that takes an input.
template <class Test>
void for_laws_that_take(bool LawInputs::*input, Test&& test) {
    for_laws(input, test, AllLaws{});
}

}  // namespace scree
