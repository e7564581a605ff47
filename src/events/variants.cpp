// Picks the fastest instruction set of those compiled for, when the program starts.
#include "core/instruction_set.h"
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
#ifdef SCREE_X86_VARIANTS
    if (instruction_set() == InstructionSet::avx512)
        return {meet_in_plane_avx512, meet_in_space_avx512, certify_in_plane_avx512, certify_in_space_avx512};
    if (instruction_set() == InstructionSet::avx2)
        return {meet_in_plane_avx2, meet_in_space_avx2, certify_in_plane_avx2, certify_in_space_avx2};
#endif
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
