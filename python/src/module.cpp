// The module _scree: what the package scree (../scree) is made of. It sees the public headers alone, gives away the GIL
// for whatever may take long, prints nothing and installs no handlers.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <stdexcept>

#include "memory.h"
#include "scree/error.h"
#include "scree/scene_file.h"
#include "scree/threads.h"
#include "scree/version.h"

namespace scree::python {

OneUser::Entry::Entry(OneUser& of, const char* what) : of_(of) {
    const unsigned long me = PyThread_get_thread_ident();
    if (of.depth_ > 0 && of.thread_ != me)
        throw std::runtime_error(std::string(what) +
                                 ": another thread is using this object; make a copy for each thread, or wait for it");
    of.thread_ = me;
    ++of.depth_;
}

OneUser::Entry::~Entry() { --of_.depth_; }

Doubles::Doubles(const py::buffer& from) : info(from.request()) {
    py::ssize_t stride = sizeof(double);
    for (py::ssize_t k = info.ndim; k-- > 0; stride *= info.shape[static_cast<std::size_t>(k)])
        if (info.shape[static_cast<std::size_t>(k)] > 1 && info.strides[static_cast<std::size_t>(k)] != stride)
            throw py::type_error("an array of doubles without gaps is needed");
    if (info.format != "d" || info.ndim == 0) throw py::type_error("an array of doubles is needed");
}

py::tuple table(const Table& from) {
    py::list names, units, columns;
    for (std::size_t k = 0; k < from.columns.size(); ++k) {
        names.append(from.columns[k].name);
        units.append(from.columns[k].unit);
        std::vector<double> column;
        for (const std::vector<double>& row : from.rows) column.push_back(row[k]);
        columns.append(array_of(std::move(column)));
    }
    return py::make_tuple(names, units, columns, 0);
}

namespace {

// The classes of scree/_errors.py, by the kind of error.
py::object* error_classes() {
    static auto* const classes = new py::object[6];  // never destroyed: Python may be gone by then
    return classes;
}

void set_errors(const py::list& classes) {
    for (std::size_t k = 0; k < 6 && k < classes.size(); ++k) error_classes()[k] = classes[k];
}

// The scene with every default, as TOML; throws what is wrong with it.
std::string complete(const std::string& text, const std::string& file, const std::vector<std::string>& overrides) {
    return write_scene(parse_scene(text, file, {.overrides = overrides, .check_files = true}));
}

}  // namespace

PYBIND11_MODULE(_scree, m) {
    m.doc() = "What the package scree is made of. Use that: this module may change at any time.";
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            if (thrown) std::rethrow_exception(thrown);
        } catch (const Error& error) {
            const py::object& kind = error_classes()[static_cast<int>(error.kind())];
            PyErr_SetString(kind ? kind.ptr() : PyExc_RuntimeError, error.what());
        }
    });
    py::class_<Memory>(m, "Memory", py::buffer_protocol()).def_buffer([](Memory& of) {
        return py::buffer_info(of.data, of.item_size, of.format, static_cast<py::ssize_t>(of.shape.size()), of.shape,
                               of.strides, of.read_only);
    });
    m.def("set_errors", &set_errors, py::arg("classes"));
    m.def("complete", &complete, py::arg("text"), py::arg("file"), py::arg("overrides"),
          py::call_guard<py::gil_scoped_release>());
    m.def("version", &version);
    m.def("thread_count", &thread_count);
    m.def("set_thread_count", &set_thread_count, py::arg("count"), py::call_guard<py::gil_scoped_release>());
    m.def("hardware_thread_count", &hardware_thread_count);
    m.def("measure_names", &measure_names);
    add_simulation(m);
    add_run(m);
    add_geometry(m);
    // Which interpreter it was made for; the package says so when another one fails to import it.
    m.attr("made_for") = PY_VERSION;
}

}  // namespace scree::python
