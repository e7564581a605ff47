#include <fmt/format.h>

#include "plot/canvas.h"

namespace scree::plot {
namespace {

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '&')
            out += "&amp;";
        else if (c == '"')
            out += "&quot;";
        else
            out += c;
    }
    return out;
}

std::string hex(Color c) { return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b); }

std::string path_of(const std::vector<Point>& points) {
    std::string path;
    for (const Point& p : points) path += fmt::format("{}{:.2f},{:.2f}", path.empty() ? "" : " ", p.x, p.y);
    return path;
}

}  // namespace

SvgCanvas::SvgCanvas(double width, double height)
    : head_(fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
                        "width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} {1:g}\" "
                        "font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\">\n",
                        width, height)) {}

void SvgCanvas::area(const std::vector<Point>& outline, Color fill, double opacity) {
    body_ += fmt::format("<polygon points=\"{}\" fill=\"{}\"{}/>\n", path_of(outline), hex(fill),
                         opacity == 1 ? "" : fmt::format(" fill-opacity=\"{:g}\"", opacity));
}

void SvgCanvas::line(const std::vector<Point>& points, Color color, double width, bool dashed) {
    if (points.empty()) return;
    std::string path = path_of(points);
    if (points.size() == 1) path += " " + path;  // a dot
    body_ += fmt::format(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:g}\"{} stroke-linejoin=\"round\" "
        "stroke-linecap=\"round\"/>\n",
        path, hex(color), width, dashed ? fmt::format(" stroke-dasharray=\"{:g} {:g}\"", 4 * width, 3 * width) : "");
}

void SvgCanvas::text(Point at, std::string_view text, double size, Color color, Anchor anchor, bool upwards) {
    constexpr const char* anchors[] = {"start", "middle", "end"};
    const std::string turn = upwards ? fmt::format(" transform=\"rotate(-90 {:.2f} {:.2f})\"", at.x, at.y) : "";
    body_ +=
        fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{:g}\" fill=\"{}\" text-anchor=\"{}\"{}>{}</text>\n",
                    at.x, at.y, size, hex(color), anchors[static_cast<int>(anchor)], turn, escaped(text));
}

void SvgCanvas::clip(Point low, Point high) {
    ++clips_;
    body_ += fmt::format(
        "<clipPath id=\"c{0}\"><rect x=\"{1:.2f}\" y=\"{2:.2f}\" width=\"{3:.2f}\" height=\"{4:.2f}\"/></clipPath>\n<g "
        "clip-path=\"url(#c{0})\">\n",
        clips_, low.x, low.y, high.x - low.x, high.y - low.y);
}

void SvgCanvas::no_clip() { body_ += "</g>\n"; }

std::string SvgCanvas::document() const { return head_ + body_ + "</svg>\n"; }

}  // namespace scree::plot
