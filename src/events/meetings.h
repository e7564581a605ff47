// When a grain meets each of others: several at a time, and without branches. Whether two grains approach, and whether
// they would miss each other, are coin tosses to the processor, and a wrong guess costs more than the root and the
// quotient it would save. The same operations in the same order as in approach() (flight.h), so the same bits with any
// instruction set.
#pragma once

#include <cstddef>

#include "core/instruction_set.h"
#include "events/cells.h"

namespace scree::events {

template <int D>
struct MeetingFrame {
    const Flight<D>* flights;
    const double* g;
    const double* length;  // of the periods
    bool weightless;
};

struct Meetings {
    double first;       // time, or `forever`
    double gap;         // the least; negative where two overlap
    std::size_t count;  // of those first
};

// When `own` meets each of n > 0 others, all of which fall as it does. Others are read up to the next multiple of
// eight: what stands there must be numbers of grains, no matter which. `times` has room for as many; `which`, for as
// many, has the places of those that come first, in order.
constexpr std::size_t meeting_padding = 8;
template <int D>
using MeetFunction = Meetings (*)(const MeetingFrame<D>& frame, std::uint32_t own, const Neighbor* others,
                                  std::size_t n, double* times, std::uint32_t* which);

// For the processor at hand (core/instruction_set.h).
template <int D, InstructionSet>
MeetFunction<D> meet_function_for();
template <int D>
MeetFunction<D> meet_function() {
    return for_processor([](auto set) { return meet_function_for<D, set()>(); });
}

}  // namespace scree::events
