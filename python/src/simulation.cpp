// A simulation in the hands of Python.
#include "scree/simulation.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>

#include "memory.h"
#include "scree/error.h"
#include "scree/run.h"
#include "scree/scene_file.h"
#include "scree/threads.h"
#include "snapshot.h"

namespace scree::python {
namespace {

using Clock = std::chrono::steady_clock;

// Runs make() with so many threads for the simulation that it makes.
template <class Make>
auto with_threads(std::optional<int> threads, Make&& make) {
    std::optional<ThreadCountScope> scope;
    if (threads) scope.emplace(*threads);
    return make();
}

class Core {
  public:
    using Folder = std::optional<std::string>;

    Core(const std::string& text, const std::string& file, const std::vector<std::string>& overrides,
         std::optional<int> threads, const Folder& folder, bool overwrite)
        : simulation_(with_threads(threads, [&] {
              return Simulation(parse_scene(text, file, {.overrides = overrides, .check_files = true}));
          })) {
        if (folder)
            recording_.emplace(simulation_, *folder, overwrite ? Recording::Begin::overwrite : Recording::Begin::anew);
    }
    Core(const std::string& checkpoint, std::optional<int> threads, bool resume)
        : simulation_(with_threads(threads, [&] { return Simulation::load(checkpoint); })) {
        if (resume) recording_.emplace(simulation_, checkpoint, Recording::Begin::resume);
    }

    // What looks at the simulation, without the GIL.
    template <class Work>
    auto look(const char* what, Work&& work) {
        return alone(user_, what, [&] { return work(simulation_); });
    }

    // To a time (none: the end of the scene), or by so many steps. Calls call(k) for the k-th every() that is due; what
    // it raises ends the run after that step and is raised here, as is KeyboardInterrupt.
    void run_until(std::optional<double> time, const py::object& call) {
        run("run()", call, [&](const RunFolderOptions& options) {
            const double until = time.value_or(simulation_.scene().duration);
            if (!recording_) return step_to(simulation_.steps_until(until), options.stop);
            RunFolderOptions to = options;
            to.until = until;
            finish(recording_->run(to));
        });
    }
    void step(std::int64_t steps, const py::object& call) {
        run("step()", call, [&](const RunFolderOptions& options) {
            if (!recording_) return step_to(simulation_.step_count() + steps, options.stop);
            finish(recording_->step(steps, options));
        });
    }

    Snapshot grains() {
        return look("grains", [&](Simulation& s) { return by_id(s.grains(), snapshot_); });
    }

    void every(double seconds) {
        simulation_.every(seconds, [this, k = looks_++](Simulation&) { call(k); });
    }

    void save() {
        if (!recording_) throw Error(ErrorKind::usage, "save(): this simulation has no folder; say save(path)");
        alone(user_, "save()", [&] { recording_->save(); });
    }

    // Told lines that a user may want to know.
    void set_note(const py::object& note) { note_ = note; }

    // ---- Rows. While arrays look into them they may not move, so that the simulation cannot go on.

    void open_rows() { ++open_; }
    void close_rows() {
        --open_;
        look("rows()", [](Simulation& s) { s.contact_count(); });  // as every look, books what has been changed
    }
    py::dict rows(const py::object& self);
    Memory velocities(const py::object& self) {
        const MotionArrays m = look("rows()", [](Simulation& s) { return s.edit_motion(); });
        return writable(self, m.velocity, m.size, m.velocity_stride);
    }
    Memory spins(const py::object& self) {
        const MotionArrays m = look("rows()", [](Simulation& s) { return s.edit_motion(); });
        if (!m.radius_times_spin && m.size > 0)
            throw Error(ErrorKind::usage,
                        "rows: grains that are not spheres turn by their momentum; their spin cannot be "
                        "written. grains.spin has it to read, torque changes it");
        return writable(self, m.radius_times_spin, m.size, m.spin_stride);
    }

  private:
    // Keeps the simulation alive, and is counted.
    struct View {
        View(py::object of, int& counter) : core(std::move(of)), count(counter) { ++count; }
        ~View() { --count; }
        py::object core;
        int& count;
    };
    std::shared_ptr<void> view(const py::object& self) {
        if (open_ == 0) throw std::runtime_error("rows: outside of its `with` block");
        return std::make_shared<View>(self, views_);
    }
    Memory writable(const py::object& self, double* first, std::size_t n, std::size_t stride) {
        Memory memory = rows_of<double>(view(self), first, n, stride, 3);
        memory.read_only = false;
        return memory;
    }
    template <class T>
    Memory view_of(const py::object& self, const StridedSpan<T>& span, int width = 0) {
        using Number = std::conditional_t<std::is_same_v<T, Vec3>, double, T>;
        return rows_of<Number>(view(self), static_cast<const Number*>(span.data()), span.size(), span.stride(), width);
    }

    template <class Go>
    void run(const char* what, const py::object& call, Go&& go) {
        const OneUser::Entry entry(user_, what);
        if (running_) throw std::runtime_error(std::string(what) + " inside of a run: what every() calls cannot step");
        if (open_ > 0)
            throw std::runtime_error(std::string(what) + " inside of `with rows()`: the rows may not move there");
        if (views_ > 0)
            throw py::buffer_error(std::string(what) + ": " + std::to_string(views_) +
                                   (views_ == 1 ? " view of the rows is" : " views of the rows are") +
                                   " still in use; delete the arrays, or keep copies of them");
        running_ = true;
        call_ = &call;
        thrown_.reset();
        const Ended ended{*this};
        {
            const py::gil_scoped_release free;
            next_check_ = Clock::now() + check_interval;
            RunFolderOptions options;
            options.stop = [this] { return thrown_ || interrupted(); };
            options.note = [this](const std::string& line) { tell(line); };
            go(options);
        }
        if (thrown_) throw std::move(*thrown_);
    }

    void step_to(std::int64_t last, const std::function<bool()>& stop) {
        while (simulation_.step_count() < last) {
            simulation_.step();
            if (simulation_.stopped() || stop()) return;
        }
    }

    void finish(const RunFolderEnding& ending) const {
        if (ending.error && !thrown_) throw *ending.error;
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

    void tell(const std::string& line) {
        const py::gil_scoped_acquire hold;
        if (note_) note_(line);
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
    std::optional<Recording> recording_;
    OneUser user_;
    bool running_ = false;
    int open_ = 0, views_ = 0;  // `with` blocks of rows; arrays that look into the rows
    std::size_t looks_ = 0;
    const py::object* call_ = nullptr;  // while running
    py::object note_;
    Snapshot snapshot_;  // the last one; its memory is used again when no array looks into it any more
    std::optional<py::error_already_set> thrown_;
    Clock::time_point next_check_;
};

py::dict Core::rows(const py::object& self) {
    const GrainArrays all = look("rows()", [](Simulation& s) { return s.grains(); });
    py::dict out;
    out["id"] = view_of(self, all.id);
    out["group"] = view_of(self, all.group);
    out["material"] = view_of(self, all.material);
    out["radius"] = view_of(self, all.radius);
    out["inverse_mass"] = view_of(self, all.inverse_mass);
    out["position"] = view_of(self, all.position, 3);
    return out;
}

// The rows of an array (n, 3).
std::vector<Vec3> vectors_of(const Doubles& from) {
    if (from.info.ndim != 2 || from.info.shape[1] != 3) throw py::type_error("an array of shape (n, 3) is needed");
    std::vector<Vec3> all(from.rows());
    for (std::size_t k = 0; k < all.size(); ++k)
        all[k] = {from.data()[3 * k], from.data()[3 * k + 1], from.data()[3 * k + 2]};
    return all;
}

Memory array_of_vectors(std::vector<Vec3> all) {
    const auto kept = std::make_shared<std::vector<Vec3>>(std::move(all));
    return rows_of<double>(kept, kept->empty() ? nullptr : &kept->front().x, kept->size(), sizeof(Vec3), 3);
}

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
    all["external_work"] = e.external_work;
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
        .def(py::init<const std::string&, const std::string&, const std::vector<std::string>&, std::optional<int>,
                      const Core::Folder&, bool>(),
             py::arg("text"), py::arg("file"), py::arg("overrides"), py::arg("threads"), py::arg("folder"),
             py::arg("overwrite"), py::call_guard<py::gil_scoped_release>())
        .def_static(
            "load",
            [](const std::string& path, std::optional<int> threads, bool resume) {
                return std::make_unique<Core>(path, threads, resume);
            },
            py::arg("path"), py::arg("threads"), py::arg("resume"), py::call_guard<py::gil_scoped_release>())
        .def("set_note", &Core::set_note, py::arg("note"))
        .def("open_rows", &Core::open_rows)
        .def("close_rows", &Core::close_rows)
        .def("rows", [](const py::object& self) { return self.cast<Core&>().rows(self); })
        .def("velocities", [](const py::object& self) { return self.cast<Core&>().velocities(self); })
        .def("spins", [](const py::object& self) { return self.cast<Core&>().spins(self); })
        .def("forces",
             [](Core& core) { return array_of_vectors(core.look("force", [](Simulation& s) { return s.forces(); })); })
        .def(
            "torques",
            [](Core& core) { return array_of_vectors(core.look("torque", [](Simulation& s) { return s.torques(); })); })
        .def(
            "set_forces",
            [](Core& core, const py::buffer& by_id) {
                const std::vector<Vec3> all = vectors_of(Doubles(by_id));
                core.look("force", [&](Simulation& s) { s.set_forces(all); });
            },
            py::arg("by_id"))
        .def(
            "set_torques",
            [](Core& core, const py::buffer& by_id) {
                const std::vector<Vec3> all = vectors_of(Doubles(by_id));
                core.look("torque", [&](Simulation& s) { s.set_torques(all); });
            },
            py::arg("by_id"))
        .def("edited", [](Core& core) { return core.look("edited", [](Simulation& s) { return s.edited(); }); })
        .def("dimension",
             [](Core& core) { return core.look("dimension", [](Simulation& s) { return s.scene().dimension; }); })
        .def(
            "write_moment",
            [](Core& core, const std::string& folder) {
                core.look("show()", [&](Simulation& s) { write_moment(s, folder); });
            },
            py::arg("folder"))
        .def("save_here", &Core::save)
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
        .def("grains", [](Core& core) { return snapshot(core.grains()); })
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
