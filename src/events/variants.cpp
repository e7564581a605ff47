// Picks the fastest instruction set of those compiled for, when the program starts.
#include <cstdlib>
#include <cstring>

#include "events/certificates.h"
#include "events/meetings.h"

namespace scree::events {

MeetFunction<2> meet_in_plane_baseline();
MeetFunction<3> meet_in_space_baseline();
CertifyFunction<2> certify_in_plane_baseline();
CertifyFunction<3> certify_in_space_baseline();
#ifdef SCREE_X86_VARIANTS
MeetFunction<2> meet_in_plane_avx2();
MeetFunction<3> meet_in_space_avx2();
CertifyFunction<2> certify_in_plane_avx2();
CertifyFunction<3> certify_in_space_avx2();
MeetFunction<2> meet_in_plane_avx512();
MeetFunction<3> meet_in_space_avx512();
CertifyFunction<2> certify_in_plane_avx512();
CertifyFunction<3> certify_in_space_avx512();
#endif

namespace {

struct Variant {
    MeetFunction<2> (*plane)();
    MeetFunction<3> (*space)();
    CertifyFunction<2> (*plane_facets)();
    CertifyFunction<3> (*space_facets)();
};

Variant choose() {
    const char* wanted = std::getenv("SCREE_ISA");
    const auto allowed = [&](const char* name) { return !wanted || std::strcmp(wanted, name) == 0; };
#ifdef SCREE_X86_VARIANTS
    __builtin_cpu_init();
    if (allowed("avx512") && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        return {meet_in_plane_avx512, meet_in_space_avx512, certify_in_plane_avx512, certify_in_space_avx512};
    if (allowed("avx2") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma"))
        return {meet_in_plane_avx2, meet_in_space_avx2, certify_in_plane_avx2, certify_in_space_avx2};
#endif
    (void)allowed;
    return {meet_in_plane_baseline, meet_in_space_baseline, certify_in_plane_baseline, certify_in_space_baseline};
}

}  // namespace

template <>
MeetFunction<2> meet_function<2>() {
    return choose().plane();
}
template <>
MeetFunction<3> meet_function<3>() {
    return choose().space();
}
template <>
CertifyFunction<2> certify_function<2>() {
    return choose().plane_facets();
}
template <>
CertifyFunction<3> certify_function<3>() {
    return choose().space_facets();
}

}  // namespace scree::events
