// Lines are drawn by distance: a pixel is covered as far as it lies within half the width of the nearest segment. The
// coverage of a whole line is collected first and blended once, so that joints are not darker than the rest.
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "plot/canvas.h"

namespace scree::plot {
namespace {

void big_endian(std::string& out, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
}

void chunk(std::string& out, const char* type, const std::string& data) {
    big_endian(out, static_cast<std::uint32_t>(data.size()));
    const std::string body = type + data;
    out += body;
    big_endian(out, static_cast<std::uint32_t>(
                        crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()))));
}

}  // namespace

RasterCanvas::RasterCanvas(int width, int height)
    : width_(width),
      height_(height),
      pixels_(static_cast<std::size_t>(width * height), Color{255, 255, 255}),
      cover_(static_cast<std::size_t>(width * height), 0) {
    no_clip();
}

void RasterCanvas::clip(Point low, Point high) {
    clip_low_[0] = std::max(0, static_cast<int>(std::floor(low.x)));
    clip_low_[1] = std::max(0, static_cast<int>(std::floor(low.y)));
    clip_high_[0] = std::min(width_, static_cast<int>(std::ceil(high.x)));
    clip_high_[1] = std::min(height_, static_cast<int>(std::ceil(high.y)));
}

void RasterCanvas::no_clip() {
    clip_low_[0] = clip_low_[1] = 0;
    clip_high_[0] = width_;
    clip_high_[1] = height_;
}

void RasterCanvas::rectangle(Point low, Point high, Color fill) {
    for (int y = std::max(0, static_cast<int>(std::lround(low.y)));
         y < std::min(height_, static_cast<int>(std::lround(high.y))); ++y)
        for (int x = std::max(0, static_cast<int>(std::lround(low.x)));
             x < std::min(width_, static_cast<int>(std::lround(high.x))); ++x)
            pixels_[static_cast<std::size_t>(y * width_ + x)] = fill;
}

void RasterCanvas::line(const std::vector<Point>& points, Color color, double width) {
    if (points.empty()) return;
    const double reach = width / 2 + 0.5;
    int used[4] = {width_, height_, 0, 0};
    for (std::size_t k = 0; k + 1 < std::max<std::size_t>(points.size(), 2); ++k) {
        const Point a = points[k], b = points[std::min(k + 1, points.size() - 1)];
        if (!std::isfinite(a.x + a.y + b.x + b.y)) continue;
        const int x0 = std::max<double>(clip_low_[0], std::floor(std::min(a.x, b.x) - reach)),
                  x1 = std::min<double>(clip_high_[0] - 1, std::ceil(std::max(a.x, b.x) + reach));
        const int y0 = std::max<double>(clip_low_[1], std::floor(std::min(a.y, b.y) - reach)),
                  y1 = std::min<double>(clip_high_[1] - 1, std::ceil(std::max(a.y, b.y) + reach));
        if (x0 > x1 || y0 > y1) continue;
        used[0] = std::min(used[0], x0);
        used[1] = std::min(used[1], y0);
        used[2] = std::max(used[2], x1);
        used[3] = std::max(used[3], y1);
        const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
        for (int y = y0; y <= y1; ++y)
            for (int x = x0; x <= x1; ++x) {
                const double px = x + 0.5 - a.x, py = y + 0.5 - a.y;
                const double t = length2 > 0 ? std::clamp((px * dx + py * dy) / length2, 0.0, 1.0) : 0;
                const double distance = std::hypot(px - t * dx, py - t * dy);
                float& cover = cover_[static_cast<std::size_t>(y * width_ + x)];
                cover = std::max(cover, static_cast<float>(std::clamp(reach - distance, 0.0, std::min(1.0, width))));
            }
    }
    for (int y = used[1]; y <= used[3]; ++y)
        for (int x = used[0]; x <= used[2]; ++x) {
            const auto at = static_cast<std::size_t>(y * width_ + x);
            const float cover = std::exchange(cover_[at], 0.0f);
            if (cover <= 0) continue;
            Color& pixel = pixels_[at];
            const auto mix = [&](std::uint8_t under, std::uint8_t over) {
                return static_cast<std::uint8_t>(std::lround(
                    static_cast<float>(under) + cover * (static_cast<float>(over) - static_cast<float>(under))));
            };
            pixel = {mix(pixel.r, color.r), mix(pixel.g, color.g), mix(pixel.b, color.b)};
        }
}

void RasterCanvas::text(Point at, std::string_view text, double size, Color color, Anchor anchor, bool upwards) {
    const double scale = 0.72 * size, width = text_width(text, size) - scale * 0.28;
    double pen = anchor == Anchor::start ? 0 : anchor == Anchor::middle ? -width / 2 : -width;
    for (const char32_t c : characters(text)) {
        const Glyph g = glyph(c);
        for (const auto& stroke : g.strokes) {
            std::vector<Point> line_points;
            for (const Point& p : stroke) {
                const double u = pen + scale * p.x, v = scale * p.y;
                line_points.push_back(upwards ? Point{at.x - v, at.y - u} : Point{at.x + u, at.y - v});
            }
            line(line_points, color, std::max(1.15, size / 11));
        }
        pen += scale * g.advance;
    }
}

std::string RasterCanvas::png() const {
    std::string raw;
    raw.reserve(static_cast<std::size_t>((3 * width_ + 1) * height_));
    for (int y = 0; y < height_; ++y) {
        raw += '\0';  // no filter
        for (int x = 0; x < width_; ++x) {
            const Color c = pixel(x, y);
            raw += static_cast<char>(c.r);
            raw += static_cast<char>(c.g);
            raw += static_cast<char>(c.b);
        }
    }
    std::string packed(compressBound(raw.size()), '\0');
    uLongf size = packed.size();
    if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(raw.data()),
                  raw.size(), 9) != Z_OK)
        throw std::runtime_error("a picture could not be compressed");
    packed.resize(size);
    std::string out = "\x89PNG\r\n\x1a\n", head;
    big_endian(head, static_cast<std::uint32_t>(width_));
    big_endian(head, static_cast<std::uint32_t>(height_));
    head += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits, red green blue
    chunk(out, "IHDR", head);
    chunk(out, "IDAT", packed);
    chunk(out, "IEND", "");
    return out;
}

}  // namespace scree::plot
