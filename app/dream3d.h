// Images of grains in the files of DREAM.3D (.dream3d), which are HDF5.
#pragma once

#include <string>

#include "microstructure/image.h"

namespace scree::app {

// `array`: the path of the array of labels; if empty, that of the first array named FeatureIds. Sizes, spacing and
// origin are those of the geometry of its data container. Throws Error(file) if the file cannot be read,
// Error(bad_input) if it holds no such image.
micro::Image read_dream3d(const std::string& path, const std::string& array = "");

}  // namespace scree::app
