// The points of a sweep: values for some keys of a scene, each with each.
#pragma once

#include <string>
#include <vector>

namespace scree {

struct SweptKey {
    std::string key;                  // as for --set: materials.glass.friction
    std::vector<std::string> values;  // as texts of TOML
};

// From "KEY=A:B:N", N values from A to B in equal steps; "KEY=A:B:N:log", in equal ratios; or "KEY=A,B,...", these
// values. Throws Error(usage) for anything else.
SweptKey parse_swept_key(const std::string& text);

// Every value with every other, the last key fastest.
std::vector<std::vector<std::string>> sweep_points(const std::vector<SweptKey>& keys);

// Whether two texts mean one value: 0.1 and 1e-1 do.
bool same_value(const std::string& a, const std::string& b);

}  // namespace scree
