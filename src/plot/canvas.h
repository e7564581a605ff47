// What charts are drawn on: an SVG document or a raster with antialiased lines. Coordinates are pixels from the upper
// left corner.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scree::plot {

struct Point {
    double x, y;
};
struct Color {
    std::uint8_t r, g, b;
};
enum class Anchor { start, middle, end };

class Canvas {
  public:
    virtual ~Canvas() = default;
    virtual void rectangle(Point low, Point high, Color fill) = 0;
    // Round joints and ends. Nothing is drawn outside of the clip, when one is set.
    virtual void line(const std::vector<Point>& points, Color color, double width) = 0;
    // `at` is on the baseline. Upwards: turned by a right angle, read from below.
    virtual void text(Point at, std::string_view text, double size, Color color, Anchor anchor,
                      bool upwards = false) = 0;
    virtual void clip(Point low, Point high) = 0;
    virtual void no_clip() = 0;
};

class SvgCanvas : public Canvas {
  public:
    SvgCanvas(int width, int height);
    void rectangle(Point low, Point high, Color fill) override;
    void line(const std::vector<Point>& points, Color color, double width) override;
    void text(Point at, std::string_view text, double size, Color color, Anchor anchor, bool upwards) override;
    void clip(Point low, Point high) override;
    void no_clip() override;
    std::string document() const;

  private:
    std::string head_, body_;
    int clips_ = 0;
};

class RasterCanvas : public Canvas {
  public:
    RasterCanvas(int width, int height);
    void rectangle(Point low, Point high, Color fill) override;
    void line(const std::vector<Point>& points, Color color, double width) override;
    void text(Point at, std::string_view text, double size, Color color, Anchor anchor, bool upwards) override;
    void clip(Point low, Point high) override;
    void no_clip() override;
    std::string png() const;
    Color pixel(int x, int y) const { return pixels_[static_cast<std::size_t>(y * width_ + x)]; }

  private:
    int width_, height_;
    int clip_low_[2], clip_high_[2];
    std::vector<Color> pixels_;
    std::vector<float> cover_;  // of the line being drawn
};

// The font of the raster: strokes of one letter size (from the baseline to the top of a capital), and where the next
// character starts. Characters it does not have are boxes.
struct Glyph {
    std::vector<std::vector<Point>> strokes;  // y upwards from the baseline
    double advance;
};
Glyph glyph(char32_t character);
double text_width(std::string_view utf8, double size);
std::vector<char32_t> characters(std::string_view utf8);

}  // namespace scree::plot
