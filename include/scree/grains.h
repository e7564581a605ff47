// The grains of a simulation as they are at one moment: without copying, as arrays with strides.
//
// The order of the arrays is the order in memory. It changes while a simulation runs: grains are sorted along a curve
// in space from time to time, some leave, others are poured in. What stays with a grain is its id. Whoever follows
// single grains asks for the id; an index means nothing after the next step.
//
//     for (const scree::Grain& grain : simulation.grains()) ...          // one by one
//     const scree::GrainArrays all = simulation.grains();                // or by field
//     for (std::size_t k = 0; k < all.size(); ++k) sum += all.radius[k] * all.position[k].z;
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "scree/vec.h"

namespace scree {

// A read-only array whose elements lie `stride` bytes apart, inside of larger records. It does not own them. T is a
// plain number, or Vec3 for three doubles in a row. Elements are read one by one, by value; an index past the end is an
// error of the program.
template <class T>
class StridedSpan {
  public:
    StridedSpan() = default;
    StridedSpan(const void* first, std::size_t size, std::size_t stride)
        : first_(static_cast<const std::byte*>(first)),
          size_(size),
          stride_(stride) {}

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::size_t stride() const { return stride_; }  // bytes from one element to the next
    const void* data() const { return first_; }     // the first element; null when there is none
    T operator[](std::size_t k) const {
        T value;
        std::memcpy(&value, first_ + k * stride_, sizeof(T));
        return value;
    }

  private:
    const std::byte* first_ = nullptr;
    std::size_t size_ = 0, stride_ = 0;
};

// One grain. SI units; in 2D the z of positions and velocities, and the x and y of spins, are 0.
struct Grain {
    std::uint32_t id = 0;       // from 0 on, never given twice
    std::uint16_t group = 0;    // number of its group in Scene::grains
    std::uint8_t material = 0;  // number of its material in Scene::materials
    double radius = 0;          // m; of a body that is not a sphere, that of a ball around it
    double mass = 0;            // kg; infinite for fixed grains
    Vec3 position;              // m, of the center of mass; between periodic borders inside of the interval
    Vec3 velocity;              // m/s
    Vec3 spin;                  // rad/s
    // Of bodies that are not spheres: a unit quaternion w, x, y, z that turns the axes in which the shape is given into
    // those of the world, the size as a multiple of the shape, and the number of the shape in Scene::shapes (-1: a
    // sphere).
    std::array<double, 4> orientation{1, 0, 0, 0};
    double scale = 1;
    std::int32_t shape = -1;
};

// All grains, at the end of the last step. Valid until the simulation steps, or ends.
class GrainArrays {
  public:
    StridedSpan<std::uint32_t> id;
    StridedSpan<std::uint16_t> group;
    StridedSpan<std::uint8_t> material;
    StridedSpan<double> radius;
    StridedSpan<double> inverse_mass;  // 1/kg; 0 for fixed grains
    StridedSpan<Vec3> position, velocity;
    StridedSpan<Vec3> radius_times_spin;  // m rad/s, as it is kept; Grain::spin is without the radius
    StridedSpan<double> inverse_radius;   // 1/m
    // Empty when all grains are spheres.
    StridedSpan<std::array<double, 4>> orientation;
    StridedSpan<double> scale;
    StridedSpan<std::uint16_t> shape;  // 0: a sphere, else 1 + the number of the shape in Scene::shapes

    std::size_t size() const { return id.size(); }
    bool empty() const { return id.empty(); }

    // All that is known of one grain; some ten times the cost of reading a single field.
    Grain operator[](std::size_t k) const {
        Grain grain;
        grain.id = id[k];
        grain.group = group[k];
        grain.material = material[k];
        grain.radius = radius[k];
        grain.mass = 1 / inverse_mass[k];
        grain.position = position[k];
        grain.velocity = velocity[k];
        grain.spin = inverse_radius[k] * radius_times_spin[k];
        if (shape.empty()) return grain;
        grain.orientation = orientation[k];
        grain.scale = scale[k];
        grain.shape = shape[k] - 1;
        return grain;
    }

    class Iterator {
      public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Grain;
        using difference_type = std::ptrdiff_t;
        using pointer = const Grain*;
        using reference = Grain;
        Iterator() = default;
        Iterator(const GrainArrays* grains, std::size_t k) : grains_(grains), k_(k) {}
        Grain operator*() const { return (*grains_)[k_]; }
        Iterator& operator++() {
            ++k_;
            return *this;
        }
        Iterator operator++(int) { return {grains_, k_++}; }
        friend bool operator==(const Iterator& a, const Iterator& b) { return a.k_ == b.k_; }

      private:
        const GrainArrays* grains_ = nullptr;
        std::size_t k_ = 0;
    };
    Iterator begin() const { return {this, 0}; }
    Iterator end() const { return {this, size()}; }
};

// Velocities as they are kept, to be written (Simulation::edit_motion): of the grain k, three doubles that begin
// k strides (bytes) behind the first.
struct MotionArrays {
    std::size_t size = 0;
    double* velocity = nullptr;  // m/s
    std::size_t velocity_stride = 0;
    double* radius_times_spin = nullptr;  // m rad/s; null in scenes with bodies, whose spin follows from their momentum
    std::size_t spin_stride = 0;
};

}  // namespace scree
