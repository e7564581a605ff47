// A simulation in the hands of Python.
#include "scree/simulation.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <chrono>
#include <optional>
#include <stdexcept>

#include "memory.h"
#include "scree/error.h"
#include "scree/run.h"
#include "scree/scene_file.h"
#include "snapshot.h"

namespace scree::python {
namespace {

using Clock = std::chrono::steady_clock;

class Core {
  public:
    Core(const std::string& text, const std::string& file, const std::vector<std::string>& overrides)
        : simulation_(parse_scene(text, file, {.overrides = overrides, .check_files = true})) {}
    explicit Core(Simulation&& made) : simulation_(std::move(made)) {}

    // What looks at the simulation, without the GIL.
    template <class Work>
    auto look(const char* what, Work&& work) {
        return alone(user_, what, [&] { return work(simulation_); });
    }

    // To a time, or by so many steps. Calls call(k) for the k-th every() that is due; what it raises ends the run after
    // that step and is raised here, as is KeyboardInterrupt.
    void run_until(double time, const py::object& call) {
        run("run()", call, [&] { return simulation_.steps_until(time); });
    }
    void step(std::int64_t steps, const py::object& call) {
        run("step()", call, [&] { return simulation_.step_count() + steps; });
    }

    void every(double seconds) {
        simulation_.every(seconds, [this, k = looks_++](Simulation&) { call(k); });
    }

  private:
    template <class Last>
    void run(const char* what, const py::object& call, Last&& last_step) {
        if (running_) throw std::runtime_error(std::string(what) + " inside of a run: what every() calls cannot step");
        const OneUser::Entry entry(user_, what);
        running_ = true;
        call_ = &call;
        thrown_.reset();
        const Ended ended{*this};
        {
            const py::gil_scoped_release free;
            const std::int64_t last = last_step();
            next_check_ = Clock::now() + check_interval;
            while (simulation_.step_count() < last) {
                simulation_.step();
                if (simulation_.stopped() || interrupted()) break;
            }
        }
        if (thrown_) throw std::move(*thrown_);
    }

    struct Ended {
        Core& core;
        ~Ended() {
            core.running_ = false;
            core.call_ = nullptr;
        }
    };

    void call(std::size_t k) {
        if (thrown_) return;  // by an earlier one, after the same step
        const py::gil_scoped_acquire hold;
        try {
            (*call_)(k);
        } catch (py::error_already_set& error) {
            thrown_.emplace(std::move(error));
            simulation_.stop();
        }
    }

    // Python's own handlers of signals run in its main thread, and only when they are asked to.
    bool interrupted() {
        const Clock::time_point now = Clock::now();
        if (now < next_check_) return false;
        next_check_ = now + check_interval;
        const py::gil_scoped_acquire hold;
        if (PyErr_CheckSignals() == 0) return false;
        thrown_.emplace();
        return true;
    }

    static constexpr std::chrono::milliseconds check_interval{50};

    Simulation simulation_;
    OneUser user_;
    bool running_ = false;
    std::size_t looks_ = 0;
    const py::object* call_ = nullptr;  // while running
    std::optional<py::error_already_set> thrown_;
    Clock::time_point next_check_;
};

py::tuple vector(Vec3 v) { return py::make_tuple(v.x, v.y, v.z); }

py::list walls(Core& core) {
    py::list all;
    for (const WallReport& w : core.look("walls", [](Simulation& s) { return s.walls(); }))
        all.append(py::make_tuple(w.name, w.open, w.moving, vector(w.force), vector(w.torque), vector(w.displacement),
                                  vector(w.velocity)));
    return all;
}

py::dict energy(Core& core) {
    const EnergyReport e = core.look("energy", [](Simulation& s) { return s.energy(); });
    py::dict all;
    all["kinetic"] = e.kinetic;
    all["rotational"] = e.rotational;
    all["potential"] = e.potential;
    all["elastic"] = e.elastic;
    all["dissipated"] = e.dissipated;
    all["dissipated_sliding"] = e.dissipated_sliding;
    all["dissipated_damping"] = e.dissipated_damping;
    all["wall_work"] = e.wall_work;
    all["gravity_work"] = e.gravity_work;
    all["poured"] = e.poured;
    all["removed"] = e.removed;
    all["total"] = e.total();
    return all;
}

py::dict contacts(Core& core) {
    const auto kept =
        std::make_shared<std::vector<ContactView>>(core.look("contacts", [](Simulation& s) { return s.contacts(); }));
    py::dict all;
    all["a"] = member_of(kept, &ContactView::a);
    all["b"] = member_of(kept, &ContactView::b);
    all["wall"] = member_of(kept, &ContactView::wall);
    all["feature"] = member_of(kept, &ContactView::feature);
    all["overlap"] = member_of(kept, &ContactView::overlap);
    all["point"] = member_of(kept, &ContactView::point);
    all["normal"] = member_of(kept, &ContactView::normal);
    all["force"] = member_of(kept, &ContactView::force);
    all["elastic_energy"] = member_of(kept, &ContactView::elastic_energy);
    return all;
}

py::tuple names_of(Core& core) {
    return core.look("names", [](Simulation& s) {
        std::vector<std::string> materials;
        for (const Material& material : s.scene().materials) materials.push_back(material.name);
        const py::gil_scoped_acquire hold;
        return py::make_tuple(s.group_names(), materials);
    });
}

}  // namespace

void add_simulation(py::module_& m) {
    py::class_<Core>(m, "Simulation")
        .def(py::init<const std::string&, const std::string&, const std::vector<std::string>&>(), py::arg("text"),
             py::arg("file"), py::arg("overrides"), py::call_guard<py::gil_scoped_release>())
        .def_static(
            "load", [](const std::string& path) { return std::make_unique<Core>(Simulation::load(path)); },
            py::arg("path"), py::call_guard<py::gil_scoped_release>())
        .def("run_until", &Core::run_until, py::arg("time"), py::arg("call"))
        .def("step", &Core::step, py::arg("steps"), py::arg("call"))
        .def("stop", [](Core& core) { core.look("stop()", [](Simulation& s) { s.stop(); }); })
        .def("every", &Core::every, py::arg("seconds"))
        .def("time", [](Core& core) { return core.look("time", [](Simulation& s) { return s.time(); }); })
        .def("step_count",
             [](Core& core) { return core.look("step_count", [](Simulation& s) { return s.step_count(); }); })
        .def("time_step",
             [](Core& core) {
                 const TimeStepChoice t = core.look("time_step", [](Simulation& s) { return s.time_step(); });
                 return py::make_tuple(t.value, t.automatic, t.stable, t.reason);
             })
        .def("duration",
             [](Core& core) { return core.look("duration", [](Simulation& s) { return s.scene().duration; }); })
        .def("scene",
             [](Core& core) { return core.look("scene", [](Simulation& s) { return write_scene(s.scene()); }); })
        .def("law",
             [](Core& core) {
                 return core.look("law", [](Simulation& s) { return std::string(entry_of(s.scene().law).name); });
             })
        .def("remarks", [](Core& core) { return core.look("remarks", [](Simulation& s) { return s.remarks(); }); })
        .def("names", &names_of)
        .def("grains",
             [](Core& core) { return snapshot(core.look("grains", [](Simulation& s) { return by_id(s.grains()); })); })
        .def("grain_count",
             [](Core& core) { return core.look("grains", [](Simulation& s) { return s.grains().size(); }); })
        .def("contacts", &contacts)
        .def("contact_count",
             [](Core& core) { return core.look("contacts", [](Simulation& s) { return s.contact_count(); }); })
        .def("walls", &walls)
        .def("energy", &energy)
        .def(
            "measure",
            [](Core& core, const std::string& what) {
                return table(core.look("measure()", [&](Simulation& s) { return s.measure(what); }));
            },
            py::arg("what"))
        .def("hash", [](Core& core) { return core.look("hash()", [](Simulation& s) { return s.hash(); }); })
        .def(
            "save",
            [](Core& core, const std::string& path) { core.look("save()", [&](Simulation& s) { s.save(path); }); },
            py::arg("path"));
}

}  // namespace scree::python
