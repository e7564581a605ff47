// Several lambdas as one visitor of a std::variant: std::visit(Overloaded{[](const Plane&) ..., [](const auto&) ...},
// shape).
#pragma once

namespace scree {

template <class... Fs>
struct Overloaded : Fs... {
    using Fs::operator()...;
};

}  // namespace scree
