// Contact coefficients of every pair of materials of a scene, as the kernel reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "contact/law.h"
#include "contact/rolling.h"
#include "scree/scene.h"

namespace scree {

class MaterialTable {
  public:
    explicit MaterialTable(const Scene& scene);

    LawKind law() const { return law_; }
    bool rolling() const { return rolling_; }
    std::size_t material_count() const { return count_; }
    const PairMaterial& pair(std::size_t a, std::size_t b) const { return pairs_[type(a, b)]; }
    std::uint16_t type(std::size_t a, std::size_t b) const { return types_[a * count_ + b]; }
    const std::uint16_t* types() const { return types_.data(); }
    const void* coefficients() const { return coefficients_.data(); }
    const RollingCoefficients* rolling_coefficients() const { return rolling_table_.data(); }
    // Distance beyond touching at which the law acts, for pairs of up to this sum of inverse masses.
    double reach(double largest_inverse_mass) const;
    TimeStepLimit time_step(std::size_t a, std::size_t b, const GrainSize& smallest) const;
    // Laws without a contact_time take their rolling springs from the automatic time step.
    void set_automatic_step(double automatic);
    bool one_grain_material() const { return one_grain_material_; }
    // Grains of other materials have come in.
    void expect_several_materials() { one_grain_material_ = false; }

  private:
    LawKind law_;
    bool rolling_ = false, one_grain_material_ = true;
    std::size_t count_;
    std::vector<std::uint16_t> types_;
    std::vector<PairMaterial> pairs_;
    std::vector<double> coefficients_;  // law coefficients of each type, one after another
    std::vector<RollingCoefficients> rolling_table_;
};

}  // namespace scree
