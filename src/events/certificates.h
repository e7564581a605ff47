// Certificates of several facets at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/instruction_set.h"

namespace scree::events {

constexpr std::size_t certificate_batch = 8;

// Facets, of which site[k][m] is the k-th site of the m-th: those of its cell in their order, then the one beyond.
// Lanes without a facet repeat another one.
template <int D>
struct FacetBatch {
    std::uint32_t site[D + 2][certificate_batch];
    // Answers: the coefficients of slack minus power, and a bit for each facet that surely stays until the time looked
    // ahead, or as long as nothing moves otherwise.
    double c[D + 3][certificate_batch];
    unsigned stays, rests;
};

// rows: of each site, eight numbers as certificate() takes them (certificate.h).
template <int D>
using CertifyFunction = void (*)(const double* rows, FacetBatch<D>& batch, std::size_t facets, double now,
                                 double ahead);

// As meet_function() (meetings.h).
template <int D, InstructionSet>
CertifyFunction<D> certify_function_for();
template <int D>
CertifyFunction<D> certify_function() {
    return for_processor([](auto set) { return certify_function_for<D, set()>(); });
}

}  // namespace scree::events
