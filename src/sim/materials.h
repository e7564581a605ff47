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
    std::uint8_t type(std::size_t a, std::size_t b) const { return types_[a * count_ + b]; }
    const std::uint8_t* types() const { return types_.data(); }
    const void* coefficients() const { return coefficients_.data(); }
    const double* friction() const { return friction_.data(); }
    const RollingCoefficients* rolling_coefficients() const { return rolling_table_.data(); }
    // Distance beyond touching at which the law acts, for the lightest and heaviest grains of the scene.
    double reach(double smallest_inverse_mass) const;

  private:
    LawKind law_;
    bool rolling_ = false;
    std::size_t count_;
    std::vector<std::uint8_t> types_;
    std::vector<PairMaterial> pairs_;
    std::vector<double> coefficients_;  // law coefficients of each type, one after another
    std::vector<double> friction_;
    std::vector<RollingCoefficients> rolling_table_;
};

}  // namespace scree
