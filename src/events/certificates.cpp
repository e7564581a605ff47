// Compiled once per instruction set, with SCREE_ISA naming the variant.
#include "events/certificates.h"

#include "core/simd_wide.h"
#include "events/certificate.h"

namespace scree::events {
namespace {

template <int D>
void certify(const double* rows, FacetBatch<D>& batch, std::size_t facets, double now, double ahead) {
    batch.stays = batch.rests = 0;
    const Wide zero = all(0), h = all(ahead);
    for (std::size_t k = 0; k < facets; k += wide) {
        Wide site[D + 2][8];
        for (int s = 0; s < D + 2; ++s) {
            const double* row[wide];
            for (std::size_t m = 0; m < wide; ++m) row[m] = rows + 8 * static_cast<std::size_t>(batch.site[s][k + m]);
            load_columns(row, 0, site[s]);
            load_columns(row, 4, site[s] + 4);
        }
        const Certificate<D, Wide> found = certificate<D, Wide>(site, all(now));
        Wide c[D + 3];
        for (int n = 0; n < D + 3; ++n) c[n] = -found.power.c[n];
        c[0] += found.slack;
        for (int n = 0; n < D + 3; ++n) std::memcpy(&batch.c[n][k], &c[n], sizeof c[n]);
        // The first look of first_negative() (polynomial.h).
        Wide m = zero;
        for (int n = D + 2; n >= 2; --n) m = m * h + (c[n] < zero ? -c[n] : zero);
        const auto stays = (c[0] > zero) & (c[0] + (c[1] < zero ? c[1] * h : zero) > m * h * h);
        batch.stays |= bits_of(stays) << k;
        batch.rests |= equal_lanes(found.motion, zero) << k;
    }
}

}  // namespace

template <>
CertifyFunction<2> certify_function_for<2, isa>() {
    return certify<2>;
}
template <>
CertifyFunction<3> certify_function_for<3, isa>() {
    return certify<3>;
}

}  // namespace scree::events
