#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dual.h"
#include "scree/error.h"
#include "scree/triangulation.h"
#include "triangulation.h"

namespace scree {

struct RegularTriangulation::Body {
    int dimension;
    double snap;
    tri::Triangulation triangulation;

    tri::Row row(const double* center, double weight) const {
        tri::Row row{{0, 0, 0, weight}};
        for (int k = 0; k < dimension; ++k) row.c[k] = center[k];
        if (snap > 0) {
            for (int k = 0; k < dimension; ++k) row.c[k] = std::nearbyint(row.c[k] / snap);
            row.c[3] = std::nearbyint(row.c[3] / (snap * snap));
        }
        for (int k = 0; k < 4; ++k) {
            if (!std::isfinite(row.c[k]))
                throw Error(ErrorKind::bad_input, "a center or weight is not a finite number");
            if (snap > 0 && std::fabs(row.c[k]) > (k < 3 ? 0x1p48 : 0x1p96))
                throw Error(
                    ErrorKind::bad_input,
                    fmt::format("a center or weight is too large for the snapping unit {}; take a larger unit", snap));
        }
        return row;
    }
    // A number that build() or insert() gave, and that has not been removed.
    void require(int sphere) const {
        const auto count = static_cast<int>(triangulation.rows().size());
        if (sphere < 0 || sphere >= count || triangulation.is_absent(sphere))
            throw Error(ErrorKind::bad_input,
                        fmt::format("there is no sphere {}; {} have been given numbers, from 0 on", sphere, count));
    }
    std::vector<tri::Row> rows(std::span<const double> centers, std::span<const double> weights) const {
        if (centers.size() != weights.size() * static_cast<std::size_t>(dimension))
            throw Error(ErrorKind::bad_input, fmt::format("{} coordinates do not make {} centers in {} dimensions",
                                                          centers.size(), weights.size(), dimension));
        std::vector<tri::Row> all;
        all.reserve(weights.size());
        for (std::size_t k = 0; k < weights.size(); ++k)
            all.push_back(row(&centers[k * static_cast<std::size_t>(dimension)], weights[k]));
        return all;
    }
};

RegularTriangulation::RegularTriangulation(int dimension, double snap) {
    int exponent;
    if (dimension != 2 && dimension != 3)
        throw Error(ErrorKind::bad_input, fmt::format("the dimension is {}; it must be 2 or 3", dimension));
    if (snap < 0 || (snap > 0 && std::frexp(snap, &exponent) != 0.5))
        throw Error(ErrorKind::bad_input, fmt::format("the snapping unit {} is not a power of two", snap));
    body_ = std::make_unique<Body>(Body{dimension, snap, tri::Triangulation(dimension, snap > 0)});
}
RegularTriangulation::~RegularTriangulation() = default;
RegularTriangulation::RegularTriangulation(RegularTriangulation&&) noexcept = default;
RegularTriangulation& RegularTriangulation::operator=(RegularTriangulation&&) noexcept = default;

void RegularTriangulation::build(std::span<const double> centers, std::span<const double> weights) {
    body_->triangulation.build(body_->rows(centers, weights));
}

void RegularTriangulation::update(std::span<const double> centers, std::span<const double> weights) {
    if (weights.size() != body_->triangulation.rows().size())
        throw Error(ErrorKind::bad_input, fmt::format("{} spheres are moved, {} are there", weights.size(),
                                                      body_->triangulation.rows().size()));
    body_->triangulation.update(body_->rows(centers, weights));
}

int RegularTriangulation::insert(std::span<const double> center, double weight) {
    if (static_cast<int>(center.size()) != body_->dimension)
        throw Error(ErrorKind::bad_input, "a center has the wrong number of coordinates");
    const auto number = static_cast<tri::Index>(body_->triangulation.rows().size());
    body_->triangulation.insert(number, body_->row(center.data(), weight));
    return number;
}

void RegularTriangulation::remove(int sphere) {
    body_->require(sphere);
    body_->triangulation.remove(sphere);
}

void RegularTriangulation::move(int sphere, std::span<const double> center, double weight) {
    if (static_cast<int>(center.size()) != body_->dimension)
        throw Error(ErrorKind::bad_input, "a center has the wrong number of coordinates");
    body_->require(sphere);
    body_->triangulation.move(sphere, body_->row(center.data(), weight));
}

int RegularTriangulation::dimension() const { return body_->triangulation.dimension(); }
std::size_t RegularTriangulation::simplex_count() const { return body_->triangulation.simplex_count(); }
std::vector<std::array<int, 4>> RegularTriangulation::simplices() const { return body_->triangulation.simplices(); }
std::vector<std::pair<int, int>> RegularTriangulation::edges() const { return body_->triangulation.edges(); }
std::vector<int> RegularTriangulation::hidden() const { return body_->triangulation.hidden(); }
std::string RegularTriangulation::validate() const { return body_->triangulation.validate(); }

std::vector<int> RegularTriangulation::neighbors(int sphere) const {
    body_->require(sphere);
    std::vector<int> out;
    if (body_->triangulation.is_visible(sphere)) body_->triangulation.neighbors(sphere, out);
    return out;
}

std::vector<double> RegularTriangulation::cell_volumes() const {
    std::vector<double> volumes = tri::dual_volumes(body_->triangulation);
    if (body_->snap > 0) {
        const double unit =
            std::pow(body_->snap, std::max(0, body_->triangulation.dimension()));  // a power of two: exact
        for (double& volume : volumes) volume *= unit;
    }
    return volumes;
}

}  // namespace scree
