#include "io/scene_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <type_traits>

namespace scree {

std::string range_text(const Range& range) {
    std::string out;
    if (range.low != -forever) out = fmt::format("{} {}", range.above_low ? ">" : ">=", range.low);
    if (range.high != forever) out += fmt::format("{}<= {}", out.empty() ? "" : " and ", range.high);
    return out;
}

namespace {

constexpr Choice engines[] = {
    {"soft", "grains that overlap a little and repel, in time steps"},
    {"events", "hard grains that never overlap, from collision to collision; docs/events.md"},
};
constexpr Choice neighbor_methods[] = {
    {"auto", "the program chooses and may change the method: triangulation where its proof is cheap, else grid"},
    {"triangulation", "regular triangulation, with a proof at each refresh that no pair is missing"},
    {"grid", "grid of cells, of several levels when sizes differ"},
    {"brute", "all pairs: for tests"},
};
constexpr Choice start_grains[] = {
    {"add", "[[grains]] places its groups beside them"},
    {"replace", "[[grains]] places nothing; groups that pour do"},
};
constexpr Choice integrators[] = {
    {"verlet", "velocity Verlet"},
    {"taylor", "the scheme of Ferrez (2001), eq. 3.20-3.21"},
};
constexpr std::array<Choice, law_count> laws = [] {
    std::array<Choice, law_count> all{};
    for (std::size_t k = 0; k < law_count; ++k) all[k] = {law_list[k].name, law_list[k].meaning};
    return all;
}();
// "law cohesive", "laws hertz and hertz-slip".
std::string laws_that_take(bool LawInputs::*input) {
    std::vector<std::string> names;
    for (const LawEntry& law : law_list)
        if (law.takes.*input) names.push_back(law.name);
    std::string out = names.size() == 1 ? "law " : "laws ";
    for (std::size_t k = 0; k < names.size(); ++k)
        out += (k == 0 ? "" : k + 1 == names.size() ? " and " : ", ") + names[k];
    return out;
}
const std::string contact_time_text = fmt::format(
    "Duration of one collision: {}. \"auto\": chosen so that overlaps stay near 2 %; `scree check` says why. An impact "
    "at speed v makes overlaps of about v × contact_time / 3. Shorter is stiffer and takes shorter time steps.",
    laws_that_take(&LawInputs::contact_time));
const std::string stiffness_text = fmt::format(
    "Of the normal spring, the same for grains of all sizes: {}, in place of `contact_time`. Law linear then is hooke.",
    laws_that_take(&LawInputs::coefficients));
const std::string cohesion_text = fmt::format("Largest pull: {}.", laws_that_take(&LawInputs::cohesion));
const std::string viscosity_text = fmt::format("Viscous time of {}.", laws_that_take(&LawInputs::viscosity));
const std::string young_text = fmt::format("Young's modulus: {}.", laws_that_take(&LawInputs::elastic));
const std::string poisson_text = fmt::format("Poisson's ratio: {}.", laws_that_take(&LawInputs::elastic));

constexpr Choice shape_kinds[] = {
    {"sphere", "a sphere; a disc in 2D"},
    {"spherocylinder", "a rod with round ends: a segment swept by a ball"},
    {"spherotriangle", "a triangle swept by a ball", true, 3},
    {"spherotetrahedron", "a tetrahedron swept by a ball", true, 3},
    {"spheropolyhedron", "a convex polyhedron (2D: polygon) swept by a ball"},
    {"mesh", "a closed surface of triangles, cut into convex pieces that are swept by a ball", true, 3},
    {"cluster", "spheres that move as one body"},
    {"union", "other shapes that move as one body"},
};
constexpr Choice solids[] = {
    {"none", "as given by `vertices` or `file`"},
    {"tetrahedron", "4 corners", true, 3},
    {"cube", "8 corners", true, 3},
    {"octahedron", "6 corners", true, 3},
    {"dodecahedron", "20 corners", true, 3},
    {"icosahedron", "12 corners", true, 3},
};

void describe_gravity(SceneVisitor& v, Scene& scene) {
    if (v.reading() && v.dimension == 2) scene.gravity = {0, -9.81, 0};
    const Key gravity =
        defaults_to("[0, 0, -9.81], in 2D [0, -9.81]", {"gravity", "m/s^2", any_number, "Acceleration of free fall."});
    bool plain = !scene.gravity_turn;
    v.plain_or_table(
        gravity, plain, [&] { v.vector(gravity, scene.gravity); },
        [&] {
            v.vector(required({"vector", "m/s^2", any_number, "Gravity before it turns."}), scene.gravity);
            bool turns = scene.gravity_turn.has_value();
            GravityTurn turn = scene.gravity_turn.value_or(GravityTurn{});
            if (v.reading() && v.dimension == 2) turn.axis = {0, 0, 1};
            v.optional_table(
                {"turn", "", any_number, "Turns gravity at a steady rate, as when an hourglass is reversed."}, turns,
                [&] {
                    if (v.dimension == 3) {
                        v.vector({"axis", "", any_number, "Axis of the turn (3D only), by the right-hand rule."},
                                 turn.axis);
                        v.demand(is_direction(turn.axis), "axis", "must not be zero");
                    } else {
                        v.refused({"axis", "", any_number, ""},
                                  "exists in 3D only: in 2D the axis is at a right angle to the plane");
                    }
                    v.number(required({"angle", "rad", any_number, "By how much."}), turn.angle);
                    v.number({"from", "s", not_negative, "The turn begins."}, turn.from);
                    v.number(required({"until", "s", not_negative, "The turn ends."}), turn.until);
                    v.demand(turn.until > turn.from, "until", "must be later than `from`");
                });
            if (v.reading() && turns) scene.gravity_turn = turn;
        });
}

void describe_linear_coefficients(SceneVisitor& v, LinearCoefficients& linear) {
    v.number({"stiffness", "N/m", positive, stiffness_text.c_str()}, linear.stiffness);
    v.number({"tangential_stiffness", "N/m", not_negative,
              "Of the spring of friction, beside `stiffness`. Without it and `stiffness_ratio`: 2/7 of `stiffness`, in "
              "2D 1/3."},
             linear.tangential_stiffness);
    v.number({"stiffness_ratio", "", not_negative, "`tangential_stiffness` over `stiffness`."}, linear.stiffness_ratio);
    v.number({"damping", "N s/m", not_negative,
              "Of the normal dashpot, beside `stiffness`. Without it and `damping_rate`: what `restitution` asks for."},
             linear.damping);
    v.number({"damping_rate", "1/s", not_negative,
              "`damping` over the effective mass m1 m2/(m1 + m2) of the two grains, as LAMMPS and LIGGGHTS have it."},
             linear.damping_rate);
    v.number({"tangential_damping", "N s/m", not_negative,
              "Of the dashpot of friction, beside `stiffness`. Without it and `tangential_damping_rate`: what "
              "`tangential_restitution` asks for."},
             linear.tangential_damping);
    v.number({"tangential_damping_rate", "1/s", not_negative, "`tangential_damping` over the effective mass."},
             linear.tangential_damping_rate);
    const auto one_of = [&](const std::optional<double>& a, const std::optional<double>& b, const char* key,
                            const char* other) {
        v.demand(!(a && b), key, fmt::format("says the same as `{}`: leave out one of the two", other));
    };
    one_of(linear.tangential_stiffness, linear.stiffness_ratio, "stiffness_ratio", "tangential_stiffness");
    one_of(linear.damping, linear.damping_rate, "damping_rate", "damping");
    one_of(linear.tangential_damping, linear.tangential_damping_rate, "tangential_damping_rate", "tangential_damping");
}

// `Values` is ContactValues or Interaction: numbers, or optional numbers of the same names.
template <class Values>
void describe_contact_values(SceneVisitor& v, Values& values) {
    v.number({"restitution", "", positive_fraction, "Speed after a central collision over the speed before."},
             values.restitution);
    v.number({"tangential_restitution", "", fraction,
              "The same for the sideways speed of surfaces that stick. 0 leaves less than a hundredth of it; walton "
              "takes more than 0 only."},
             values.tangential_restitution);
    v.number({"friction", "", not_negative, "Coulomb's coefficient."}, values.friction);
    const Key contact_time{"contact_time", "s", positive, contact_time_text.c_str()};
    if constexpr (std::is_same_v<Values, ContactValues>)
        v.number_or_auto(contact_time, values.contact_time);
    else
        v.number(contact_time, values.contact_time);
    describe_linear_coefficients(v, values.linear);
    v.demand(!(values.contact_time && values.linear.stiffness), "contact_time",
             "follows from `stiffness` and the mass: leave out one of the two");
    v.number({"rolling_friction", "", not_negative,
              "The rolling torque is at most this times normal force times effective radius."},
             values.rolling_friction);
    v.number({"rolling_stiffness", "N/m", positive,
              "Of the spring of rolling friction, along the length that rolls: the torque is this times the square of "
              "the effective radius times the angle. Without it half a swing takes the contact_time."},
             values.rolling_stiffness);
    v.number({"cohesion", "N", not_negative, cohesion_text.c_str()}, values.cohesion);
    v.number({"viscosity", "s", not_negative, viscosity_text.c_str()}, values.viscosity);
    v.number({"restitution_speed", "m/s", not_negative,
              "Engine events: below this speed of impact restitution rises to 1, as 1 - (1 - "
              "restitution)(v/restitution_speed)^(3/4). 0: constant."},
             values.restitution_speed);
}

void describe_material(SceneVisitor& v, Material& material, LawKind law) {
    v.where(material.where);
    v.number({"density", "kg/m^3", positive, "Mass per volume; discs of 2D are 1 m thick."}, material.density);
    Key young = defaults_to("1e7; required by those laws", {"young", "Pa", positive, young_text.c_str()});
    young.required = v.reading() && inputs_of(law).elastic;
    v.number(young, material.young);
    v.number({"poisson", "", {0, 0.5}, poisson_text.c_str()}, material.poisson);
    describe_contact_values(v, material.contact);
}

void describe_interaction(SceneVisitor& v, Interaction& interaction) {
    v.where(interaction.where);
    std::string between[2] = {interaction.first, interaction.second};
    v.names(required({"between", "", any_number, "The two materials."}), NameOf::material, between);
    interaction.first = between[0];
    interaction.second = between[1];
    choice_of(v, {"law", "", any_number, "Force between these two, in place of that under [contact]."}, laws,
              interaction.law);
    describe_contact_values(v, interaction);
}

void describe_part(SceneVisitor& v, ShapePart& part) {
    v.name(required({"shape", "", any_number, "A name under [shapes]."}), NameOf::shape, part.shape);
    v.vector({"at", "m", any_number, "Where the origin of that shape's coordinates is."}, part.at);
    v.numbers({"orientation", "", any_number, "Quaternion [w, x, y, z] that turns it."}, part.orientation);
    demand_rotation(v, "orientation", part.orientation);
}

constexpr Choice glue_laws[] = {
    {"potential",
     "-strength x^-alpha + B x^-beta of the distance x, with B such that the spheres are at rest as given (Ferrez "
     "2001, eq. "
     "3.26-3.29)"},
    {"power",
     "a force back to rest, strength times the power alpha of how far the spheres are from it (Ferrez 2001, eq. 3.25)"},
};

void describe_glue(SceneVisitor& v, Glue& glue) {
    bool glued = glue.law != Glue::Law::none;
    v.optional_table(
        {"glue", "", any_number, "Spheres that touch hold together by a force; without it the cluster is rigid."},
        glued, [&] {
            int law = glue.law == Glue::Law::power;
            v.choice({"law", "", any_number, "Of the force."}, glue_laws, law);
            if (v.reading()) glue.law = law == 1 ? Glue::Law::power : Glue::Law::potential;
            v.number(
                required({"strength", "", positive, "-A of the potential (J m^alpha), or A of the power (N/m^alpha)."}),
                glue.strength);
            v.number({"alpha", "", positive, "Power of the attraction, or of the force."}, glue.alpha);
            v.number({"beta", "", positive, "Power of the repulsion; the larger, the harder. Of the potential only."},
                     glue.beta);
            v.number({"damping", "", not_negative, "Of a bond, as a part of the critical damping."}, glue.damping);
            v.demand(law == 1 || glue.beta > glue.alpha, "beta",
                     "must be larger than `alpha`: the repulsion has to be the steeper one");
            v.demand(law == 0 || glue.alpha >= 1, "alpha",
                     "`alpha` must be at least 1 for the law \"power\": below, a bond at rest has no finite stiffness");
        });
}

// Files are called by the names of shapes.
bool is_file_name(std::string_view name) {
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
               c == '.';
    };
    return !name.empty() && name.size() <= 100 && name[0] != '.' && std::all_of(name.begin(), name.end(), plain);
}

void describe_shape(SceneVisitor& v, GrainShape& shape) {
    v.where(shape.where);
    v.demand(is_file_name(shape.name), "",
             "a shape's name becomes that of a file: up to 100 letters, digits, _, - and . are allowed, not beginning "
             "with a dot");
    const Key radius = required({"radius", "m", positive, "Of the ball; contact is soft as far as it reaches."});
    const auto vertices = [&](std::size_t least, std::size_t most) {
        if (v.writing() && shape.vertices.empty()) return;
        v.vectors({"vertices", "m", any_number, "Corners of the skeleton [[x, y, z], ...]."}, shape.vertices,
                  shape.vertices.empty() ? 0 : least, most);
        v.demand(shape.vertices.empty() || shape.vertices.size() >= least, "vertices",
                 fmt::format("needs at least {} corners", least));
    };
    const auto erode = [&] {
        v.boolean({"erode", "", any_number,
                   "The skeleton is drawn in by `radius`, so that the faces of the rounded shape are as given."},
                  shape.erode);
    };
    v.kinds_by_tag(
        {"kind", "", any_number, "What the shape is."}, shape_kinds, static_cast<std::size_t>(shape.kind),
        [&](std::size_t index) {
            if (v.reading()) shape.kind = static_cast<ShapeKind>(index);
            switch (static_cast<ShapeKind>(index)) {
                case ShapeKind::sphere:
                    v.number({"radius", "m", not_negative,
                              "As a part of a union. Groups of spheres take their own `radius`."},
                             shape.radius);
                    break;
                case ShapeKind::spherocylinder:
                    v.number(
                        required({"length", "m", positive,
                                  "Of the segment; the rod is longer by twice the radius. It lies along z (2D: x)."}),
                        shape.length);
                    v.number(radius, shape.radius);
                    break;
                case ShapeKind::spherotriangle:
                case ShapeKind::spherotetrahedron: {
                    const std::size_t corners = index == static_cast<std::size_t>(ShapeKind::spherotriangle) ? 3 : 4;
                    if (!v.writing() || shape.length > 0)
                        v.number({"length", "m", not_negative, "Of the edges of a regular one."}, shape.length);
                    vertices(corners, corners);
                    v.number(radius, shape.radius);
                    if (corners == 4) erode();
                    v.demand(shape.length > 0 || !shape.vertices.empty(), "length", "needs `length` or `vertices`");
                    v.demand(!(shape.length > 0) || shape.vertices.empty(), "length",
                             "the `vertices` give the lengths: leave out one of the two");
                    break;
                }
                case ShapeKind::spheropolyhedron:
                    if (v.dimension == 3) {
                        choice_of(v, {"solid", "", any_number, "A regular solid with edges of `length`."}, solids,
                                  shape.solid);
                        if (!v.writing() || shape.length > 0)
                            v.number({"length", "m", not_negative, "Of the edges of a regular solid."}, shape.length);
                        std::optional<std::string> file;
                        if (!shape.file.empty()) file = shape.file;
                        v.file({"file", "", any_number, "STL or OBJ whose convex hull is taken."}, file);
                        if (v.reading()) shape.file = file.value_or("");
                        if (!v.writing() || !shape.file.empty())
                            v.number({"scale", "", positive, "Of the lengths in the file."}, shape.file_scale);
                    }
                    vertices(2, 4000);
                    v.number(radius, shape.radius);
                    erode();
                    v.demand((shape.solid != Solid::none) + !shape.file.empty() + !shape.vertices.empty() == 1, "kind",
                             "needs one of `solid`, `vertices` and `file`");
                    v.demand(shape.solid == Solid::none || shape.length > 0, "length",
                             "a solid needs the `length` of its edges");
                    v.demand(shape.solid != Solid::none || !(shape.length > 0), "length",
                             "is for a `solid`: leave it out");
                    v.demand(!shape.file.empty() || shape.file_scale == 1, "scale",
                             "is for a `file`: leave it out, or change the lengths");
                    break;
                case ShapeKind::mesh:
                    v.file(required({"file", "", any_number, "STL or OBJ of a closed surface."}), shape.file);
                    v.number({"scale", "", positive, "Of the lengths in the file."}, shape.file_scale);
                    v.number(radius, shape.radius);
                    v.number({"tolerance", "", positive_fraction,
                              "Depth of hollows that may be filled when it is cut into convex pieces, of the size of "
                              "the mesh."},
                             shape.tolerance);
                    erode();
                    break;
                case ShapeKind::cluster: {
                    std::vector<std::vector<double>> rows;
                    const std::size_t columns = static_cast<std::size_t>(v.dimension) + 1;
                    for (const auto& s : shape.spheres)
                        rows.push_back(columns == 4 ? std::vector<double>{s[0], s[1], s[2], s[3]}
                                                    : std::vector<double>{s[0], s[1], s[3]});
                    std::optional<std::string> file;
                    if (!shape.file.empty()) file = shape.file;
                    v.file({"file", "", any_number,
                            "CSV with the header x,y,z,radius (2D: x,y,radius), in place of `spheres`."},
                           file);
                    if (!v.writing() || !rows.empty())
                        v.rows({"spheres", "m", any_number, "Rows [x, y, z, radius] (2D: [x, y, radius])."}, rows,
                               columns);
                    describe_glue(v, shape.glue);
                    if (!v.reading()) break;
                    shape.file = file.value_or("");
                    shape.spheres.clear();
                    for (const auto& row : rows)
                        shape.spheres.push_back({row[0], row[1], columns == 4 ? row[2] : 0, row.back()});
                    v.demand(rows.empty() == !shape.file.empty(), "kind", "needs one of `spheres` and `file`");
                    for (const auto& row : rows) v.demand(row.back() > 0, "spheres", "radii must be > 0");
                    break;
                }
                case ShapeKind::joined:
                    each(v, required({"parts", "", any_number, "The shapes it consists of."}), shape.parts,
                         describe_part);
                    break;
            }
        });
    // Inertia is of the fifth power of lengths: past this it is no number.
    constexpr double largest = 1e60;
    const auto usual = [&](Vec3 p) { return norm2(p) < largest * largest; };
    const char* const too_large = "is too large: lengths up to 1e60 m are possible";
    v.demand(shape.length < largest, "length", too_large);
    v.demand(shape.radius < largest, "radius", too_large);
    v.demand(std::all_of(shape.vertices.begin(), shape.vertices.end(), usual), "vertices", too_large);
    v.demand(std::all_of(shape.spheres.begin(), shape.spheres.end(),
                         [&](const auto& s) {
                             return usual({s[0], s[1], s[2]}) && s[3] < largest;
                         }),
             "spheres", too_large);
    const char* round = v.dimension == 2 ? "disc" : "sphere";
    v.demand(shape.kind == ShapeKind::sphere || shape.name != round, "",
             fmt::format("grains without a shape are called \"{}\" in frames and files: take another name", round));
}

void describe_shapes(SceneVisitor& v, Scene& scene) {
    v.named(
        {"shapes", "", any_number,
         "Shapes of grains by name (letters, digits, _, -, ., as for files). Spheres need none."},
        scene.shapes.size(), [&](std::size_t n) { scene.shapes.assign(n, GrainShape{}); },
        [&](std::size_t i) -> std::string& { return scene.shapes[i].name; },
        [&](std::size_t i) { describe_shape(v, scene.shapes[i]); });
}

}  // namespace

void describe_simulation(SceneVisitor& v, Scene& scene) {
    v.where(scene.simulation_where);
    std::int64_t dimension = scene.dimension;
    v.integer(
        {"dimension", "", {2, 3}, "3: spheres; 2: discs in the x-y plane, 1 m thick. Vectors have as many components."},
        dimension);
    if (v.reading()) scene.dimension = v.dimension = static_cast<int>(dimension);
    int engine = scene.engine == "events";
    v.choice({"engine", "", any_number, "How grains are moved."}, engines, engine);
    if (v.reading()) scene.engine = engines[engine].name;
    describe_gravity(v, scene);
    v.number({"overlap_limit", "", positive_fraction,
              "Largest overlap of two grains, of the smaller radius; past it the run ends as invalid."},
             scene.overlap_limit);
    v.number({"duration", "s", positive, "Time to simulate."}, scene.duration);
    v.number_or_auto({"time_step", "s", positive,
                      "\"auto\": chosen from the stiffest contact; the choice and its reason are printed."},
                     scene.time_step);
    v.where_of("time_step", scene.time_step_where);
    v.number_or_auto({"collision_cutoff", "s", not_negative,
                      "Engine events: a collision sooner than this after another of the same grain loses no energy, so "
                      "that grains at rest do not stop the clock. 0: never."},
                     scene.collision_cutoff);
    auto seed = static_cast<std::int64_t>(scene.seed);
    v.integer({"seed", "", not_negative, "Of all random choices."}, seed);
    if (v.reading()) scene.seed = static_cast<std::uint64_t>(seed);
    choice_of(v, {"neighbors", "", any_number, "How neighbors are found. The result does not depend on it."},
              neighbor_methods, scene.neighbors);
    choice_of(v, {"integrator", "", any_number, "How positions follow from forces."}, integrators, scene.integrator);
    v.number({"damping", "kg/s", not_negative, "Every grain feels the force -damping x velocity."}, scene.damping);
    v.number({"rotation_damping", "kg m^2/s", not_negative, "Every grain feels the torque -rotation_damping x spin."},
             scene.rotation_damping);
}

void describe_materials(SceneVisitor& v, Scene& scene) {
    v.table({"contact", "", any_number, "What happens between touching grains."}, [&] {
        choice_of(v, {"law", "", any_number, "Force of a contact."}, laws, scene.law);
    });
    v.named(
        required({"materials", "", any_number,
                  "Materials by name: [materials.glass]. At least one. Contact values hold between two pieces of the "
                  "material."}),
        scene.materials.size(), [&](std::size_t n) { scene.materials.assign(n, Material{}); },
        [&](std::size_t i) -> std::string& { return scene.materials[i].name; },
        [&](std::size_t i) { describe_material(v, scene.materials[i], scene.law); });
    each(v,
         {"interactions", "", any_number,
          "Contact values between two materials. What is not given here is the geometric mean of both materials' "
          "values, for contact_time the larger."},
         scene.interactions, describe_interaction);
}

void describe_output(SceneVisitor& v, Scene& scene) {
    if (v.reading()) {
        scene.frame_interval = scene.duration / 100;
        scene.series_interval = scene.duration / 1000;
        scene.checkpoint_interval = scene.duration / 10;
    }
    v.number(defaults_to("duration / 100", {"frames", "s", not_negative,
                                            "Time between frames (VTK files). 0: the first and the last only."}),
             scene.frame_interval);
    v.number(defaults_to("duration / 1000", {"series", "s", not_negative,
                                             "Time between rows of series.csv. 0: the first and the last only."}),
             scene.series_interval);
    v.number(defaults_to("duration / 10",
                         {"checkpoint", "s", not_negative, "Time between checkpoints. 0: at the end only."}),
             scene.checkpoint_interval);
    v.number({"measure_every", "s", not_negative, "Time between rows of the measures. 0: as the frames."},
             scene.measure_interval);
    v.measures({"measures", "", any_number,
                "What is measured on the way, into files of the folder measures/; \"energy\" stands for the energies "
                "of series.csv. A word, or { NAME = { OPTION = VALUE, ... } }. See measures.md."},
               scene, scene.measures);
}

void describe(SceneVisitor& v, Scene& scene) {
    v.text({"title", "", any_number, "One line about the scene."}, scene.title);
    v.table({"simulation", "", any_number, "The whole."}, [&] { describe_simulation(v, scene); });
    v.table({"start", "", any_number,
             "Grains taken over from another run, with other walls, motions or gravity: pour once, then open, tilt or "
             "shake. Time starts at 0 again, and walls stand where the scene puts them; free pistons go on from where "
             "they were. With the same scene and another key or two: `scree run RUN/scene.toml --set start.from=RUN "
             "--set start.grains=replace --set KEY=VALUE -o NEW`."},
            [&] {
                v.file({"from", "", any_number,
                        "Run folder, or a checkpoint file in one. Relative to the folder of the scene (given by --set: "
                        "to the current one)."},
                       scene.start_from);
                v.where_of("from", scene.start_where);
                choice_of(v, {"grains", "", any_number, "What becomes of the groups of this scene."}, start_grains,
                          scene.start_grains);
                v.demand(scene.start_from || scene.start_grains == StartGrains::add, "grains", "needs `from`");
            });
    describe_materials(v, scene);
    describe_shapes(v, scene);
    each(v,
         {"regions", "", any_number,
          "Parts of space that other keys refer to by name. A region has the key `name` and one of `box`, `cylinder`, "
          "`sphere`, `cone`."},
         scene.regions, describe_region);
    each(v,
         {"grains", "", any_number,
          "Groups of grains, placed in the order written: later groups fill what is left. A group has either `place` "
          "or `pour`."},
         scene.grains, describe_grains);
    each(v,
         {"walls", "", any_number,
          "Boundaries. Their keys depend on their kind. In 2D each is the cut of the surface with the x-y plane: a "
          "cylinder is two parallel lines, a disc with a hole a line with a gap."},
         scene.walls, describe_wall);
    v.table({"periodic", "", any_number, "Axes along which space repeats."}, [&] {
        const char* axes[] = {"x", "y", "z"};
        for (int axis = 0; axis < v.dimension; ++axis) {
            auto& interval = scene.periodic[axis];
            v.interval(defaults_to("not periodic",
                                   {axes[axis], "m", any_number,
                                    "Interval [low, high] that repeats, at least four times the largest radius long."}),
                       interval);
            v.where_of(axes[axis], scene.periodic_where[axis]);
            v.demand(!interval || interval->first < interval->second, axes[axis],
                     "must be [low, high] with low < high");
        }
        if (v.dimension == 2) v.refused({"z", "", any_number, ""}, "exists in 3D only");
    });
    v.table({"outflow", "", any_number, "Removal of grains. Without it, a grain that escapes ends the run as invalid."},
            [&] {
                v.name({"region", "", any_number, "Grains whose center leaves this region are removed and counted."},
                       NameOf::region, scene.outflow_region);
                v.where_of("region", scene.outflow_where);
            });
    v.table({"output", "", any_number, "What the run folder gets."}, [&] { describe_output(v, scene); });
}

}  // namespace scree
