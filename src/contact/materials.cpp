#include "contact/materials.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "contact/all_laws.h"
#include "contact/calibration.h"
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

MaterialTable::MaterialTable(const Scene& scene, double contact_time)
    : count_(scene.materials.size()),
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
                                     scene.dimension, {scene.law, contact_time}));
        }
    for (const PairMaterial& pair : pairs_) {
        rolling_ = rolling_ || pair.rolling_friction > 0;
        rolling_table_.push_back(calibrate_rolling(pair, pair.contact_time));
    }
    calibrate(scene);
    // Most scenes have grains of one material: the kernel then reads the coefficients once.
    std::size_t first = count_;
    one_grain_material_ = true;
    for (const GrainGroup& group : scene.grains) {
        const std::size_t m = material_index(scene, group.material);
        if (first == count_) first = m;
        one_grain_material_ = one_grain_material_ && m == first;
    }
}

void MaterialTable::calibrate(const Scene& scene) {
    for (const PairMaterial& pair : pairs_) {
        if (pair.law == LawKind::hooke && !pair.linear.stiffness)
            throw Error(ErrorKind::bad_input,
                        fmt::format("{}: contact of {}: the law \"hooke\" needs a `stiffness`, of the materials or of "
                                    "their [[interactions]]",
                                    scene.file, name_of(pair)));
        if (pair.law == LawKind::walton && !(pair.tangential_restitution > 0))
            throw Error(ErrorKind::bad_input,
                        fmt::format("{}: contact of {}: with the law \"walton\" `tangential_restitution` must be above "
                                    "0: the unloading is stiffer the less it is",
                                    scene.file, name_of(pair)));
        laws_of_types_.push_back(pair.law);
        if (std::find(laws_.begin(), laws_.end(), pair.law) == laws_.end()) laws_.push_back(pair.law);
    }
    for (const LawKind kind : laws_)
        with_law(kind, [&](auto law) {
            using Coefficients = typename decltype(law)::Coefficients;
            static_assert(sizeof(Coefficients) % sizeof(double) == 0);
            numbers_ = std::max(numbers_, sizeof(Coefficients) / sizeof(double));
        });
    coefficients_.assign(numbers_ * pairs_.size(), 0);
    for (std::size_t t = 0; t < pairs_.size(); ++t)
        with_law(pairs_[t].law, [&](auto law) {
            const auto c = decltype(law)::calibrate(pairs_[t]);
            std::memcpy(&coefficients_[t * numbers_], &c, sizeof c);
        });
}

bool MaterialTable::leaves_contact_time_open(std::size_t material) const {
    for (std::size_t other = 0; other < count_; ++other)
        if (const PairMaterial& each = pair(material, other);
            inputs_of(each.law).contact_time && !each.contact_time_given)
            return true;
    return false;
}

double MaterialTable::reach(double largest_inverse_mass) const {
    double reach = 0;
    for (std::size_t t = 0; t < pairs_.size(); ++t)
        with_law(pairs_[t].law, [&](auto law) {
            using Law = decltype(law);
            reach = std::max(reach, Law::reach(coefficients_of<Law>(t), largest_inverse_mass));
        });
    return reach;
}

void MaterialTable::set_automatic_step(double automatic) {
    for (std::size_t t = 0; t < pairs_.size(); ++t)
        if (!inputs_of(pairs_[t].law).contact_time) rolling_table_[t] = calibrate_rolling(pairs_[t], 50 * automatic);
}

TimeStepLimit MaterialTable::time_step(std::size_t a, std::size_t b, const GrainSize& smallest) const {
    TimeStepLimit limit;
    with_law(pair(a, b).law, [&](auto law) { limit = decltype(law)::time_step(pair(a, b), smallest); });
    return limit;
}

}  // namespace scree
