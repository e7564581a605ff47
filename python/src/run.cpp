// Snapshots of grains, and run folders, which consist of them.
#include "scree/run.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <utility>

#include "memory.h"
#include "scree/scene_file.h"
#include "snapshot.h"

namespace scree::python {

namespace {

template <class T>
void prefetch(const StridedSpan<T>& span, std::size_t k) {
    __builtin_prefetch(static_cast<const std::byte*>(span.data()) + k * span.stride());
}

}  // namespace

Snapshot by_id(const GrainArrays& grains, Snapshot& last) {
    const std::size_t n = grains.size();
    if (!last || last.use_count() > 1) last = std::make_shared<std::vector<Grain>>();
    const Snapshot& all = last;
    all->clear();
    all->reserve(n);
    std::uint32_t largest = 0;
    for (std::size_t k = 0; k < n; ++k) largest = std::max(largest, grains.id[k]);
    constexpr std::uint32_t none = ~std::uint32_t{0};
    if (largest < 4 * n + 1024) {  // identities are dense, as mostly: a table is ten times as fast as sorting
        std::vector<std::uint32_t> place(std::size_t{largest} + 1, none);
        for (std::size_t k = 0; k < n; ++k) place[grains.id[k]] = static_cast<std::uint32_t>(k);
        std::erase(place, none);
        constexpr std::size_t ahead = 16;  // rows are asked for so early that they are there when they are read
        for (std::size_t k = 0; k < n; ++k) {
            if (k + ahead < n) {
                prefetch(grains.position, place[k + ahead]);
                prefetch(grains.radius_times_spin, place[k + ahead]);
            }
            all->push_back(grains[place[k]]);
        }
        return all;
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> order(n);
    for (std::size_t k = 0; k < n; ++k) order[k] = {grains.id[k], static_cast<std::uint32_t>(k)};
    std::sort(order.begin(), order.end());
    for (const auto& [id, k] : order) all->push_back(grains[k]);
    return all;
}

py::dict snapshot(const Snapshot& grains) {
    const Grain* first = grains->data();
    py::dict all;
    all["id"] = member_of(grains, &Grain::id);
    all["group"] = member_of(grains, &Grain::group);
    all["material"] = member_of(grains, &Grain::material);
    all["radius"] = member_of(grains, &Grain::radius);
    all["mass"] = member_of(grains, &Grain::mass);
    all["position"] = member_of(grains, &Grain::position);
    all["velocity"] = member_of(grains, &Grain::velocity);
    all["spin"] = member_of(grains, &Grain::spin);
    all["orientation"] = rows_of<double>(grains, grains->empty() ? nullptr : first->orientation.data(), grains->size(),
                                         sizeof(Grain), 4);
    all["scale"] = member_of(grains, &Grain::scale);
    all["shape"] = member_of(grains, &Grain::shape);
    return all;
}

namespace {

struct Folder {
    explicit Folder(const std::string& path) : run(path) {}
    Run run;
    OneUser user;

    template <class Work>
    auto alone(const char* what, Work&& work) {
        return python::alone(user, what, [&] { return work(run); });
    }
};

std::pair<std::vector<std::string>, std::vector<std::string>> names_of(const Scene& scene) {
    std::pair<std::vector<std::string>, std::vector<std::string>> names;
    for (const GrainGroup& group : scene.grains) names.first.push_back(group.name);
    for (const Material& material : scene.materials) names.second.push_back(material.name);
    return names;
}

}  // namespace

void add_run(py::module_& m) {
    py::class_<Folder>(m, "Run")
        .def(py::init<const std::string&>(), py::arg("folder"), py::call_guard<py::gil_scoped_release>())
        .def("record", [](Folder& f) { return f.alone("record", [](Run& run) { return run.record(); }); })
        .def("scene", [](Folder& f) { return f.alone("scene", [](Run& run) { return write_scene(run.scene()); }); })
        .def("names", [](Folder& f) { return f.alone("names", [](Run& run) { return names_of(run.scene()); }); })
        .def("series", [](Folder& f) { return table(f.alone("series", [](Run& run) { return run.series(); })); })
        .def("times",
             [](Folder& f) {
                 return array_of(f.alone("times", [](Run& run) {
                     std::vector<double> times(run.size());
                     for (std::size_t k = 0; k < times.size(); ++k) times[k] = run.time(k);
                     return times;
                 }));
             })
        .def(
            "grains",
            [](Folder& f, std::size_t frame) {
                return snapshot(f.alone(
                    "grains", [&](Run& run) { return std::make_shared<std::vector<Grain>>(run.grains(frame)); }));
            },
            py::arg("frame"))
        .def(
            "measure",
            [](Folder& f, const std::string& what, std::size_t frame) {
                return table(f.alone("measure()", [&](Run& run) { return run.measure(what, frame); }));
            },
            py::arg("what"), py::arg("frame"));
    m.def(
        "export_page",
        [](const std::string& folder, const std::string& file, std::optional<std::uint64_t> most_bytes,
           std::optional<std::size_t> grains, bool contacts, const std::string& caption, const std::string& link) {
            export_page(folder, file, {most_bytes, grains, contacts, caption, link});
        },
        py::arg("folder"), py::arg("file"), py::arg("most_bytes"), py::arg("grains"), py::arg("contacts"),
        py::arg("caption"), py::arg("link"), py::call_guard<py::gil_scoped_release>());
}

}  // namespace scree::python
