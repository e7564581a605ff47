// What charts are drawn on: an SVG document of our own writing, or a PNG or PDF by cairo. Coordinates are points of
// 1/96 inch from the upper left corner, so a text of size 12 is one of 9 typographic points.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace scree::plot {

struct Point {
    double x, y;
};
struct Color {
    std::uint8_t r, g, b;
};
enum class Anchor { start, middle, end };
constexpr double points_per_inch = 96;

class Canvas {
  public:
    virtual ~Canvas() = default;
    // A filled polygon.
    virtual void area(const std::vector<Point>& outline, Color fill, double opacity = 1) = 0;
    // Round joints and ends. Nothing is drawn outside of the clip, when one is set. One point alone is a disc.
    virtual void line(const std::vector<Point>& points, Color color, double width, bool dashed = false) = 0;
    // `at` is on the baseline. Upwards: turned by a right angle, read from below.
    virtual void text(Point at, std::string_view text, double size, Color color, Anchor anchor,
                      bool upwards = false) = 0;
    virtual void clip(Point low, Point high) = 0;
    virtual void no_clip() = 0;
};

// Texts stay texts, and equal charts give equal bytes on all machines.
class SvgCanvas : public Canvas {
  public:
    SvgCanvas(double width, double height);
    void area(const std::vector<Point>& outline, Color fill, double opacity) override;
    void line(const std::vector<Point>& points, Color color, double width, bool dashed) override;
    void text(Point at, std::string_view text, double size, Color color, Anchor anchor, bool upwards) override;
    void clip(Point low, Point high) override;
    void no_clip() override;
    std::string document() const;

  private:
    std::string head_, body_;
    int clips_ = 0;
};

class CairoCanvas : public Canvas {
  public:
    // A raster with so many pixels per inch.
    static CairoCanvas png(double width, double height, double dpi);
    // Curves and fonts, embedded.
    static CairoCanvas pdf(double width, double height, const std::string& title);
    CairoCanvas(CairoCanvas&&) noexcept;
    ~CairoCanvas() override;

    void area(const std::vector<Point>& outline, Color fill, double opacity) override;
    void line(const std::vector<Point>& points, Color color, double width, bool dashed) override;
    void text(Point at, std::string_view text, double size, Color color, Anchor anchor, bool upwards) override;
    void clip(Point low, Point high) override;
    void no_clip() override;
    // The file. Throws Error(run_time) when cairo could not draw. Nothing can be drawn afterwards.
    std::string document();

  private:
    struct Parts;
    explicit CairoCanvas(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
};

// How wide a text is in DejaVu Sans, from a table: layouts do not depend on the fonts of a machine.
double text_width(std::string_view utf8, double size);
// The text without control characters and bytes that are not UTF-8, which neither XML nor cairo takes.
std::string printable(std::string_view text);
// -12 as "⁻¹²".
std::string superscript(int number);

}  // namespace scree::plot
