#include "study/run_outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text_input.h"
#include "scree/error.h"

namespace scree {
namespace {

// A time, or nothing where the text is empty.
std::optional<double> moment(std::string_view text, const std::string& whole) {
    if (text.empty()) return {};
    double time = 0;
    if (!read_number(text, time) || !std::isfinite(time))
        throw Error(
            ErrorKind::usage,
            fmt::format("\"{}\": \"{}\" is not a time in s; after @ stands a time, FROM:UNTIL, mean, min or max", whole,
                        text));
    return time;
}

// By the trapezoidal rule: rows need not be equally far apart.
double mean_of(const Curve& curve) {
    if (curve.time.size() < 2) return curve.value.empty() ? NAN : curve.value[0];
    double sum = 0;
    for (std::size_t k = 1; k < curve.time.size(); ++k)
        sum += 0.5 * (curve.value[k - 1] + curve.value[k]) * (curve.time[k] - curve.time[k - 1]);
    return sum / (curve.time.back() - curve.time.front());
}

Curve between(const Curve& curve, const Asked& asked) {
    Curve part;
    for (std::size_t k = 0; k < curve.time.size(); ++k) {
        if ((asked.from && curve.time[k] < *asked.from) || (asked.until && curve.time[k] > *asked.until)) continue;
        if (!std::isfinite(curve.value[k])) continue;
        part.time.push_back(curve.time[k]);
        part.value.push_back(curve.value[k]);
    }
    return part;
}

}  // namespace

Asked parse_asked(const std::string& text) {
    const std::size_t at = text.find('@');
    Asked asked{text, text.substr(0, at), Asked::Take::end, {}, {}};
    if (at == std::string::npos) return asked;
    const std::string_view when = std::string_view(text).substr(at + 1);
    const std::size_t colon = when.find(':');
    if (when == "min" || when == "max" || when == "mean") {
        asked.take = when == "min" ? Asked::Take::min : when == "max" ? Asked::Take::max : Asked::Take::mean;
    } else if (colon != std::string_view::npos) {
        asked.take = Asked::Take::mean;
        asked.from = moment(when.substr(0, colon), text);
        asked.until = moment(when.substr(colon + 1), text);
    } else {
        asked.take = Asked::Take::at;
        asked.from = moment(when.empty() ? "nothing" : when, text);
    }
    return asked;
}

double outcome(const RunValues& run, const Asked& asked) {
    const Curve curve = run.over_time(run.meant(asked.value));
    if (asked.take == Asked::Take::end) return curve.value.empty() ? NAN : curve.value.back();
    if (asked.take == Asked::Take::at) return value_at(curve, *asked.from);
    const Curve part = between(curve, asked);
    if (part.value.empty()) return NAN;
    if (asked.take == Asked::Take::min) return *std::min_element(part.value.begin(), part.value.end());
    if (asked.take == Asked::Take::max) return *std::max_element(part.value.begin(), part.value.end());
    return mean_of(part);
}

}  // namespace scree
