// The little of HDF5 that checkpoints need: handles that close themselves, datasets with named columns, attributes, and
// a file driver that survives a full disk.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace scree::hdf5 {

// Owns an HDF5 identifier; throws Error(file) with `what` when it is not a valid one.
class Handle {
  public:
    Handle(hid_t id, herr_t (*close)(hid_t), const std::string& what);
    Handle(Handle&& other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
    Handle& operator=(Handle&&) = delete;
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    operator hid_t() const { return id_; }  // NOLINT: to be passed to HDF5's functions

  private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

// While it lives, this thread alone uses HDF5, which is not made for several; and HDF5 prints no errors of its own: our
// messages go to the user instead.
class Session {
  public:
    Session();
    ~Session();

  private:
    std::lock_guard<std::mutex> alone_;
    H5E_auto2_t function_ = nullptr;
    void* data_ = nullptr;
};

// A new file with `user_block` free bytes at its start, written to an open descriptor. When the disk is full, HDF5
// cannot even close a file; so the driver notes the first failure, pretends to succeed, and failure() tells it after.
class Sink {
  public:
    explicit Sink(int descriptor) : descriptor_(descriptor) {}
    Handle create(hsize_t user_block);
    int failure() const { return failure_; }      // error number of the first failed write, or 0
    std::uint64_t size() const { return size_; }  // bytes of the file, known after it was closed

  private:
    friend struct SinkDriver;
    int descriptor_;
    int failure_ = 0;
    std::uint64_t size_ = 0;
};

Handle open_file(const std::filesystem::path& path);
Handle create_group(hid_t where, const char* name);
Handle open_group(hid_t where, const char* name);
bool has(hid_t where, const char* name);

template <class T>
hid_t memory_type();
template <>
inline hid_t memory_type<double>() {
    return H5T_NATIVE_DOUBLE;
}
template <>
inline hid_t memory_type<std::uint8_t>() {
    return H5T_NATIVE_UINT8;
}
template <>
inline hid_t memory_type<std::uint16_t>() {
    return H5T_NATIVE_UINT16;
}
template <>
inline hid_t memory_type<std::int16_t>() {
    return H5T_NATIVE_INT16;
}
template <>
inline hid_t memory_type<std::int32_t>() {
    return H5T_NATIVE_INT32;
}
template <>
inline hid_t memory_type<std::uint32_t>() {
    return H5T_NATIVE_UINT32;
}
template <>
inline hid_t memory_type<std::int64_t>() {
    return H5T_NATIVE_INT64;
}
template <>
inline hid_t memory_type<std::uint64_t>() {
    return H5T_NATIVE_UINT64;
}

// A table of `rows` rows; `columns` names its columns, separated by commas. One column makes a list.
void write_table(hid_t where, const char* name, const char* columns, hid_t type, std::size_t rows, const void* data);
// Number of rows; throws Error(bad_input) unless the table has this type and these columns.
std::string column_names(hid_t where, const char* name);  // of a table
std::size_t table_rows(hid_t where, const char* name, const char* columns, hid_t type);
void read_table(hid_t where, const char* name, hid_t type, void* data);
std::size_t column_count(const char* columns);

void write_strings(hid_t where, const char* name, const std::vector<std::string>& values);
std::vector<std::string> read_strings(hid_t where, const char* name);

void write_attribute(hid_t where, const char* name, double value);
void write_attribute(hid_t where, const char* name, std::int64_t value);
void write_attribute(hid_t where, const char* name, const std::string& value);
double read_double(hid_t where, const char* name);
std::int64_t read_integer(hid_t where, const char* name);
std::string read_string(hid_t where, const char* name);

}  // namespace scree::hdf5
