#include <gtest/gtest.h>

#include <zlib.h>
#include <array>
#include <cstdio>
#include <sstream>

#include <cmath>
#include <string>

#include "plot/canvas.h"
#include "plot/chart.h"
#include "plot/units.h"
#include "scree/error.h"

namespace scree::plot {
namespace {

TEST(ticks, are_round_lie_inside_and_are_about_as_many_as_wanted) {
    for (const auto& [low, high] :
         {std::pair{0.0, 1.0}, {-3.7, 12.9}, {1e-9, 2.3e-9}, {99.95, 100.05}, {-1e12, 1e12}}) {
        const std::vector<Tick> found = ticks(low, high, 5, false);
        ASSERT_GE(found.size(), 2u);
        ASSERT_LE(found.size(), 11u);
        const double step = found[1].value - found[0].value,
                     digit = step / std::pow(10.0, std::floor(std::log10(step) + 1e-6));
        EXPECT_TRUE(std::abs(digit - 1) < 1e-3 || std::abs(digit - 2) < 1e-3 || std::abs(digit - 5) < 1e-3) << step;
        for (const Tick& tick : found) {
            EXPECT_GE(tick.value, low - 1e-6 * (high - low));
            EXPECT_LE(tick.value, high + 1e-6 * (high - low));
            EXPECT_NEAR(std::stod(tick.label), tick.value, 1e-6 * step);  // the label says where the tick is
        }
    }
}

TEST(ticks, of_logarithmic_axes_are_decades_with_minor_ones_between) {
    const std::vector<Tick> found = ticks(0.5, 200, 6, true);
    std::vector<double> minor;
    std::string named;
    for (const Tick& tick : found) {
        if (tick.label.empty())
            minor.push_back(tick.value);
        else
            named += tick.label + " ";
    }
    EXPECT_EQ(named, "1 10 100 ");
    ASSERT_EQ(minor.size(), 5u + 8u + 8u + 1u);  // 0.5 to 0.9, 2 to 9, 20 to 90, 200
    EXPECT_NEAR(minor[5], 2, 1e-12);
    EXPECT_NEAR(minor.back(), 200, 1e-9);
    const std::vector<Tick> wide = ticks(1e-9, 1e-2, 8, true);
    EXPECT_EQ(wide.front().label, "10⁻⁹");
    // Hardly a decade, and hardly anything: there are still names.
    for (const auto& [low, high] : {std::pair{0.2, 0.9}, {0.5, 0.6}, {1.01, 1.02}}) {
        int labels = 0;
        for (const Tick& tick : ticks(low, high, 5, true)) {
            EXPECT_GE(tick.value, low);
            EXPECT_LE(tick.value, high);
            labels += !tick.label.empty();
        }
        EXPECT_GE(labels, 2) << low;
    }
}

TEST(units, take_the_prefix_that_makes_numbers_short) {
    const auto shown = [](const char* unit, double size) {
        const ShownUnit found = shown_unit(unit, size);
        EXPECT_GE(size / found.factor, 0.1);
        EXPECT_LT(size / found.factor, 1e5);
        return found.text;
    };
    EXPECT_EQ(shown("Pa", 3e5), "kPa");
    EXPECT_EQ(shown("Pa", 300), "Pa");
    EXPECT_EQ(shown("m", 0.002), "mm");
    EXPECT_EQ(shown("m/s", 3e-6), "µm s⁻¹");
    EXPECT_EQ(shown("J", 2e-8), "nJ");
    EXPECT_EQ(shown("kg", 0.02), "g");
    EXPECT_EQ(shown("kg/s", 2e-6), "mg s⁻¹");
    EXPECT_EQ(shown("s", 3e5), "10³ s");
    EXPECT_EQ(shown("m^3", 2e-6), "10⁻⁶ m³");  // not µm³, which is another unit
    EXPECT_EQ(shown("kg/m^3", 2500), "kg m⁻³");
    EXPECT_EQ(shown("1/s", 20), "s⁻¹");
    EXPECT_EQ(shown("", 775), "");
    EXPECT_EQ(shown("", 2.5e6), "10⁶");
    EXPECT_EQ(written("N m"), "N m");
}

TEST(units, of_labels_are_multiples_of_those_of_the_values) {
    ASSERT_TRUE(unit_meant("kPa", "Pa"));
    EXPECT_EQ(unit_meant("kPa", "Pa")->factor, 1e3);
    EXPECT_EQ(unit_meant("mm/s", "m/s")->factor, 1e-3);
    EXPECT_EQ(unit_meant("mm s⁻¹", "m/s")->factor, 1e-3);
    EXPECT_EQ(unit_meant("g", "kg")->factor, 1e-3);
    EXPECT_FALSE(unit_meant("kPa", "N"));
    EXPECT_FALSE(unit_meant("mm^3", "m^3"));
    const Scale scale = scale_of({"force", "N", false, "load / kN", {}}, 0, 500, false);
    EXPECT_EQ(scale.label, "load / kN");
    EXPECT_NEAR(scale.high, 0.5, 1e-12);
}

TEST(text, printable_drops_what_xml_and_cairo_refuse) {
    EXPECT_EQ(printable("größe ⁻³ 𝛼"), "größe ⁻³ 𝛼");
    EXPECT_EQ(printable("a\xff"
                        "b\x1b[1m\xc3"),
              "a?b?[1m?");
    EXPECT_EQ(printable("\xed\xa0\x80"), "???");  // a surrogate
    EXPECT_GT(text_width("m²", 12), text_width("m", 12));
    EXPECT_LT(text_width("m²", 12), text_width("m2", 12));
}

struct Picture {
    std::uint32_t width = 0, height = 0, per_metre = 0;
    std::vector<unsigned char> pixels;                                        // three bytes each
    int dark(double from_x, double from_y, double to_x, double to_y) const {  // in parts of the picture
        int count = 0;
        for (auto y = static_cast<std::uint32_t>(from_y * height); y < static_cast<std::uint32_t>(to_y * height); ++y)
            for (auto x = static_cast<std::uint32_t>(from_x * width); x < static_cast<std::uint32_t>(to_x * width); ++x)
                count += pixels[3 * (std::size_t{y} * width + x)] < 120;
        return count;
    }
};

// Reads the file as the format says: signature, chunks with right checksums, deflated and filtered rows.
Picture read_png(const std::string& file) {
    Picture picture;
    EXPECT_EQ(file.substr(0, 8), "\x89PNG\r\n\x1a\n");
    const auto number = [&](std::size_t k) {
        std::uint32_t value = 0;
        for (std::size_t j = 0; j < 4; ++j) value = value << 8 | static_cast<unsigned char>(file[k + j]);
        return value;
    };
    std::string data, last;
    for (std::size_t at = 8; at + 12 <= file.size();) {
        const std::size_t length = number(at);
        last = file.substr(at + 4, 4);
        EXPECT_EQ(number(at + 8 + length),
                  crc32(0, reinterpret_cast<const Bytef*>(file.data() + at + 4), static_cast<uInt>(length + 4)));
        if (last == "IHDR") picture.width = number(at + 8), picture.height = number(at + 12);
        if (last == "pHYs") picture.per_metre = number(at + 8);
        if (last == "IDAT") data += file.substr(at + 8, length);
        at += 12 + length;
    }
    EXPECT_EQ(last, "IEND");
    const std::size_t row = 3 * std::size_t{picture.width};
    std::vector<unsigned char> raw(picture.height * (row + 1));
    uLongf size = raw.size();
    EXPECT_EQ(uncompress(raw.data(), &size, reinterpret_cast<const Bytef*>(data.data()), data.size()), Z_OK);
    EXPECT_EQ(size, raw.size());
    picture.pixels.resize(picture.height * row);
    for (std::size_t y = 0; y < picture.height; ++y)
        for (std::size_t x = 0; x < row; ++x) {
            const int a = x >= 3 ? picture.pixels[y * row + x - 3] : 0, b = y ? picture.pixels[(y - 1) * row + x] : 0,
                      c = x >= 3 && y ? picture.pixels[(y - 1) * row + x - 3] : 0;
            const int pa = std::abs(b - c), pb = std::abs(a - c), pc = std::abs(a + b - 2 * c);
            const int guess[] = {0, a, b, (a + b) / 2, pa <= pb && pa <= pc ? a : pb <= pc ? b : c};
            picture.pixels[y * row + x] =
                static_cast<unsigned char>(raw[y * (row + 1) + 1 + x] + guess[raw[y * (row + 1)]]);
        }
    return picture;
}

TEST(png, has_size_resolution_and_ink_where_the_line_and_the_letters_are) {
    Page page{"", {{{"time", "s"}, {"load", "N"}, {{"", {0, 1}, {0, 1}}}}}};
    page.width = 400;
    page.height = 300;
    const Picture picture = read_png(png(page, 192));
    EXPECT_EQ(picture.width, 800u);
    EXPECT_EQ(picture.height, 600u);
    EXPECT_NEAR(picture.per_metre, 192 / 0.0254, 1);
    EXPECT_GT(picture.dark(0.3, 0.4, 0.8, 0.7), 300);   // the line runs up through the middle
    EXPECT_EQ(picture.dark(0.3, 0.1, 0.5, 0.25), 0);    // and not above it
    EXPECT_GT(picture.dark(0.4, 0.93, 0.7, 1), 100);    // "time / s"
    EXPECT_GT(picture.dark(0.02, 0.3, 0.08, 0.6), 60);  // "load / N", upwards
    EXPECT_THROW(png(page, 1e9), Error);
}

TEST(pdf, is_vectors_with_a_font_and_the_size_asked_for) {
    Page page{"Druck <&> größer", {{{"time", "s"}, {"load", "N"}, {{"", {0, 1}, {0, 1}}}}}};
    page.width = 96 * 4;
    page.height = 96 * 3;
    const std::string file = pdf(page);
    EXPECT_TRUE(file.starts_with("%PDF-1."));
    EXPECT_NE(file.find("/MediaBox [ 0 0 288 216 ]"), std::string::npos);
    EXPECT_NE(file.find("/FontFile"), std::string::npos);
    EXPECT_EQ(file.find("/Subtype /Image"), std::string::npos);
}

TEST(svg, has_the_same_bytes_each_time) {
    const Page page{"x", {{{"time", "s"}, {"load", "N"}, {{"a", {0, 1}, {0, 1}}, {"b", {0, 1}, {1, 0}}}}}};
    EXPECT_EQ(svg(page), svg(page));
}

TEST(chart, shows_each_series_labels_and_legend_and_survives_strange_data) {
    Page page{"Energie <&> größer", {}};
    page.charts.push_back({{"time", "s"},
                           {"E", "J"},
                           {{"first", {0, 1, 2}, {1, NAN, 3}}, {"second", {0, 1, 2}, {-1e-9, 2e-9, INFINITY}}}});
    page.charts.push_back({{"x", "", true}, {"y", "", true}, {{"", {0, 1, 10, 100}, {-1, 1, 2, 3}}}});
    page.charts.push_back({{"x"}, {"y"}, {}});
    page.charts.push_back({{"x"}, {"constant"}, {{"", {0, 1}, {7, 7}}}});
    const std::string document = svg(page);
    for (const char* part : {"Energie &lt;&amp;&gt; größer", ">first<", ">second<", ">time / s<", ">E / J<"})
        EXPECT_NE(document.find(part), std::string::npos) << part;
    EXPECT_EQ(document.find("nan"), std::string::npos);
    EXPECT_EQ(document.find("inf"), std::string::npos);
    EXPECT_GT(png(page, 96).size(), 1000u);
    EXPECT_GT(pdf(page).size(), 1000u);
}

TEST(chart, bands_markers_and_legends_are_drawn_at_any_size) {
    Chart chart{{"friction"}, {"density"}, {}};
    chart.series.push_back({"up", {0, 1, 2}, {1, 2, 3}, {0.5, 1, 2.5}, {1.5, 3, 3.5}, true});
    chart.series.push_back({"down", {0, 1, 2}, {3, NAN, 1}, {}, {}, true});
    Page page{"", {chart}};
    const std::string wide = svg(page);
    EXPECT_NE(wide.find("fill-opacity=\"0.2\""), std::string::npos);
    page.width = 300;
    const std::string narrow = svg(page);
    for (const std::string& document : {wide, narrow})
        for (const char* name : {">up<", ">down<", ">friction<", ">density<"})
            EXPECT_NE(document.find(name), std::string::npos) << name;
    // The names stand above the axes of a narrow chart, beside those of a wide one.
    const auto place = [](const std::string& document) {
        double x = 0, y = 0;
        std::sscanf(document.substr(document.rfind("<text", document.find(">up<"))).c_str(),
                    "<text x=\"%lf\" y=\"%lf\"", &x, &y);
        return Point{x, y};
    };
    EXPECT_GT(place(wide).x, 700);
    EXPECT_LT(place(narrow).x, 100);
    // On a logarithmic axis a band that reaches zero has no number that is none.
    page.charts[0].series[0].low = {-1, 0, 1};
    page.charts[0].y.logarithmic = true;
    EXPECT_EQ(svg(page).find("nan"), std::string::npos);
    EXPECT_EQ(svg(page).find("inf"), std::string::npos);
}

TEST(chart, arrows_of_a_field_point_where_it_goes_at_one_scale_for_both_axes) {
    // Up at (1, 0), to the right at (0, 2), nothing at (1, 2) and no number at (0, 0).
    Chart chart{{"x"}, {"y"}, {}, {{1, 0, 0, 0.5}, {0, 2, 0.25, 0}, {1, 2, 0, 0}, {0, 0, NAN, 1}}, "m/s"};
    const std::string document = svg({"", {chart}});
    EXPECT_NE(document.find("longest: 0.5 m s⁻¹"), std::string::npos);
    EXPECT_EQ(document.find("nan"), std::string::npos);
    // Shafts: the polylines of two points in the color of arrows.
    std::vector<std::array<double, 4>> shafts;
    std::istringstream lines(document);
    for (std::string line; std::getline(lines, line);) {
        if (line.find("<polyline") == std::string::npos || line.find("1.4") == std::string::npos) continue;
        std::array<double, 6> p{};
        const std::string text = line.substr(line.find("points=\"") + 8);
        if (std::sscanf(text.c_str(), "%lf,%lf %lf,%lf %lf,%lf", &p[0], &p[1], &p[2], &p[3], &p[4], &p[5]) == 4)
            shafts.push_back({p[0], p[1], p[2], p[3]});
    }
    ASSERT_EQ(shafts.size(), 2u);
    const auto& up = shafts[0];
    const auto& right = shafts[1];
    EXPECT_NEAR(up[0], up[2], 0.02);
    EXPECT_NEAR(right[1], right[3], 0.02);
    EXPECT_NEAR(up[1] - up[3], 2 * (right[2] - right[0]), 0.05);
    EXPECT_GT(right[2], right[0]);
    // One metre across has as many pixels as one upwards.
    EXPECT_NEAR(up[1] - right[1], 2 * (up[0] - right[0]), 0.05);
}

}  // namespace
}  // namespace scree::plot
