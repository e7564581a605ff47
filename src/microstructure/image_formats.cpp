#include "image_formats.h"

#include <fmt/format.h>

#include <filesystem>

namespace scree::micro {

const char* image_endings() { return ".tesr, .vti, .nrrd, .nhdr, .mhd, .mha, .npy, .csv"; }

Image read_image(const std::string& path) { return parse_image(map_file(path)); }

Image parse_image(const Bytes& bytes) {
    std::string ending = std::filesystem::path(bytes.name).extension().string();
    for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    if (ending == ".tesr") return parse_tesr(bytes);
    if (ending == ".vti") return parse_vti(bytes);
    if (ending == ".nrrd" || ending == ".nhdr") return parse_nrrd(bytes);
    if (ending == ".mhd" || ending == ".mha") return parse_mhd(bytes);
    if (ending == ".npy") return parse_npy(bytes);
    if (ending == ".csv" || ending == ".txt") return parse_label_csv(bytes);
    throw Error(ErrorKind::usage,
                fmt::format("{}: images are read from files that end in {} or .dream3d", bytes.name, image_endings()));
}

}  // namespace scree::micro
