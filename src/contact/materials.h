// Contact coefficients of every pair of materials of a scene, as the kernel reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "contact/law.h"
#include "contact/pair_material.h"
#include "contact/rolling.h"
#include "scree/scene.h"

namespace scree {

class MaterialTable {
  public:
    // `contact_time`: of pairs of which neither material says it.
    explicit MaterialTable(const Scene& scene, double contact_time = PairDefaults{}.contact_time);

    LawKind law(std::size_t type) const { return laws_of_types_[type]; }
    const LawKind* laws_of_types() const { return laws_of_types_.data(); }
    const std::vector<LawKind>& laws() const { return laws_; }  // in use, without repetition
    bool rolling() const { return rolling_; }
    std::size_t type_count() const { return pairs_.size(); }
    std::size_t material_count() const { return count_; }
    const PairMaterial& pair(std::size_t a, std::size_t b) const { return pairs_[type(a, b)]; }
    std::uint16_t type(std::size_t a, std::size_t b) const { return types_[a * count_ + b]; }
    const std::uint16_t* types() const { return types_.data(); }
    // Of the law of the type.
    const void* coefficients(std::size_t type) const { return &coefficients_[type * numbers_]; }
    std::size_t coefficient_bytes() const { return numbers_ * sizeof(double); }  // from one type to the next
    template <class Law>
    const typename Law::Coefficients& coefficients_of(std::size_t type) const {
        return *static_cast<const typename Law::Coefficients*>(coefficients(type));
    }
    const RollingCoefficients* rolling_coefficients() const { return rolling_table_.data(); }
    // Whether some law takes a contact_time of grains of this material that the scene leaves open.
    bool leaves_contact_time_open(std::size_t material) const;
    // Distance beyond touching at which the law acts, for pairs of up to this sum of inverse masses.
    double reach(double largest_inverse_mass) const;
    TimeStepLimit time_step(std::size_t a, std::size_t b, const GrainSize& smallest) const;
    // Laws without a contact_time take their rolling springs from the automatic time step.
    void set_automatic_step(double automatic);
    bool one_grain_material() const { return one_grain_material_; }
    // Grains of other materials have come in.
    void expect_several_materials() { one_grain_material_ = false; }

  private:
    void calibrate(const Scene& scene);

    std::vector<LawKind> laws_, laws_of_types_;
    bool rolling_ = false, one_grain_material_ = true;
    std::size_t count_;
    std::vector<std::uint16_t> types_;
    std::vector<PairMaterial> pairs_;
    std::size_t numbers_ = 0;           // of coefficients of a type: as many as the law has that has most
    std::vector<double> coefficients_;  // of each type, one after another
    std::vector<RollingCoefficients> rolling_table_;
};

}  // namespace scree
