// Arrays of C++ as Python reads them: by the buffer protocol, which NumPy, memoryview and others understand. No header
// of NumPy is needed, so one build works with every version of it.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "scree/measure.h"
#include "scree/vec.h"

namespace scree::python {

namespace py = pybind11;

// Elements that lie `strides` bytes apart. `owner` is what keeps them in place: it lives as long as any array that
// looks at them, and may count how many do.
struct Memory {
    std::shared_ptr<void> owner;
    void* data = nullptr;
    const char* format = "d";  // of the module struct
    py::ssize_t item_size = 8;
    std::vector<py::ssize_t> shape, strides;
    bool read_only = true;
};

template <class T>
struct Format;
template <>
struct Format<double> {
    static constexpr const char* of = "d";
};
template <>
struct Format<std::uint8_t> {
    static constexpr const char* of = "B";
};
template <>
struct Format<std::uint16_t> {
    static constexpr const char* of = "H";
};
template <>
struct Format<std::uint32_t> {
    static constexpr const char* of = "I";
};
template <>
struct Format<std::int32_t> {
    static constexpr const char* of = "i";
};

// n rows of `width` numbers, or n numbers when the width is 0; rows are `stride` bytes apart.
template <class T>
Memory rows_of(std::shared_ptr<void> owner, const T* first, std::size_t n, std::size_t stride, int width = 0) {
    static T nothing[4] = {};
    Memory m{std::move(owner), const_cast<T*>(n > 0 ? first : nothing), Format<T>::of, sizeof(T), {}, {}, true};
    m.shape.push_back(static_cast<py::ssize_t>(n));
    m.strides.push_back(static_cast<py::ssize_t>(stride));
    if (width > 0) {
        m.shape.push_back(width);
        m.strides.push_back(sizeof(T));
    }
    return m;
}

// A vector of rows, taken over.
template <class T>
Memory array_of(std::vector<T> values, int width = 0) {
    const auto kept = std::make_shared<std::vector<T>>(std::move(values));
    const std::size_t wide = width > 0 ? static_cast<std::size_t>(width) : 1;
    return rows_of(kept, kept->data(), kept->size() / wide, wide * sizeof(T), width);
}

// One member of an array of records.
template <class Record, class T>
Memory member_of(const std::shared_ptr<std::vector<Record>>& records, T Record::*member) {
    const Record* first = records->data();
    return rows_of<T>(records, records->empty() ? nullptr : &(first->*member), records->size(), sizeof(Record));
}
template <class Record>
Memory member_of(const std::shared_ptr<std::vector<Record>>& records, Vec3 Record::*member) {
    const Record* first = records->data();
    return rows_of<double>(records, records->empty() ? nullptr : &(first->*member).x, records->size(), sizeof(Record),
                           3);
}

// (names, units, columns, number of the column that the table is about) of a table.
py::tuple table(const Table& from);

// What Python passes in: doubles without gaps, as numpy.ascontiguousarray(..., float) makes them. Throws TypeError for
// anything else.
struct Doubles {
    explicit Doubles(const py::buffer& from);
    const double* data() const { return static_cast<const double*>(info.ptr); }
    std::size_t size() const { return static_cast<std::size_t>(info.size); }
    std::size_t rows() const { return static_cast<std::size_t>(info.shape.at(0)); }
    py::buffer_info info;
};

// One user at a time: a thread that finds an object busy is told so, for waiting could last forever. The thread that is
// inside may come in again, as callbacks do. Used while the GIL is held.
class OneUser {
  public:
    class Entry {
      public:
        Entry(OneUser& of, const char* what);
        ~Entry();
        Entry(const Entry&) = delete;
        Entry& operator=(const Entry&) = delete;

      private:
        OneUser& of_;
    };

  private:
    unsigned long thread_ = 0;
    int depth_ = 0;
};

// Does work without the GIL while nobody else may use the object.
template <class Work>
auto alone(OneUser& user, const char* what, Work&& work) {
    const OneUser::Entry entry(user, what);
    const py::gil_scoped_release free;
    return work();
}

void add_simulation(py::module_& m);
void add_run(py::module_& m);
void add_geometry(py::module_& m);

}  // namespace scree::python
