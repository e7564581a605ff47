#include <gtest/gtest.h>

#include <zlib.h>
#include <array>
#include <cstdio>
#include <sstream>

#include <cmath>
#include <string>

#include "plot/chart.h"

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
    const std::vector<Tick> decades = ticks(0.02, 3000, 6, true);
    EXPECT_EQ(decades.front().label, "0.1");
    EXPECT_EQ(decades.back().label, "1000");
}

// The raster has ink where the line runs and none elsewhere; a line between two pixels is shared by both.
TEST(raster, draws_lines_where_they_are) {
    RasterCanvas canvas(40, 20);
    canvas.line({{5.5, 10.5}, {30.5, 10.5}}, {0, 0, 0}, 1);
    EXPECT_LT(canvas.pixel(15, 10).r, 5);
    EXPECT_EQ(canvas.pixel(15, 12).r, 255);
    EXPECT_EQ(canvas.pixel(15, 8).r, 255);
    EXPECT_EQ(canvas.pixel(35, 10).r, 255);
    RasterCanvas between(40, 20);
    between.line({{5, 10}, {30, 10}}, {0, 0, 0}, 1);
    EXPECT_NEAR(between.pixel(15, 9).r, 128, 2);
    EXPECT_NEAR(between.pixel(15, 10).r, 128, 2);
    RasterCanvas clipped(40, 20);
    clipped.clip({0, 0}, {20, 20});
    clipped.line({{5, 10.5}, {30, 10.5}}, {0, 0, 0}, 1);
    EXPECT_LT(clipped.pixel(19, 10).r, 5);
    EXPECT_EQ(clipped.pixel(20, 10).r, 255);
}

TEST(raster, every_printable_character_has_strokes_of_its_own) {
    const Glyph box = glyph(0x10ffff);
    for (char32_t c = U'!'; c <= U'~'; ++c) {
        if (std::u32string_view(U"$&@`{}").find(c) != std::u32string_view::npos) continue;  // shown as boxes
        const Glyph g = glyph(c);
        EXPECT_FALSE(g.strokes.empty()) << static_cast<char>(c);
        EXPECT_FALSE(g.strokes.size() == 1 && g.strokes[0].size() == box.strokes[0].size() &&
                     g.advance == box.advance && c != U'D' && c != U'O')
            << static_cast<char>(c);
    }
    EXPECT_EQ(characters("m²").size(), 2u);
}

// Reads the file as the format says: signature, chunks with right checksums, deflated rows.
TEST(png, unpacks_to_the_pixels) {
    RasterCanvas canvas(33, 17);
    canvas.rectangle({3, 4}, {10, 9}, {10, 20, 30});
    const std::string file = canvas.png();
    ASSERT_EQ(file.substr(0, 8), "\x89PNG\r\n\x1a\n");
    std::string data;
    std::size_t at = 8;
    const auto number = [&](std::size_t k) {
        std::uint32_t value = 0;
        for (std::size_t j = 0; j < 4; ++j) value = value << 8 | static_cast<unsigned char>(file[k + j]);
        return value;
    };
    std::string last;
    while (at < file.size()) {
        const std::size_t length = number(at);
        last = file.substr(at + 4, 4);
        EXPECT_EQ(number(at + 8 + length),
                  crc32(0, reinterpret_cast<const Bytef*>(file.data() + at + 4), static_cast<uInt>(length + 4)));
        if (last == "IHDR") {
            EXPECT_EQ(number(at + 8), 33u);
            EXPECT_EQ(number(at + 12), 17u);
        }
        if (last == "IDAT") data += file.substr(at + 8, length);
        at += 12 + length;
    }
    EXPECT_EQ(last, "IEND");
    std::string raw(17 * (33 * 3 + 1), '\0');
    uLongf size = raw.size();
    ASSERT_EQ(uncompress(reinterpret_cast<Bytef*>(raw.data()), &size, reinterpret_cast<const Bytef*>(data.data()),
                         data.size()),
              Z_OK);
    ASSERT_EQ(size, raw.size());
    const auto pixel = [&](std::size_t x, std::size_t y, std::size_t c) {
        return static_cast<unsigned char>(raw[y * (33 * 3 + 1) + 1 + 3 * x + c]);
    };
    EXPECT_EQ(pixel(3, 4, 0), 10);
    EXPECT_EQ(pixel(9, 8, 2), 30);
    EXPECT_EQ(pixel(10, 8, 0), 255);
}

TEST(chart, shows_each_series_labels_and_legend_and_survives_strange_data) {
    Page page{"Energie <&> größer", {}};
    page.charts.push_back(
        {{"time [s]"}, {"E [J]"}, {{"first", {0, 1, 2}, {1, NAN, 3}}, {"second", {0, 1, 2}, {-1e-9, 2e-9, INFINITY}}}});
    page.charts.push_back({{"x", true}, {"y", true}, {{"", {0, 1, 10, 100}, {-1, 1, 2, 3}}}});
    page.charts.push_back({{"x"}, {"y"}, {}});
    page.charts.push_back({{"x"}, {"constant"}, {{"", {0, 1}, {7, 7}}}});
    const std::string document = svg(page);
    for (const char* part : {"Energie &lt;&amp;&gt; größer", ">first<", ">second<", ">time [s]<", ">E [J]<"})
        EXPECT_NE(document.find(part), std::string::npos) << part;
    EXPECT_EQ(document.find("nan"), std::string::npos);
    EXPECT_EQ(document.find("inf"), std::string::npos);
    EXPECT_GT(png(page).size(), 1000u);
}

TEST(chart, arrows_of_a_field_point_where_it_goes_at_one_scale_for_both_axes) {
    // Up at (1, 0), to the right at (0, 2), nothing at (1, 2) and no number at (0, 0).
    Chart chart{{"x"}, {"y"}, {}, {{1, 0, 0, 0.5}, {0, 2, 0.25, 0}, {1, 2, 0, 0}, {0, 0, NAN, 1}}, "m/s"};
    const std::string document = svg({"", {chart}});
    EXPECT_NE(document.find("longest: 0.5 m/s"), std::string::npos);
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
