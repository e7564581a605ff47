#include "dream3d.h"

#include <fmt/format.h>

#include <bit>
#include <vector>

#include "io/checkpoint_hdf5.h"
#include "scree/error.h"

namespace scree::app {
namespace {

using hdf5::Handle;

struct Search {
    std::string name, found;
};

herr_t look(hid_t, const char* name, const H5O_info_t* info, void* data) {
    Search& search = *static_cast<Search*>(data);
    const std::string path = name;
    if (info->type == H5O_TYPE_DATASET && path.substr(path.rfind('/') + 1) == search.name) {
        search.found = path;
        return 1;
    }
    return 0;
}

// Three numbers of a dataset or of an attribute of a group; false if there is none.
bool read_three(hid_t file, const std::string& geometry, const char* dataset, const char* attribute, double (&out)[3]) {
    const std::string path = geometry + "/_SIMPL_GEOMETRY/" + dataset;
    if (H5Lexists(file, (geometry + "/_SIMPL_GEOMETRY").c_str(), H5P_DEFAULT) > 0 &&
        H5Lexists(file, path.c_str(), H5P_DEFAULT) > 0) {
        const Handle data(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose, path + " is no dataset");
        const Handle space(H5Dget_space(data), H5Sclose, path + " has no extent");
        return H5Sget_simple_extent_npoints(space) == 3 &&
               H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
    }
    if (H5Aexists_by_name(file, geometry.c_str(), attribute, H5P_DEFAULT) <= 0) return false;
    const Handle data(H5Aopen_by_name(file, geometry.c_str(), attribute, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                      "no attribute");
    const Handle space(H5Aget_space(data), H5Sclose, "no extent");
    return H5Sget_simple_extent_npoints(space) == 3 && H5Aread(data, H5T_NATIVE_DOUBLE, out) >= 0;
}

}  // namespace

micro::Image read_dream3d(const std::string& path, const std::string& array) {
    micro::map_file(path);  // says what is wrong when it cannot be read at all
    const hdf5::Session session;
    const auto refuse = [&](const std::string& message) { throw Error(ErrorKind::bad_input, path + ": " + message); };
    if (H5Fis_hdf5(path.c_str()) <= 0) refuse("this is no HDF5 file, as those of DREAM.3D are");
    const hid_t opened = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    if (opened < 0) refuse("the HDF5 file cannot be opened; it is damaged or cut off");
    const Handle file(opened, H5Fclose, path);
    Search search{"FeatureIds", array};
    if (array.empty() && (H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, look, &search) < 0 || search.found.empty()))
        refuse("there is no array FeatureIds; name that of the labels with --array");
    const Handle data(H5Dopen2(file, search.found.c_str(), H5P_DEFAULT), H5Dclose,
                      fmt::format("{}: there is no array {}", path, search.found));

    // The array lies in the attribute matrix of a geometry.
    std::string geometry = search.found;
    for (int up = 0; up < 2 && geometry.rfind('/') != std::string::npos; ++up) geometry.resize(geometry.rfind('/'));
    double size[3] = {}, spacing[3] = {1, 1, 1}, origin[3] = {};
    if (!read_three(file, geometry, "DIMENSIONS", "_DIMENSIONS", size))
        refuse(fmt::format("the image geometry of {} has no dimensions", search.found));
    read_three(file, geometry, "SPACING", "_SPACING", spacing);
    read_three(file, geometry, "ORIGIN", "_ORIGIN", origin);

    micro::Image image;
    image.name = path;
    std::size_t voxels = 1;
    for (int k = 0; k < 3; ++k) {
        if (!(size[k] >= 1) || size[k] > (1 << 20))
            refuse(fmt::format("the image is {} voxels long in {}", size[k], "xyz"[k]));
        image.size[static_cast<std::size_t>(k)] = static_cast<std::size_t>(size[k]);
        voxels *= image.size[static_cast<std::size_t>(k)];
        image.spacing[k] = spacing[k];
        image.origin[k] = origin[k];
    }
    if (image.size[2] == 1) image.dimension = 2;
    const Handle space(H5Dget_space(data), H5Sclose, path + ": the array has no extent");
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    if (count < 0 || static_cast<std::size_t>(count) != voxels)
        refuse(fmt::format("{} has {} numbers for {} voxels", search.found, count, voxels));
    const Handle type(H5Dget_type(data), H5Tclose, path + ": the array has no type");
    if (H5Tget_class(type) != H5T_INTEGER) refuse(fmt::format("{} does not hold whole numbers", search.found));
    std::string labels(voxels * sizeof(std::int64_t), '\0');
    if (H5Dread(data, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, labels.data()) < 0)
        refuse(fmt::format("{} cannot be read; the file is damaged or cut off", search.found));
    micro::place_data(image, micro::bytes_of(std::move(labels), path), 0, micro::Element::i64,
                      std::endian::native == std::endian::big);
    return image;
}

}  // namespace scree::app
