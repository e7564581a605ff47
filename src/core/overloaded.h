// Several lambdas as one visitor of a std::variant: std::visit(Overloaded{[](const Plane&) ..., [](const auto&) ...},
// shape).
#pragma once

namespace scree {

template <class... Fs>
struct Overloaded : Fs... {
    using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;  // Clang before 17 does not find it itself

}  // namespace scree
