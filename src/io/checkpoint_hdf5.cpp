#include "io/checkpoint_hdf5.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "io/files.h"
#include "scree/error.h"

namespace scree::hdf5 {
namespace {

[[noreturn]] void fail(const std::string& what) { throw Error(ErrorKind::file, what); }

void check(herr_t status, const std::string& what) {
    if (status < 0) fail(what);
}

// The type as kept in the file: little-endian whatever the machine.
hid_t file_type(hid_t memory) {
    if (memory == H5T_NATIVE_DOUBLE) return H5T_IEEE_F64LE;
    if (memory == H5T_NATIVE_UINT8) return H5T_STD_U8LE;
    if (memory == H5T_NATIVE_UINT16) return H5T_STD_U16LE;
    if (memory == H5T_NATIVE_INT16) return H5T_STD_I16LE;
    if (memory == H5T_NATIVE_INT32) return H5T_STD_I32LE;
    if (memory == H5T_NATIVE_UINT32) return H5T_STD_U32LE;
    if (memory == H5T_NATIVE_INT64) return H5T_STD_I64LE;
    return H5T_STD_U64LE;
}

Handle open_dataset(hid_t where, const char* name) {
    return Handle(H5Dopen2(where, name, H5P_DEFAULT), H5Dclose, fmt::format("it has no dataset \"{}\"", name));
}

// Creation properties without time stamps: equal states give equal bytes.
Handle without_times(hid_t list_class) {
    Handle properties(H5Pcreate(list_class), H5Pclose, "HDF5 has no property lists left");
    check(H5Pset_obj_track_times(properties, false), "HDF5 refuses to leave out time stamps");
    return properties;
}

// An extent costs nothing to write; memory is asked for only what is in the file.
void require_stored(hid_t dataset, hsize_t count, std::size_t width, const char* name) {
    constexpr hsize_t most = hsize_t(1) << 40;
    if (count > most || count * width != H5Dget_storage_size(dataset))
        fail(fmt::format("its dataset \"{}\" is not as long as it claims to be", name));
}

Handle string_type(std::size_t length) {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "HDF5 cannot copy a type");
    check(H5Tset_size(type, std::max<std::size_t>(length, 1)), "HDF5 refuses a string's length");
    check(H5Tset_strpad(type, H5T_STR_NULLPAD), "HDF5 refuses a string's padding");
    check(H5Tset_cset(type, H5T_CSET_UTF8), "HDF5 refuses UTF-8");
    return type;
}

}  // namespace

// Follows HDF5's own POSIX driver, but for failures. The library works through this table of functions.
struct SinkDriver {
    struct File {
        H5FD_t base;
        Sink* sink;
        haddr_t end_allocated, end_written;
    };
    static File* of(H5FD_t* file) { return reinterpret_cast<File*>(file); }
    static const File* of(const H5FD_t* file) { return reinterpret_cast<const File*>(file); }

    static H5FD_t* open(const char*, unsigned, hid_t access, haddr_t) {
        File* file = static_cast<File*>(std::calloc(1, sizeof(File)));
        if (file != nullptr) file->sink = *static_cast<Sink* const*>(H5Pget_driver_info(access));
        return reinterpret_cast<H5FD_t*>(file);
    }
    static herr_t close(H5FD_t* file) {
        std::free(file);
        return 0;
    }
    static herr_t query(const H5FD_t*, unsigned long* flags) {
        *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
                 H5FD_FEAT_AGGREGATE_SMALLDATA;
        return 0;
    }
    static haddr_t get_eoa(const H5FD_t* file, H5FD_mem_t) { return of(file)->end_allocated; }
    static herr_t set_eoa(H5FD_t* file, H5FD_mem_t, haddr_t address) {
        of(file)->end_allocated = address;
        return 0;
    }
    static haddr_t get_eof(const H5FD_t* file, H5FD_mem_t) { return of(file)->end_written; }
    static herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) {
        std::memset(buffer, 0, size);
        std::size_t done = 0;
        while (done < size) {
            const ssize_t got = ::pread(of(file)->sink->descriptor_, static_cast<char*>(buffer) + done, size - done,
                                        static_cast<off_t>(address + done));
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) break;
            done += static_cast<std::size_t>(got);
        }
        return 0;
    }
    static herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, const void* buffer) {
        Sink& sink = *of(file)->sink;
        if (sink.failure_ == 0) sink.failure_ = write_at(sink.descriptor_, buffer, size, address);
        of(file)->end_written = std::max(of(file)->end_written, address + size);
        return 0;
    }
    static herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
        Sink& sink = *of(file)->sink;
        of(file)->end_written = of(file)->end_allocated;
        sink.size_ = of(file)->end_allocated;
        if (sink.failure_ == 0 && ::ftruncate(sink.descriptor_, static_cast<off_t>(sink.size_)) != 0)
            sink.failure_ = errno;
        return 0;
    }
    static hid_t id() {
        static const hid_t registered = [] {
            static H5FD_class_t driver{};
            driver.name = "scree_sink";
            driver.maxaddr = (haddr_t{1} << 62) - 1;
            driver.fc_degree = H5F_CLOSE_STRONG;
            driver.fapl_size = sizeof(Sink*);
            driver.open = open;
            driver.close = close;
            driver.query = query;
            driver.get_eoa = get_eoa;
            driver.set_eoa = set_eoa;
            driver.get_eof = get_eof;
            driver.read = read;
            driver.write = write;
            driver.truncate = truncate;
            const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
            std::copy(std::begin(map), std::end(map), driver.fl_map);
            return H5FDregister(&driver);
        }();
        return registered;
    }
};

Handle::Handle(hid_t id, herr_t (*close)(hid_t), const std::string& what) : id_(id), close_(close) {
    if (id < 0) fail(what);
}

namespace {
std::mutex in_use;
}

Session::Session() : alone_(in_use) {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}
Session::~Session() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

Handle Sink::create(hsize_t user_block) {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "HDF5 has no property lists left");
    Sink* self = this;
    check(H5Pset_driver(access, SinkDriver::id(), &self), "HDF5 refuses the driver");
    const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "HDF5 has no property lists left");
    check(H5Pset_userblock(creation, user_block), "HDF5 refuses the user block");
    return Handle(H5Fcreate("checkpoint", H5F_ACC_TRUNC, creation, access), H5Fclose, "HDF5 cannot create a file");
}

Handle open_file(const std::filesystem::path& path) {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "HDF5 has no property lists left");
    check(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), "HDF5 refuses to close strongly");
    return Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose, "HDF5 cannot open it");
}

Handle create_group(hid_t where, const char* name) {
    const Handle properties = without_times(H5P_GROUP_CREATE);
    return Handle(H5Gcreate2(where, name, H5P_DEFAULT, properties, H5P_DEFAULT), H5Gclose,
                  fmt::format("HDF5 cannot make the group {}", name));
}

bool has(hid_t where, const char* name) { return H5Lexists(where, name, H5P_DEFAULT) > 0; }

Handle open_group(hid_t where, const char* name) {
    return Handle(H5Gopen2(where, name, H5P_DEFAULT), H5Gclose, fmt::format("it has no group \"{}\"", name));
}

std::size_t column_count(const char* columns) {
    return *columns == 0 ? 0 : 1 + static_cast<std::size_t>(std::count(columns, columns + std::strlen(columns), ','));
}

void write_table(hid_t where, const char* name, const char* columns, hid_t type, std::size_t rows, const void* data) {
    const hsize_t extent[2] = {rows, column_count(columns)};
    const Handle space(H5Screate_simple(extent[1] == 1 ? 1 : 2, extent, nullptr), H5Sclose,
                       "HDF5 cannot make a data space");
    const Handle properties = without_times(H5P_DATASET_CREATE);
    const Handle dataset(H5Dcreate2(where, name, file_type(type), space, H5P_DEFAULT, properties, H5P_DEFAULT),
                         H5Dclose, fmt::format("HDF5 cannot make the dataset {}", name));
    if (rows * extent[1] > 0)
        check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data),
              fmt::format("HDF5 cannot write the dataset {}", name));
    write_attribute(dataset, "columns", std::string(columns));
}

std::string column_names(hid_t where, const char* name) { return read_string(open_dataset(where, name), "columns"); }

std::size_t table_rows(hid_t where, const char* name, const char* columns, hid_t type) {
    const Handle dataset = open_dataset(where, name);
    const Handle space(H5Dget_space(dataset), H5Sclose, "HDF5 cannot read an extent");
    const Handle stored(H5Dget_type(dataset), H5Tclose, "HDF5 cannot read a type");
    if (H5Tequal(stored, file_type(type)) <= 0)
        fail(fmt::format("its dataset \"{}\" has another type of number than expected", name));
    const std::size_t width = column_count(columns);
    const int rank = width == 1 ? 1 : 2;
    hsize_t extent[2] = {0, 1};
    if (H5Sget_simple_extent_ndims(space) != rank || H5Sget_simple_extent_dims(space, extent, nullptr) != rank ||
        extent[1] != width || read_string(dataset, "columns") != columns)
        fail(fmt::format("its dataset \"{}\" does not have the columns {}", name, columns));
    require_stored(dataset, extent[0] * width, H5Tget_size(type), name);
    return extent[0];
}

void read_table(hid_t where, const char* name, hid_t type, void* data) {
    const Handle dataset = open_dataset(where, name);
    if (data == nullptr) return;  // of an empty vector
    check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data),
          fmt::format("its dataset \"{}\" cannot be read", name));
}

void write_strings(hid_t where, const char* name, const std::vector<std::string>& values) {
    std::size_t length = 1;
    for (const std::string& value : values) length = std::max(length, value.size());
    std::string padded(length * values.size(), '\0');
    for (std::size_t k = 0; k < values.size(); ++k) values[k].copy(padded.data() + k * length, length);
    const hsize_t extent = values.size();
    const Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose, "HDF5 cannot make a data space");
    const Handle type = string_type(length);
    const Handle properties = without_times(H5P_DATASET_CREATE);
    const Handle dataset(H5Dcreate2(where, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose,
                         fmt::format("HDF5 cannot make the dataset {}", name));
    if (extent > 0)
        check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()),
              fmt::format("HDF5 cannot write the dataset {}", name));
}

std::vector<std::string> read_strings(hid_t where, const char* name) {
    const Handle dataset = open_dataset(where, name);
    const Handle space(H5Dget_space(dataset), H5Sclose, "HDF5 cannot read an extent");
    const Handle stored(H5Dget_type(dataset), H5Tclose, "HDF5 cannot read a type");
    if (H5Tget_class(stored) != H5T_STRING || H5Tis_variable_str(stored) != 0 || H5Sget_simple_extent_ndims(space) != 1)
        fail(fmt::format("its dataset \"{}\" is not a list of strings", name));
    const std::size_t length = H5Tget_size(stored),
                      count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
    require_stored(dataset, count, length, name);
    std::string padded(length * count, '\0');
    if (count > 0)
        check(H5Dread(dataset, stored, H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()),
              fmt::format("its dataset \"{}\" cannot be read", name));
    std::vector<std::string> values;
    for (std::size_t k = 0; k < count; ++k) {
        const std::string whole = padded.substr(k * length, length);
        values.push_back(whole.substr(0, whole.find_last_not_of('\0') + 1));
    }
    return values;
}

namespace {

void write_scalar(hid_t where, const char* name, hid_t stored, hid_t type, const void* value) {
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "HDF5 cannot make a data space");
    const Handle attribute(H5Acreate2(where, name, stored, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                           fmt::format("HDF5 cannot make the attribute {}", name));
    check(H5Awrite(attribute, type, value), fmt::format("HDF5 cannot write the attribute {}", name));
}

// Opens an attribute of one value of the given class.
Handle open_attribute(hid_t where, const char* name, H5T_class_t expected) {
    Handle attribute(H5Aopen(where, name, H5P_DEFAULT), H5Aclose, fmt::format("it has no attribute \"{}\"", name));
    const Handle space(H5Aget_space(attribute), H5Sclose, "HDF5 cannot read an extent");
    const Handle type(H5Aget_type(attribute), H5Tclose, "HDF5 cannot read a type");
    if (H5Tget_class(type) != expected || H5Sget_simple_extent_npoints(space) != 1)
        fail(fmt::format("its attribute \"{}\" has another type than expected", name));
    return attribute;
}

}  // namespace

void write_attribute(hid_t where, const char* name, double value) {
    write_scalar(where, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}
void write_attribute(hid_t where, const char* name, std::int64_t value) {
    write_scalar(where, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}
void write_attribute(hid_t where, const char* name, const std::string& value) {
    const Handle type = string_type(value.size());
    write_scalar(where, name, type, type, value.empty() ? "" : value.data());
}

double read_double(hid_t where, const char* name) {
    double value = 0;
    check(H5Aread(open_attribute(where, name, H5T_FLOAT), H5T_NATIVE_DOUBLE, &value),
          fmt::format("its attribute \"{}\" cannot be read", name));
    return value;
}

std::int64_t read_integer(hid_t where, const char* name) {
    std::int64_t value = 0;
    check(H5Aread(open_attribute(where, name, H5T_INTEGER), H5T_NATIVE_INT64, &value),
          fmt::format("its attribute \"{}\" cannot be read", name));
    return value;
}

std::string read_string(hid_t where, const char* name) {
    const Handle attribute = open_attribute(where, name, H5T_STRING);
    const Handle type(H5Aget_type(attribute), H5Tclose, "HDF5 cannot read a type");
    if (H5Tis_variable_str(type) != 0) fail(fmt::format("its attribute \"{}\" has another type than expected", name));
    if (H5Tget_size(type) > H5Aget_storage_size(attribute))
        fail(fmt::format("its attribute \"{}\" is longer than what is stored", name));
    std::string value(H5Tget_size(type), '\0');
    check(H5Aread(attribute, type, value.data()), fmt::format("its attribute \"{}\" cannot be read", name));
    return value.substr(0, value.find_last_not_of('\0') + 1);
}

}  // namespace scree::hdf5
