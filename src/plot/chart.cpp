#include "plot/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::plot {
namespace {

// Distinguishable with any kind of color vision, from dark to light.
constexpr Color palette[] = {{0, 90, 160},    {213, 94, 0},  {0, 140, 105},  {170, 60, 130},
                             {110, 110, 110}, {200, 150, 0}, {60, 170, 220}, {120, 60, 20}};
constexpr Color ink{40, 40, 40}, faint{226, 226, 226}, paper{255, 255, 255};

struct Scale {
    double low, high;
    bool logarithmic;
    double from, to;  // pixels
    bool shows(double v) const { return std::isfinite(v) && (!logarithmic || v > 0); }
    double at(double v) const {
        const double t = logarithmic ? (std::log10(v) - std::log10(low)) / (std::log10(high) - std::log10(low))
                                     : (v - low) / (high - low);
        return from + t * (to - from);
    }
};

Scale scale_of(const Chart& chart, bool vertical, double from, double to) {
    const bool logarithmic = vertical ? chart.y.logarithmic : chart.x.logarithmic;
    Scale scale{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), logarithmic, from,
                to};
    for (const Series& series : chart.series)
        for (std::size_t k = 0; k < series.x.size(); ++k) {
            const double v = vertical ? series.y[k] : series.x[k];
            if (scale.shows(v)) {
                scale.low = std::min(scale.low, v);
                scale.high = std::max(scale.high, v);
            }
        }
    for (const Arrow& arrow : chart.arrows) {
        const double v = vertical ? arrow.y : arrow.x;
        if (scale.shows(v)) {
            scale.low = std::min(scale.low, v);
            scale.high = std::max(scale.high, v);
        }
    }
    if (scale.low > scale.high) {
        scale.low = logarithmic ? 1 : 0;
        scale.high = logarithmic ? 10 : 1;
    }  // nothing to show
    if (logarithmic) {
        if (scale.low == scale.high) {
            scale.low /= 2;
            scale.high *= 2;
        }
        if (vertical) {
            const double room = std::pow(scale.high / scale.low, 0.04);
            scale.low /= room;
            scale.high *= room;
        }
        return scale;
    }
    // A constant is drawn in the middle, whatever rounding makes of it.
    const double size = std::max(std::abs(scale.low), std::abs(scale.high));
    if (scale.high - scale.low <= 1e-12 * size || size == 0) {
        const double half = size > 0 ? 0.1 * size : 1;
        scale.low -= half;
        scale.high += half;
    } else if (vertical) {
        const double room = 0.05 * (scale.high - scale.low);
        scale.low -= scale.low == 0 ? 0 : room;
        scale.high += room;
    }
    return scale;
}

// Powers of ten taken out of the labels of very small or large values, a multiple of three.
int common_exponent(const Scale& scale) {
    const double size = std::max(std::abs(scale.low), std::abs(scale.high));
    if (scale.logarithmic || size == 0) return 0;
    const int exponent = static_cast<int>(std::floor(std::log10(size) / 3)) * 3;
    return size >= 1e5 || size < 1e-2 ? exponent : 0;
}

// The smallest difference of two places along one axis: the width of the cells.
double spacing(const Chart& chart, bool vertical) {
    std::vector<double> places;
    for (const Arrow& arrow : chart.arrows) places.push_back(vertical ? arrow.y : arrow.x);
    std::sort(places.begin(), places.end());
    const double whole = places.empty() ? 0 : places.back() - places.front();
    double least = whole > 0 ? whole : std::numeric_limits<double>::infinity();
    for (std::size_t k = 1; k < places.size(); ++k)
        if (const double d = places[k] - places[k - 1]; d > 1e-6 * whole) least = std::min(least, d);
    return least;
}

// Half a cell of room all around, and as many pixels for a metre across as upwards.
void make_alike(const Chart& chart, Scale& x, Scale& y) {
    const auto widen = [](Scale& scale, double room) {
        scale.low -= room;
        scale.high += room;
    };
    if (const double d = spacing(chart, false); std::isfinite(d)) widen(x, d / 2);
    if (const double d = spacing(chart, true); std::isfinite(d)) widen(y, d / 2);
    const double per_x = (x.high - x.low) / std::abs(x.to - x.from), per_y = (y.high - y.low) / std::abs(y.to - y.from);
    widen(per_x < per_y ? x : y,
          per_x < per_y ? (per_y / per_x - 1) * (x.high - x.low) / 2 : (per_x / per_y - 1) * (y.high - y.low) / 2);
}

void draw_arrows(Canvas& canvas, const Chart& chart, const Scale& x, const Scale& y, double longest) {
    const double per_metre = std::abs(x.to - x.from) / (x.high - x.low);
    const double cell = std::min(spacing(chart, false), spacing(chart, true)),
                 length = std::isfinite(cell) ? 0.95 * cell * per_metre : 40;
    for (const Arrow& arrow : chart.arrows) {
        const double size = std::hypot(arrow.dx, arrow.dy);
        if (!std::isfinite(size) || !(longest > 0)) continue;
        const Point from{x.at(arrow.x), y.at(arrow.y)};
        if (size < 1e-3 * longest) {
            canvas.line({from}, palette[0], 2);
            continue;
        }
        const double dx = length * arrow.dx / longest, dy = -length * arrow.dy / longest;
        const Point to{from.x + dx, from.y + dy};
        canvas.line({from, to}, palette[0], 1.4);
        const auto barb = [&](double side) {
            return Point{to.x - 0.28 * dx + side * 0.16 * dy, to.y - 0.28 * dy - side * 0.16 * dx};
        };
        canvas.line({barb(1), to, barb(-1)}, palette[0], 1.4);
    }
}

void draw(Canvas& canvas, const Chart& chart, Point low, Point high) {
    const bool legend = chart.series.size() > 1 || (chart.series.size() == 1 && !chart.series[0].name.empty());
    double legend_width = 0;
    for (const Series& series : chart.series) legend_width = std::max(legend_width, text_width(series.name, 12) + 44);
    if (!legend) legend_width = 0;
    const Point a{low.x + 86, low.y + 12}, b{high.x - 20 - legend_width, high.y - 46};
    Scale x = scale_of(chart, false, a.x, b.x), y = scale_of(chart, true, b.y, a.y);
    if (!chart.arrows.empty()) make_alike(chart, x, y);

    const auto axis = [&](const Scale& scale, bool vertical, const std::string& label) {
        const int exponent = common_exponent(scale);
        const double unit = std::pow(10.0, exponent);
        const int wanted = static_cast<int>(std::abs(scale.to - scale.from) / (vertical ? 45 : 90));
        for (const Tick& tick : ticks(scale.low / unit, scale.high / unit, std::max(2, wanted), scale.logarithmic)) {
            const double at = scale.at(tick.value * unit);
            if (vertical) {
                canvas.line({{a.x, at}, {b.x, at}}, faint, 1);
                canvas.line({{a.x - 4, at}, {a.x, at}}, ink, 1);
                canvas.text({a.x - 9, at + 4.2}, tick.label, 12, ink, Anchor::end);
            } else {
                canvas.line({{at, a.y}, {at, b.y}}, faint, 1);
                canvas.line({{at, b.y}, {at, b.y + 4}}, ink, 1);
                canvas.text({at, b.y + 19}, tick.label, 12, ink, Anchor::middle);
            }
        }
        const std::string whole = exponent == 0 ? label : fmt::format("{}  (1e{})", label, exponent);
        if (vertical)
            canvas.text({low.x + 18, (a.y + b.y) / 2}, whole, 13, ink, Anchor::middle, true);
        else
            canvas.text({(a.x + b.x) / 2, b.y + 39}, whole, 13, ink, Anchor::middle);
    };
    axis(x, false, chart.x.label);
    axis(y, true, chart.y.label);
    canvas.line({{a.x, a.y}, {a.x, b.y}, {b.x, b.y}}, ink, 1);

    canvas.clip({a.x - 1, a.y - 4}, {b.x + 4, b.y + 2});
    for (std::size_t k = 0; k < chart.series.size(); ++k) {
        const Series& series = chart.series[k];
        const Color color = palette[k % std::size(palette)];
        std::vector<Point> points;
        const auto flush = [&] {
            if (points.size() == 1)
                canvas.line(points, color, 5);  // a lonely point shows as a dot
            else if (!points.empty())
                canvas.line(points, color, 1.6);
            points.clear();
        };
        for (std::size_t j = 0; j < series.x.size(); ++j) {
            if (!x.shows(series.x[j]) || !y.shows(series.y[j]))
                flush();
            else
                points.push_back({x.at(series.x[j]), y.at(series.y[j])});
        }
        flush();
    }
    double longest = 0;
    for (const Arrow& arrow : chart.arrows)
        if (const double size = std::hypot(arrow.dx, arrow.dy); std::isfinite(size)) longest = std::max(longest, size);
    draw_arrows(canvas, chart, x, y, longest);
    canvas.no_clip();
    if (!chart.arrows.empty())
        canvas.text({b.x, a.y + 8}, fmt::format("longest: {:.3g} {}", longest, chart.arrow_unit), 12, ink, Anchor::end);
    if (!legend) return;
    for (std::size_t k = 0; k < chart.series.size(); ++k) {
        const double at = a.y + 10 + 19 * static_cast<double>(k);
        if (at > b.y) break;
        canvas.line({{b.x + 14, at}, {b.x + 34, at}}, palette[k % std::size(palette)], 2.4);
        canvas.text({b.x + 40, at + 4.2}, chart.series[k].name, 12, ink, Anchor::start);
    }
}

int height_of(const Page& page) {
    return (page.title.empty() ? 12 : 36) + page.panel_height * static_cast<int>(page.charts.size());
}

void draw(Canvas& canvas, const Page& page) {
    canvas.rectangle({0, 0}, {static_cast<double>(page.width), static_cast<double>(height_of(page))}, paper);
    double top = 12;
    if (!page.title.empty()) {
        canvas.text({page.width / 2.0, 24}, page.title, 15, ink, Anchor::middle);
        top = 36;
    }
    for (const Chart& chart : page.charts) {
        draw(canvas, chart, {0, top}, {static_cast<double>(page.width), top + page.panel_height});
        top += page.panel_height;
    }
}

}  // namespace

std::vector<Tick> ticks(double low, double high, int wanted, bool logarithmic) {
    std::vector<Tick> out;
    if (logarithmic) {
        const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9)),
                  last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
        const int stride = std::max(1, (last - first) / std::max(1, wanted) + 1);
        for (int power = first; power <= last; power += stride)
            out.push_back({std::pow(10.0, power), std::abs(power) <= 3 ? fmt::format("{:g}", std::pow(10.0, power))
                                                                       : fmt::format("1e{}", power)});
        if (out.size() >= 2) return out;
        out.clear();  // less than a decade: 1, 2, 5 of it
        for (int power = first - 1; power <= last; ++power)
            for (const double digit : {1.0, 2.0, 3.0, 5.0, 7.0})
                if (const double v = digit * std::pow(10.0, power); v >= low * (1 - 1e-9) && v <= high * (1 + 1e-9))
                    out.push_back({v, fmt::format("{:g}", v)});
        return out;
    }
    const double rough = (high - low) / std::max(1, wanted), power = std::pow(10.0, std::floor(std::log10(rough)));
    const double step = rough <= power * 1.0001   ? power
                        : rough <= 2.0001 * power ? 2 * power
                        : rough <= 5.0001 * power ? 5 * power
                                                  : 10 * power;
    const int digits = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
    for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k)
        out.push_back({k * step, fmt::format("{:.{}f}", k == 0 ? 0.0 : k * step, digits)});
    return out;
}

std::string svg(const Page& page) {
    SvgCanvas canvas(page.width, height_of(page));
    draw(canvas, page);
    return canvas.document();
}

std::string png(const Page& page) {
    RasterCanvas canvas(page.width, height_of(page));
    draw(canvas, page);
    return canvas.png();
}

}  // namespace scree::plot
