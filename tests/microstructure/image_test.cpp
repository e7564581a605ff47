// Images: every format says the same about one image, and every malformed file is answered, not obeyed.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/random.h"
#include "microstructure/image.h"
#include "scree/error.h"

namespace scree::micro {
namespace {

Image sample(int dimension) {
    const std::array<std::size_t, 3> size = {5, 4, dimension == 3 ? std::size_t{3} : 1};
    std::vector<Label> labels;
    for (std::size_t k = 0; k < size[0] * size[1] * size[2]; ++k) labels.push_back(static_cast<Label>(k * k % 7));
    return make_image(dimension, size, {0.5, 0.25, dimension == 3 ? 2.0 : 1.0}, {-1, 3, dimension == 3 ? 10.0 : 0.0},
                      labels);
}

std::string written(const Image& image, const std::string& name) {
    std::string text;
    write_image(image, name, [&](std::string_view part) { text += part; });
    return text;
}

void expect_same(const Image& a, const Image& b, const std::string& what) {
    EXPECT_EQ(a.dimension, b.dimension) << what;
    EXPECT_EQ(a.size, b.size) << what;
    EXPECT_EQ(all_labels(a), all_labels(b)) << what;
    for (int k = 0; k < a.dimension; ++k) {
        EXPECT_NEAR(a.spacing[k], b.spacing[k], 1e-12) << what;
        EXPECT_NEAR(a.origin[k], b.origin[k], 1e-12) << what;
    }
}

std::string complaint(const std::string& text, const std::string& name) {
    try {
        all_labels(parse_image(bytes_of(text, name)));
    } catch (const Error& error) {
        EXPECT_NE(error.kind(), ErrorKind::run_time) << error.what();
        return error.what();
    }
    return "";
}

TEST(image, comes_back_from_every_format) {
    for (const int dimension : {2, 3})
        for (const char* ending : {".tesr", ".vti", ".nrrd", ".mha", ".npy", ".csv"}) {
            const Image image = sample(dimension);
            const Image read =
                parse_image(bytes_of(written(image, std::string("f") + ending), std::string("f") + ending));
            Image expected = image;
            if (std::string(ending) == ".npy") {  // it has neither spacing nor origin
                expected.spacing = {1, 1, 1};
                expected.origin = {};
            }
            expect_same(read, expected, fmt::format("{} in {} dimensions", ending, dimension));
        }
}

TEST(image, neper_says_where_the_encoding_stands_by_its_version) {
    // By the manual: 2.0 has it beside the version, 2.1 in the section of the data.
    const std::string head =
        " **general\n   2\n   3 2\n   0.5 0.25\n  *hasvoid 1\n **cell\n   2\n  *id\n   1 2\n **data\n";
    for (const std::string& text :
         {"***tesr\n **format\n   2.0 ascii\n" + head + "1 1 2\n0 2 2\n***end\n",
          "***tesr\n **format\n   2.1\n" + head + "   ascii\n1 1 2\n0 2 2\n***end\n",
          "***tesr\n **format\n   2.1\n" + head + "   binary8\n" + std::string("\1\1\2\0\2\2", 6) + "\n***end\n",
          "***tesr\n **format\n   2.1\n" + head + "   binary16_big\n" + std::string("\0\1\0\1\0\2\0\0\0\2\0\2", 12) +
              "\n***end\n"}) {
        const Image image = parse_image(bytes_of(text, "f.tesr"));
        EXPECT_EQ(image.dimension, 2);
        EXPECT_EQ(all_labels(image), (std::vector<Label>{1, 1, 2, 0, 2, 2}));
        EXPECT_EQ(image.spacing.y, 0.25);
    }
}

TEST(image, arrays_in_fortran_order_mean_the_same) {
    const auto array = [](const char* order, const std::string& data) {
        std::string header = fmt::format("{{'descr': '|u1', 'fortran_order': {}, 'shape': (2, 3), }}", order);
        header.resize(118, ' ');
        return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + data;
    };
    EXPECT_EQ(all_labels(parse_image(bytes_of(array("False", "\1\2\3\4\5\6"), "f.npy"))),
              (std::vector<Label>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(all_labels(parse_image(bytes_of(array("True", "\1\4\2\5\3\6"), "f.npy"))),
              (std::vector<Label>{1, 2, 3, 4, 5, 6}));
}

TEST(image, packed_data_are_unpacked) {
    const std::string raw = "\1\2\3\4\5\6";
    const auto packed = [&] {
        uLongf size = 100;
        std::string out(size, '\0');
        compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(raw.data()), raw.size());
        out.resize(size);
        return out;
    }();
    const std::string nrrd = "NRRD0004\ntype: uint8\ndimension: 2\nsizes: 3 2\nencoding: gzip\n\n" + packed;
    EXPECT_EQ(all_labels(parse_image(bytes_of(nrrd, "f.nrrd"))), (std::vector<Label>{1, 2, 3, 4, 5, 6}));
    EXPECT_NE(complaint(nrrd.substr(0, nrrd.size() - 8), "f.nrrd").find("early"), std::string::npos);
    const std::string mha =
        "NDims = 2\nDimSize = 3 2\nElementType = MET_UCHAR\nCompressedData = True\nElementDataFile = LOCAL\n" + packed;
    EXPECT_EQ(all_labels(parse_image(bytes_of(mha, "f.mha"))), (std::vector<Label>{1, 2, 3, 4, 5, 6}));
}

TEST(image, vtk_itself_writes_what_is_read) {
    const std::string folder = testing::TempDir() + fmt::format("/vti{}", getpid());
    std::filesystem::create_directories(folder);
    const std::string script = folder + "/write.py";
    std::ofstream(script)
        << "import sys\nimport vtk\nfrom vtk.util.numpy_support import numpy_to_vtk\nimport numpy\n"
           "image = vtk.vtkImageData()\nimage.SetDimensions(6, 5, 4)\nimage.SetSpacing(0.5, 0.25, "
           "2)\nimage.SetOrigin(-1, 3, 10)\n"
           "k = numpy.arange(60, dtype=numpy.int32)\n"
           "a = numpy_to_vtk(k * k % 7, deep=1)\na.SetName('label')\nimage.GetCellData().SetScalars(a)\n"
           "b = numpy_to_vtk(numpy.zeros(60), deep=1)\nb.SetName('other')\nimage.GetCellData().AddArray(b)\n"
           "for mode in ('Ascii', 'Binary', 'Appended'):\n"
           "    for pack in (0, 1):\n"
           "        for code in (0, 1):\n"
           "            w = vtk.vtkXMLImageDataWriter()\n            "
           "w.SetFileName(f'{sys.argv[1]}/{mode}{pack}{code}.vti')\n"
           "            w.SetInputData(image)\n            getattr(w, 'SetDataModeTo' + mode)()\n"
           "            w.SetCompressorTypeToZLib() if pack else w.SetCompressorTypeToNone()\n"
           "            w.SetEncodeAppendedData(code)\n            w.SetHeaderTypeToUInt64() if code else "
           "w.SetHeaderTypeToUInt32()\n            w.Write()\n";
    ASSERT_EQ(std::system(fmt::format("'{}' '{}' '{}'", SCREE_PYTHON, script, folder).c_str()), 0);
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".vti") {
            ++files;
            expect_same(read_image(entry.path().string()), sample(3), entry.path().filename().string());
        }
    EXPECT_EQ(files, 12);
    std::filesystem::remove_all(folder);
}

TEST(image, csv_of_points_must_be_a_raster) {
    const Image image = parse_image(bytes_of("X,Y,grainId\n0,0,1\n0.1,0,1\n0.2,0,2\n0,0.2,3\n0.2,0.2,4\n", "f.csv"));
    EXPECT_EQ(image.size, (std::array<std::size_t, 3>{3, 2, 1}));
    EXPECT_EQ(all_labels(image), (std::vector<Label>{1, 1, 2, 3, 0, 4}));  // the missing point is void
    EXPECT_NE(
        complaint("x,y,label\n0,0,1\n1,0,1\n0.5,1,2\n1.7,1,2\n", "f.csv").find("f.csv:3: x = 1 is not on the raster"),
        std::string::npos);
    EXPECT_NE(complaint("x,y,label\n0,0,1\n1,0,1\n1,0,2\n", "f.csv").find("f.csv:4"), std::string::npos);
    EXPECT_NE(complaint("x,y,label\n0,0,1.5\n", "f.csv").find("no label"), std::string::npos);
}

TEST(image, messages_say_what_and_where) {
    EXPECT_NE(complaint("***tesr\n **format\n 2.1\n **general\n 3\n 2 x 2\n", "f.tesr").find("f.tesr:6: \"x\""),
              std::string::npos);
    EXPECT_NE(complaint("***tesr\n **format\n 2.1\n **general\n 2\n 2 2\n 1 1\n **data\n ascii\n 1 2 3", "f.tesr")
                  .find("the file ends where a label"),
              std::string::npos);
    EXPECT_NE(complaint("***tesr\n **format\n 2.1\n **general\n 2\n 2 2\n 1 -1\n **data\n ascii\n 1 2 3 4", "f.tesr")
                  .find("positive"),
              std::string::npos);
    EXPECT_NE(
        complaint("NRRD0004\ntype: int32\ndimension: 2\nsizes: 3 2\nendian: little\nencoding: raw\n\n1234", "f.nrrd")
            .find("take 24 bytes, but there are 4"),
        std::string::npos);
    EXPECT_NE(
        complaint("NRRD0004\ntype: float\ndimension: 2\nsizes: 1 1\nendian: little\nencoding: raw\n\n\x00\x00\x00\x3f",
                  "f.nrrd"),
        "");
    EXPECT_NE(complaint("", "f.npy").find("93 NUMPY"), std::string::npos);
    EXPECT_NE(complaint("x", "f.png").find(".vti"), std::string::npos);
    EXPECT_NE(complaint("<VTKFile type=\"PolyData\"/>", "f.vti").find("no image"), std::string::npos);
}

// Bytes of good files are changed, taken out and doubled; a reader answers with an image or an Error of the user's
// kind.
TEST(image, readers_survive_any_damage) {
    constexpr int rounds = 4000;
    for (const char* ending : {".tesr", ".vti", ".nrrd", ".mha", ".npy", ".csv"}) {
        const std::string name = std::string("f") + ending;
        const std::string good = written(sample(3), name);
        int refused = 0;
        for (int round = 0; round < rounds; ++round) {
            Random random(20261118, static_cast<std::uint64_t>(round));
            std::string bad = good;
            const auto changes = 1 + random.below(4);
            for (std::uint64_t k = 0; k < changes && !bad.empty(); ++k) {
                const auto at = static_cast<std::size_t>(random.below(bad.size()));
                const auto length = static_cast<std::size_t>(random.below(12));
                switch (random.below(5)) {
                    case 0:
                        bad[at] = static_cast<char>(random.below(256));
                        break;
                    case 1:
                        bad.erase(at, length);
                        break;
                    case 2:
                        bad.insert(at, bad.substr(static_cast<std::size_t>(random.below(bad.size())), length));
                        break;
                    case 3:
                        bad.resize(at);
                        break;
                    default:
                        bad.insert(at, std::to_string(random.bits()));
                }
            }
            SCOPED_TRACE(fmt::format("{} round {}", ending, round));
            refused += !complaint(bad, name).empty();
        }
        EXPECT_GT(refused, rounds / 10) << ending;
    }
}

}  // namespace
}  // namespace scree::micro
