#include "contact/materials.h"

#include <fmt/format.h>

#include <cstring>

#include "contact/all_laws.h"
#include "contact/pair_material.h"
#include "scree/error.h"

namespace scree {
namespace {

const Interaction* find_interaction(const Scene& scene, const std::string& a, const std::string& b) {
    for (const Interaction& each : scene.interactions)
        if ((each.first == a && each.second == b) || (each.first == b && each.second == a)) return &each;
    return nullptr;
}

std::size_t material_index(const Scene& scene, const std::string& name) {
    for (std::size_t m = 0; m < scene.materials.size(); ++m)
        if (scene.materials[m].name == name) return m;
    return 0;
}

}  // namespace

MaterialTable::MaterialTable(const Scene& scene)
    : law_(scene.law),
      count_(scene.materials.size()),
      types_(count_ * count_) {
    // Grains keep their material in a byte.
    if (count_ > 254)
        throw Error(ErrorKind::bad_input,
                    fmt::format("{}: {} materials; at most 254 are possible", scene.file, count_));
    for (std::size_t a = 0; a < count_; ++a)
        for (std::size_t b = 0; b <= a; ++b) {
            types_[a * count_ + b] = types_[b * count_ + a] = static_cast<std::uint16_t>(pairs_.size());
            pairs_.push_back(combine(scene.materials[a], scene.materials[b],
                                     find_interaction(scene, scene.materials[a].name, scene.materials[b].name),
                                     scene.dimension));
        }
    for (const PairMaterial& pair : pairs_) {
        rolling_ = rolling_ || pair.rolling_friction > 0;
        rolling_table_.push_back(calibrate_rolling(pair, pair.contact_time));
    }
    with_law(law_, [&](auto law) {
        using Coefficients = typename decltype(law)::Coefficients;
        static_assert(sizeof(Coefficients) % sizeof(double) == 0);
        constexpr std::size_t numbers = sizeof(Coefficients) / sizeof(double);
        coefficients_.resize(numbers * pairs_.size());
        for (std::size_t t = 0; t < pairs_.size(); ++t) {
            const Coefficients c = decltype(law)::calibrate(pairs_[t]);
            std::memcpy(&coefficients_[t * numbers], &c, sizeof c);
        }
    });
    // Most scenes have grains of one material: the kernel then reads the coefficients once.
    std::size_t first = count_;
    one_grain_material_ = true;
    for (const GrainGroup& group : scene.grains) {
        const std::size_t m = material_index(scene, group.material);
        if (first == count_) first = m;
        one_grain_material_ = one_grain_material_ && m == first;
    }
}

double MaterialTable::reach(double largest_inverse_mass) const {
    double reach = 0;
    with_law(law_, [&](auto law) {
        using Law = decltype(law);
        const auto* table = reinterpret_cast<const typename Law::Coefficients*>(coefficients_.data());
        for (std::size_t t = 0; t < pairs_.size(); ++t)
            reach = std::max(reach, Law::reach(table[t], largest_inverse_mass));
    });
    return reach;
}

void MaterialTable::set_automatic_step(double automatic) {
    if (inputs_of(law_).contact_time) return;
    for (std::size_t t = 0; t < pairs_.size(); ++t) rolling_table_[t] = calibrate_rolling(pairs_[t], 50 * automatic);
}

TimeStepLimit MaterialTable::time_step(std::size_t a, std::size_t b, const GrainSize& smallest) const {
    TimeStepLimit limit;
    with_law(law_, [&](auto law) { limit = decltype(law)::time_step(pair(a, b), smallest); });
    return limit;
}

}  // namespace scree
