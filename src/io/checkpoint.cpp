#include "io/checkpoint.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

#include "core/hash.h"
#include "io/checkpoint_hdf5.h"
#include "io/files.h"
#include "io/version.h"
#include "scree/error.h"
#include "world/identity.h"

namespace scree {
namespace {

constexpr int format_version = 1;
constexpr std::size_t preamble_size = 512;  // smallest that HDF5 allows before its own part
constexpr const char* preamble_title = "scree checkpoint";

// The number type a stored element consists of.
template <class T>
struct NumberOf {
    using type = T;
};
template <>
struct NumberOf<GrainRow> {
    using type = double;
};
template <>
struct NumberOf<SpinRow> {
    using type = double;
};
template <>
struct NumberOf<AccelerationRow> {
    using type = double;
};
template <>
struct NumberOf<Vec3> {
    using type = double;
};
template <>
struct NumberOf<Quaternion> {
    using type = double;
};
template <>
struct NumberOf<WallState> {
    using type = double;
};
template <>
struct NumberOf<EnergyAccount> {
    using type = double;
};
template <>
struct NumberOf<PourState> {
    using type = std::int64_t;
};
template <>
struct NumberOf<Images> {
    using type = std::int16_t;
};

template <class T>
void save(hid_t where, const char* name, const char* columns, const std::vector<T>& values) {
    using Number = typename NumberOf<T>::type;
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(Number) == 0);
    if (hdf5::column_count(columns) * sizeof(Number) != sizeof(T))
        throw std::logic_error(fmt::format("the columns of {} do not fill its elements", name));
    hdf5::write_table(where, name, columns, hdf5::memory_type<Number>(), values.size(), values.data());
}

template <class T>
void load(hid_t where, const char* name, const char* columns, std::vector<T>& values) {
    const hid_t type = hdf5::memory_type<typename NumberOf<T>::type>();
    values.resize(hdf5::table_rows(where, name, columns, type));
    hdf5::read_table(where, name, type, values.data());
}

constexpr const char* wall_columns = "displacement,speed,acceleration,fx,fy,fz,tx,ty,tz";
constexpr const char* energy_columns =
    "contact_work,sliding,damping_loss,wall_work,gravity_work,poured,removed,contact_power,damping_power,wall_power";
// Of older versions, which knew nothing of mechanisms.
constexpr const char* older_energy_columns =
    "contact_work,sliding,damping_loss,wall_work,gravity_work,poured,removed,contact_power,sliding_power,damping_power,"
    "wall_power";
constexpr const char* pour_columns = "poured,draws";

// Names of the memory's numbers; the law of the scene says what they mean.
std::string memory_columns(int width) {
    std::string columns;
    for (int k = 0; k < width; ++k) columns += fmt::format("{}m{}", k ? "," : "", k);
    return columns;
}

void save_memory(hid_t where, const char* name, int width, std::size_t rows, const std::vector<double>& memory) {
    if (memory.size() != rows * static_cast<std::size_t>(width))
        throw std::logic_error("a contact memory of another size than its contacts");
    if (width > 0)
        hdf5::write_table(where, name, memory_columns(width).c_str(), H5T_NATIVE_DOUBLE, rows, memory.data());
}

void load_memory(hid_t where, const char* name, int width, std::size_t rows, std::vector<double>& memory) {
    if (width == 0) return;
    if (hdf5::table_rows(where, name, memory_columns(width).c_str(), H5T_NATIVE_DOUBLE) != rows)
        throw Error(ErrorKind::file, fmt::format("its dataset \"{}\" does not have one row per contact", name));
    memory.resize(rows * static_cast<std::size_t>(width));
    hdf5::read_table(where, name, H5T_NATIVE_DOUBLE, memory.data());
}

void save_all(hid_t file, const World& world, const ContactMemory& contacts, const CheckpointNames& names,
              const OutputProgress& output, const std::string& scene) {
    // Does not compile when the world gets a member that is not saved here.
    const auto& [step, time_step, automatic_step, contact_time, grains, walls, pours, energy, outside, next_id, removed,
                 collision_cutoff, last_collision, max_overlap] = world;
    hdf5::write_attribute(file, "format", std::string(preamble_title));
    hdf5::write_attribute(file, "format_version", std::int64_t{format_version});
    hdf5::write_attribute(file, "scree_version", std::string(version()));
    hdf5::write_attribute(file, "step", step);
    hdf5::write_attribute(file, "time", world.time());
    hdf5::write_attribute(file, "time_step", time_step);
    hdf5::write_attribute(file, "automatic_step", automatic_step);
    if (contact_time > 0) hdf5::write_attribute(file, "contact_time", contact_time);
    hdf5::write_attribute(file, "next_id", std::int64_t{next_id});
    hdf5::write_attribute(file, "removed", removed);
    hdf5::write_attribute(file, "max_overlap", max_overlap);
    if (!last_collision.empty()) {
        const auto event_group = hdf5::create_group(file, "events");
        hdf5::write_attribute(event_group, "collision_cutoff", collision_cutoff);
        save(event_group, "last_collision", "time", last_collision);
    }
    if (outside.edits > 0) {
        const auto outside_group = hdf5::create_group(file, "outside");
        hdf5::write_attribute(outside_group, "work", outside.work);
        hdf5::write_attribute(outside_group, "power", outside.power);
        hdf5::write_attribute(outside_group, "edits", outside.edits);
    }
    hdf5::write_strings(file, "scene", {scene});

    const auto grain_group = hdf5::create_group(file, "grains");
    visit_fields(grains, [&](const char* name, const char* columns, const auto& values) {
        save(grain_group, name, columns, values);
    });
    save(file, "walls", wall_columns, walls);
    save(file, "pours", pour_columns, pours);
    save(file, "energy", energy_columns, std::vector<EnergyAccount>{energy});

    const auto contact_group = hdf5::create_group(file, "contacts");
    hdf5::write_attribute(contact_group, "width", std::int64_t{contacts.width});
    save(contact_group, "a", "id", contacts.a);
    save(contact_group, "b", "id", contacts.b);
    save_memory(contact_group, "memory", contacts.width, contacts.a.size(), contacts.memory);
    save(contact_group, "wall_grain", "id", contacts.wall_grain);
    save(contact_group, "wall", "wall", contacts.wall);
    save(contact_group, "feature", "feature", contacts.feature);
    save_memory(contact_group, "wall_memory", contacts.width, contacts.wall_grain.size(), contacts.wall_memory);
    if (grains.shaped()) {
        save(contact_group, "key", "key", contacts.key);
        save(contact_group, "wall_key", "key", contacts.wall_key);
    }

    const auto name_group = hdf5::create_group(file, "names");
    hdf5::write_strings(name_group, "materials", names.materials);
    hdf5::write_strings(name_group, "groups", names.groups);
    hdf5::write_strings(name_group, "walls", names.walls);

    const auto output_group = hdf5::create_group(file, "output");
    hdf5::write_attribute(output_group, "series_bytes", static_cast<std::int64_t>(output.series_bytes));
    save(output_group, "frame_steps", "step", output.frame_steps);
    if (!output.measure_bytes.empty()) {
        save(output_group, "measure_bytes", "bytes", output.measure_bytes);
        for (std::size_t k = 0; k < output.measure_memory.size(); ++k)
            save(output_group, fmt::format("measure_memory_{}", k).c_str(), "value", output.measure_memory[k]);
    }
}

EnergyAccount load_energy(hid_t file) {
    const bool older = hdf5::column_names(file, "energy") == older_energy_columns;
    std::vector<double> rows;
    const char* const columns = older ? older_energy_columns : energy_columns;
    const std::size_t count = hdf5::table_rows(file, "energy", columns, H5T_NATIVE_DOUBLE);
    if (count != 1) throw Error(ErrorKind::file, "it does not hold one energy account");
    rows.resize(hdf5::column_count(columns));
    hdf5::read_table(file, "energy", H5T_NATIVE_DOUBLE, rows.data());
    constexpr std::ptrdiff_t sliding_power = 8;
    if (older) rows.erase(rows.begin() + sliding_power);
    EnergyAccount account;
    static_assert(sizeof account == 10 * sizeof(double));
    std::memcpy(&account, rows.data(), sizeof account);
    return account;
}

Checkpoint load_all(hid_t file) {
    Checkpoint c;
    World& world = c.world;
    c.version = hdf5::read_string(file, "scree_version");
    world.step = hdf5::read_integer(file, "step");
    world.time_step = hdf5::read_double(file, "time_step");
    world.automatic_step = hdf5::read_double(file, "automatic_step");
    if (H5Aexists(file, "contact_time") > 0) world.contact_time = hdf5::read_double(file, "contact_time");
    const std::int64_t next_id = hdf5::read_integer(file, "next_id");
    if (!std::in_range<Index>(next_id)) throw Error(ErrorKind::file, "its next identity is none");
    world.next_id = static_cast<Index>(next_id);
    world.removed = hdf5::read_integer(file, "removed");
    world.max_overlap = hdf5::read_double(file, "max_overlap");
    const std::vector<std::string> scene = hdf5::read_strings(file, "scene");
    if (scene.size() != 1) throw Error(ErrorKind::file, "it does not hold one scene");
    c.scene = scene[0];

    if (H5Lexists(file, "events", H5P_DEFAULT) > 0) {
        const auto event_group = hdf5::open_group(file, "events");
        world.collision_cutoff = hdf5::read_double(event_group, "collision_cutoff");
        load(event_group, "last_collision", "time", world.last_collision);
    }
    if (hdf5::has(file, "outside")) {
        const auto outside_group = hdf5::open_group(file, "outside");
        world.outside = {hdf5::read_double(outside_group, "work"), hdf5::read_double(outside_group, "power"),
                         hdf5::read_integer(outside_group, "edits")};
    }
    const auto grain_group = hdf5::open_group(file, "grains");
    visit_fields(world.grains, [&](const char* name, const char* columns, auto& values) {
        load(grain_group, name, columns, values);
    });
    const bool shaped = H5Lexists(grain_group, "shape", H5P_DEFAULT) > 0;
    if (shaped)
        visit_shape_fields(world.grains, [&](const char* name, const char* columns, auto& values) {
            load(grain_group, name, columns, values);
        });
    if (hdf5::has(grain_group, "outer_force"))
        visit_outer_fields(world.grains, [&](const char* name, const char* columns, auto& values) {
            load(grain_group, name, columns, values);
        });
    load(file, "walls", wall_columns, world.walls);
    load(file, "pours", pour_columns, world.pours);
    world.energy = load_energy(file);

    const auto contact_group = hdf5::open_group(file, "contacts");
    const std::int64_t width = hdf5::read_integer(contact_group, "width");
    if (width < 0 || width > 64) throw Error(ErrorKind::file, "its contacts have a memory of no sensible width");
    c.contacts.width = static_cast<int>(width);
    load(contact_group, "a", "id", c.contacts.a);
    load(contact_group, "b", "id", c.contacts.b);
    load_memory(contact_group, "memory", c.contacts.width, c.contacts.a.size(), c.contacts.memory);
    load(contact_group, "wall_grain", "id", c.contacts.wall_grain);
    load(contact_group, "wall", "wall", c.contacts.wall);
    load(contact_group, "feature", "feature", c.contacts.feature);
    load_memory(contact_group, "wall_memory", c.contacts.width, c.contacts.wall_grain.size(), c.contacts.wall_memory);
    if (shaped) {
        load(contact_group, "key", "key", c.contacts.key);
        load(contact_group, "wall_key", "key", c.contacts.wall_key);
    }

    const auto name_group = hdf5::open_group(file, "names");
    c.names.materials = hdf5::read_strings(name_group, "materials");
    c.names.groups = hdf5::read_strings(name_group, "groups");
    c.names.walls = hdf5::read_strings(name_group, "walls");

    const auto output_group = hdf5::open_group(file, "output");
    c.output.series_bytes = static_cast<std::uint64_t>(hdf5::read_integer(output_group, "series_bytes"));
    load(output_group, "frame_steps", "step", c.output.frame_steps);
    if (hdf5::has(output_group, "measure_bytes")) {
        load(output_group, "measure_bytes", "bytes", c.output.measure_bytes);
        c.output.measure_memory.resize(c.output.measure_bytes.size());
        for (std::size_t k = 0; k < c.output.measure_memory.size(); ++k)
            load(output_group, fmt::format("measure_memory_{}", k).c_str(), "value", c.output.measure_memory[k]);
    }
    return c;
}

// Refuses a state whose parts do not belong together: every index must point at something.
void validate(const Checkpoint& c) {
    const auto require = [](bool holds, const char* what) {
        if (!holds) throw Error(ErrorKind::file, what);
    };
    const Grains& grains = c.world.grains;
    visit_fields(grains, [&](const char*, const char*, const auto& values) {
        require(values.size() == grains.size(), "its grain fields differ in length");
    });
    require(c.world.step >= 0 && c.world.time_step > 0, "its step or time step makes no sense");
    require(c.world.last_collision.empty() || c.world.last_collision.size() == grains.size(),
            "its times of collision and grains differ in number");
    require(c.world.walls.size() == c.names.walls.size(), "its walls and their names differ in number");
    const IdentityTable places(grains.id);
    for (std::size_t k = 0; k < grains.size(); ++k) {
        require(grains.id[k] < c.world.next_id && places.find(grains.id[k]) == k,
                "it has a grain with an impossible identity");
        require(grains.material[k] < c.names.materials.size(), "it has a grain of an unknown material");
        require(grains.group[k] < c.names.groups.size(), "it has a grain of an unknown group");
    }
    const auto exists = [&](Index id) { return places.find(id) != IdentityTable::none; };
    const ContactMemory& contacts = c.contacts;
    require(contacts.width >= 0 && contacts.a.size() == contacts.b.size() &&
                contacts.wall.size() == contacts.wall_grain.size() &&
                contacts.feature.size() == contacts.wall_grain.size(),
            "its contact lists differ in length");
    require(!grains.shaped() ||
                (contacts.key.size() == contacts.a.size() && contacts.wall_key.size() == contacts.wall.size()),
            "its contacts and their keys differ in number");
    for (std::size_t k = 0; k < contacts.a.size(); ++k)
        require(exists(contacts.a[k]) && exists(contacts.b[k]), "it has a contact of a grain that does not exist");
    for (std::size_t k = 0; k < contacts.wall.size(); ++k)
        require(exists(contacts.wall_grain[k]) && contacts.wall[k] >= 0 &&
                    static_cast<std::size_t>(contacts.wall[k]) < c.names.walls.size(),
                "it has a contact of a grain or wall that does not exist");
}

// Hash of everything behind the preamble, and the size of the file.
struct Contents {
    std::uint64_t size = 0;
    std::string hash;
};
Contents hash_contents(int descriptor, const std::filesystem::path& path) {
    Contents contents{preamble_size, {}};
    Hash hash;
    std::vector<std::uint64_t> words(1 << 17);
    for (bool more = true; more;) {
        // Fill the whole buffer before hashing, so that words do not depend on how the system cuts reads.
        std::size_t got = 0;
        const std::size_t room = words.size() * sizeof(std::uint64_t);
        while (got < room) {
            const ssize_t n = ::pread(descriptor, reinterpret_cast<char*>(words.data()) + got, room - got,
                                      static_cast<off_t>(contents.size + got));
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) throw_file_error("read", path, errno);
            if (n == 0) break;
            got += static_cast<std::size_t>(n);
        }
        more = got == room;
        std::memset(reinterpret_cast<char*>(words.data()) + got, 0, (8 - got % 8) % 8);
        for (std::size_t k = 0; k < (got + 7) / 8; ++k) hash.add(words[k]);
        contents.size += got;
    }
    hash.add(contents.size);
    contents.hash = hash.hex();
    return contents;
}

std::string preamble(const Contents& contents, int format) {
    std::string text =
        fmt::format("{}\nformat {}\nbytes {}\nhash {}\nThe rest is HDF5; tools for HDF5 open this file as it is.\n",
                    preamble_title, format, contents.size, contents.hash);
    text.resize(preamble_size, '\n');
    return text;
}

// Removes a temporary file unless it was renamed.
struct TemporaryFile {
    std::filesystem::path path;
    ~TemporaryFile() {
        if (!path.empty()) ::unlink(path.c_str());
    }
};

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const World& world, const ContactMemory& contacts,
                      const CheckpointNames& names, const OutputProgress& output, const std::string& scene) {
    const hdf5::Session session;
    TemporaryFile temporary{temporary_name(path)};
    FileHandle file = create_file(temporary.path, O_RDWR);
    hdf5::Sink sink(file.get());
    try {
        save_all(sink.create(preamble_size), world, contacts, names, output, scene);
    } catch (const Error& error) {
        if (sink.failure() == 0)
            throw Error(ErrorKind::file, fmt::format("cannot write {}: {}", path.string(), error.what()));
    }
    if (sink.failure() != 0) throw_file_error("write", path, sink.failure());
    seal_checkpoint(file.get(), path);
    if (::fsync(file.get()) != 0) throw_file_error("write", path, errno);
    file.close();
    if (::rename(temporary.path.c_str(), path.c_str()) != 0)
        throw_file_error("rename a temporary file to", path, errno);
    temporary.path.clear();
    sync_folder(path.parent_path());
}

void seal_checkpoint(int descriptor, const std::filesystem::path& path) {
    const std::string head = preamble(hash_contents(descriptor, path), format_version);
    if (const int error = write_at(descriptor, head.data(), head.size(), 0)) throw_file_error("write", path, error);
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
    const hdf5::Session session;
    int title_format = 0;
    {
        const FileHandle file(path, O_RDONLY | O_NONBLOCK, "open");
        if (std::error_code ignored; !std::filesystem::is_regular_file(path, ignored))
            throw Error(ErrorKind::bad_input, fmt::format("{} is not a checkpoint of scree", path.string()));
        char start[preamble_size + 1] = {};
        const ssize_t got = ::pread(file.get(), start, preamble_size, 0);
        if (got < 0) throw_file_error("read", path, errno);
        // Nothing, or nothing but zeros: what a machine that lost its power leaves of a file.
        if (std::all_of(start, start + preamble_size, [](char c) { return c == 0; }))
            throw Error(ErrorKind::file, fmt::format("{} is damaged: {}", path.string(),
                                                     got == 0 ? "it is empty" : "it begins with zeros"));
        if (std::strncmp(start, preamble_title, std::strlen(preamble_title)) != 0)
            throw Error(ErrorKind::bad_input, fmt::format("{} is not a checkpoint of scree", path.string()));
        std::sscanf(start + std::strlen(preamble_title), "\nformat %d\n", &title_format);
        // Whatever differs from what would be written for these contents is damage.
        if (static_cast<std::size_t>(got) < preamble_size ||
            std::string(start, preamble_size) != preamble(hash_contents(file.get(), path), title_format))
            throw Error(ErrorKind::file,
                        fmt::format("{} is damaged: its contents do not match its checksum", path.string()));
    }
    try {
        const hdf5::Handle file = hdf5::open_file(path);
        // The format stands in the contents too: a digit that has changed in the title alone is damage.
        const std::int64_t format = hdf5::read_integer(file, "format_version");
        if (format > format_version)
            throw NewerFormat(fmt::format("{} has the format {}; this scree ({}) reads up to {}: use a newer one",
                                          path.string(), format, version(), format_version));
        if (format != title_format) throw Error(ErrorKind::file, "its format is told in two ways");
        Checkpoint checkpoint = load_all(file);
        validate(checkpoint);
        return checkpoint;
    } catch (const NewerFormat&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw Error(ErrorKind::file, fmt::format("{} needs more memory than there is", path.string()));
    } catch (const Error& error) {
        throw Error(ErrorKind::file, fmt::format("{} is damaged: {}", path.string(), error.what()));
    }
}

}  // namespace scree
