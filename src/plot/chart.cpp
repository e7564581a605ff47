#include "plot/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "plot/canvas.h"
#include "plot/units.h"

namespace scree::plot {
namespace {

// Distinguishable with any kind of color vision, from dark to light.
constexpr Color palette[] = {{0, 90, 160},    {213, 94, 0},  {0, 140, 105},  {170, 60, 130},
                             {110, 110, 110}, {200, 150, 0}, {60, 170, 220}, {120, 60, 20}};
constexpr Color ink{40, 40, 40}, faint{226, 226, 226}, fainter{240, 240, 240}, paper{255, 255, 255};
constexpr double tick_size = 12, label_size = 13, legend_row = 19;

Scale scale_of(const Chart& chart, bool vertical) {
    const Axis& axis = vertical ? chart.y : chart.x;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    const auto meet = [&](double v) {
        if (!std::isfinite(v) || (axis.logarithmic && !(v > 0))) return;
        low = std::min(low, v);
        high = std::max(high, v);
    };
    bool markers = false;
    for (const Series& series : chart.series) {
        for (const double v : vertical ? series.y : series.x) meet(v);
        if (vertical)
            for (const auto* edge : {&series.low, &series.high})
                for (const double v : *edge) meet(v);
        markers = markers || series.markers;
    }
    for (const Arrow& arrow : chart.arrows) meet(vertical ? arrow.y : arrow.x);
    return scale_of(axis, low, high, vertical || markers);
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

// Half a cell of room all around, and as many points for a metre across as upwards.
void make_alike(const Chart& chart, Scale& x, Scale& y) {
    const auto widen = [](Scale& scale, double room) {
        scale.low -= room / scale.factor;
        scale.high += room / scale.factor;
    };
    if (const double d = spacing(chart, false); std::isfinite(d)) widen(x, d / 2);
    if (const double d = spacing(chart, true); std::isfinite(d)) widen(y, d / 2);
    const auto extent = [](const Scale& scale) { return (scale.high - scale.low) * scale.factor; };
    const double per_x = extent(x) / std::abs(x.to - x.from), per_y = extent(y) / std::abs(y.to - y.from);
    widen(per_x < per_y ? x : y,
          per_x < per_y ? (per_y / per_x - 1) * extent(x) / 2 : (per_x / per_y - 1) * extent(y) / 2);
}

void draw_arrows(Canvas& canvas, const Chart& chart, const Scale& x, const Scale& y, double longest) {
    const double per_metre = std::abs(x.to - x.from) / ((x.high - x.low) * x.factor);
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

Color color_of(std::size_t series) { return palette[series % std::size(palette)]; }
// Where the colors begin anew.
bool is_dashed(std::size_t series) { return series / std::size(palette) % 2 == 1; }

// Disc, square, triangle and diamond, by the number of the series.
void draw_marker(Canvas& canvas, Point at, std::size_t series) {
    const Color color = color_of(series);
    constexpr double r = 3.4;
    switch (series % 4) {
        case 0:
            return canvas.line({at}, color, 2 * r);
        case 1:
            return canvas.area({{at.x - r, at.y - r}, {at.x + r, at.y - r}, {at.x + r, at.y + r}, {at.x - r, at.y + r}},
                               color);
        case 2:
            return canvas.area({{at.x, at.y - 1.3 * r}, {at.x + 1.2 * r, at.y + r}, {at.x - 1.2 * r, at.y + r}}, color);
        default:
            return canvas.area(
                {{at.x, at.y - 1.4 * r}, {at.x + 1.4 * r, at.y}, {at.x, at.y + 1.4 * r}, {at.x - 1.4 * r, at.y}},
                color);
    }
}

// Calls draw(first, last) for every run of points that can be shown.
template <class Draw>
void each_piece(const Series& series, const Scale& x, const Scale& y, bool band, Draw&& draw) {
    const auto shown = [&](std::size_t k) {
        return x.shows(series.x[k]) && (band ? y.shows(series.high[k]) : y.shows(series.y[k])) &&
               (!band || std::isfinite(series.low[k]));
    };
    for (std::size_t k = 0; k < series.x.size(); ++k) {
        if (!shown(k)) continue;
        const std::size_t first = k;
        while (k + 1 < series.x.size() && shown(k + 1)) ++k;
        draw(first, k);
    }
}

void draw_band(Canvas& canvas, const Series& series, std::size_t number, const Scale& x, const Scale& y) {
    if (series.high.empty()) return;
    each_piece(series, x, y, true, [&](std::size_t first, std::size_t last) {
        // On a logarithmic axis a band that reaches zero ends at the border.
        const auto low = [&](std::size_t k) { return y.shows(series.low[k]) ? y.at(series.low[k]) : y.from; };
        std::vector<Point> outline;
        for (std::size_t k = first; k <= last; ++k) outline.push_back({x.at(series.x[k]), y.at(series.high[k])});
        for (std::size_t k = last + 1; k-- > first;) outline.push_back({x.at(series.x[k]), low(k)});
        if (first == last)
            canvas.line({outline[0], outline[1]}, color_of(number), 1.2);
        else
            canvas.area(outline, color_of(number), 0.2);
        if (!series.markers) return;
        for (std::size_t k = first; k <= last; ++k) {
            const Point top{x.at(series.x[k]), y.at(series.high[k])}, foot{top.x, low(k)};
            canvas.line({top, foot}, color_of(number), 1);
            for (const Point& end : {top, foot})
                canvas.line({{end.x - 3, end.y}, {end.x + 3, end.y}}, color_of(number), 1);
        }
    });
}

void draw_series(Canvas& canvas, const Series& series, std::size_t number, const Scale& x, const Scale& y) {
    each_piece(series, x, y, false, [&](std::size_t first, std::size_t last) {
        std::vector<Point> points;
        for (std::size_t k = first; k <= last; ++k) points.push_back({x.at(series.x[k]), y.at(series.y[k])});
        if (points.size() > 1)
            canvas.line(points, color_of(number), 1.6, is_dashed(number));
        else if (!series.markers)
            canvas.line(points, color_of(number), 5);  // a lonely point shows as a dot
        if (series.markers)
            for (const Point& at : points) draw_marker(canvas, at, number);
    });
}

// The text, smaller where it is too long, and cut where that is not enough.
void draw_fitting(Canvas& canvas, Point at, const std::string& whole, double size, double room, bool upwards = false) {
    std::string text = printable(whole);
    if (const double width = text_width(text, size); width > room) size = std::max(0.7 * size, size * room / width);
    if (text_width(text, size) > room) {
        while (!text.empty() && text_width(text + "…", size) > room) {
            while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) text.pop_back();
            if (!text.empty()) text.pop_back();
        }
        text += "…";
    }
    canvas.text(at, text, size, ink, Anchor::middle, upwards);
}

// Names of the series: to the right of a wide chart, in rows above a narrow one.
struct Legend {
    bool shown = false, above = false;
    double width = 0;  // of one entry
    std::size_t columns = 1, rows = 0;
};

Legend legend_of(const Chart& chart, double width) {
    Legend legend;
    legend.shown = chart.series.size() > 1 || (chart.series.size() == 1 && !chart.series[0].name.empty());
    if (!legend.shown) return legend;
    for (const Series& series : chart.series)
        legend.width = std::max(legend.width, text_width(printable(series.name), tick_size) + 44);
    legend.above = width - legend.width < 480;
    if (!legend.above) return legend;
    legend.width = std::min(legend.width, width - 20);
    legend.columns =
        std::clamp<std::size_t>(static_cast<std::size_t>((width - 20) / legend.width), 1, chart.series.size());
    legend.rows = (chart.series.size() + legend.columns - 1) / legend.columns;
    return legend;
}

// With a true minus sign.
std::string shown(const std::string& number) { return number.starts_with('-') ? "−" + number.substr(1) : number; }

int ticks_wanted(double length, bool vertical) { return std::max(2, static_cast<int>(length / (vertical ? 45 : 90))); }

// Space on the left of the axes, and above and below them.
double left_of(const Chart& chart, double height) {
    const Scale y = scale_of(chart, true);
    double widest = 0;
    for (const Tick& tick : y.ticks(ticks_wanted(height - 60, true)))
        widest = std::max(widest, text_width(shown(tick.label), tick_size));
    if (!chart.arrows.empty()) widest = std::max(widest, 40.0);  // their axes are still to be widened
    return std::ceil(8 + label_size + 10 + widest + 9);
}

void draw(Canvas& canvas, const Chart& chart, Point low, Point high, double left) {
    const Legend legend = legend_of(chart, high.x - low.x - left);
    const double above = legend.above ? 6 + legend_row * static_cast<double>(legend.rows) : 0,
                 beside = legend.shown && !legend.above ? legend.width : 0;
    const Point a{low.x + left, low.y + 12 + above}, b{high.x - 20 - beside, high.y - 46};
    Scale x = scale_of(chart, false), y = scale_of(chart, true);
    x.from = a.x, x.to = b.x;
    y.from = b.y, y.to = a.y;
    if (!chart.arrows.empty()) make_alike(chart, x, y);

    const auto axis = [&](const Scale& scale, bool vertical) {
        double free_from = -std::numeric_limits<double>::infinity();
        for (const Tick& tick : scale.ticks(ticks_wanted(std::abs(scale.to - scale.from), vertical))) {
            const double at = scale.at(tick.value * scale.factor), length = tick.label.empty() ? 2.5 : 4.5;
            const Color grid = tick.label.empty() ? fainter : faint;
            if (vertical) {
                canvas.line({{a.x, at}, {b.x, at}}, grid, 1);
                canvas.line({{a.x - length, at}, {a.x, at}}, ink, 1);
                if (!tick.label.empty())
                    canvas.text({a.x - 9, at + 4.2}, shown(tick.label), tick_size, ink, Anchor::end);
                continue;
            }
            canvas.line({{at, a.y}, {at, b.y}}, grid, 1);
            canvas.line({{at, b.y}, {at, b.y + length}}, ink, 1);
            // Labels of a narrow chart that would touch are left out.
            const double half = text_width(shown(tick.label), tick_size) / 2;
            if (tick.label.empty() || at - half < free_from) continue;
            free_from = at + half + 6;
            canvas.text({at, b.y + 19}, shown(tick.label), tick_size, ink, Anchor::middle);
        }
        if (vertical)
            draw_fitting(canvas, {low.x + 8 + label_size, (a.y + b.y) / 2}, scale.label, label_size, high.y - low.y,
                         true);
        else
            draw_fitting(canvas, {(a.x + b.x) / 2, b.y + 39}, scale.label, label_size, high.x - low.x - 10);
    };
    axis(x, false);
    axis(y, true);
    canvas.line({{a.x, a.y}, {a.x, b.y}, {b.x, b.y}}, ink, 1);

    canvas.clip({a.x - 1, a.y - 4}, {b.x + 4, b.y + 2});
    for (std::size_t k = 0; k < chart.series.size(); ++k) draw_band(canvas, chart.series[k], k, x, y);
    for (std::size_t k = 0; k < chart.series.size(); ++k) draw_series(canvas, chart.series[k], k, x, y);
    double longest = 0;
    for (const Arrow& arrow : chart.arrows)
        if (const double size = std::hypot(arrow.dx, arrow.dy); std::isfinite(size)) longest = std::max(longest, size);
    draw_arrows(canvas, chart, x, y, longest);
    canvas.no_clip();
    if (!chart.arrows.empty())
        canvas.text({b.x, a.y + 8}, fmt::format("longest: {:.3g} {}", longest, written(chart.arrow_unit)), tick_size,
                    ink, Anchor::end);
    if (!legend.shown) return;
    for (std::size_t k = 0; k < chart.series.size(); ++k) {
        const std::size_t row = legend.above ? k / legend.columns : k, column = legend.above ? k % legend.columns : 0;
        const Point at{(legend.above ? low.x + 10 : b.x + 14) + legend.width * static_cast<double>(column),
                       (legend.above ? low.y + 14 : a.y + 10) + legend_row * static_cast<double>(row)};
        if (at.y > b.y) break;
        canvas.line({at, {at.x + 20, at.y}}, color_of(k), 2.4, is_dashed(k));
        if (chart.series[k].markers) draw_marker(canvas, {at.x + 10, at.y}, k);
        canvas.text({at.x + 26, at.y + 4.2}, printable(chart.series[k].name), tick_size, ink, Anchor::start);
    }
}

double top_of(const Page& page) { return page.title.empty() ? 0 : 36; }

double height_of(const Page& page) {
    return page.height > 0 ? page.height
                           : std::max(12.0, top_of(page)) + page.panel_height * static_cast<double>(page.charts.size());
}

void draw(Canvas& canvas, const Page& page) {
    const double width = page.width, height = height_of(page);
    // A little more, for the part of a pixel at the ends.
    canvas.area({{-1, -1}, {width + 1, -1}, {width + 1, height + 1}, {-1, height + 1}}, paper);
    double top = page.height > 0 ? top_of(page) : std::max(12.0, top_of(page)), left = 0;
    if (!page.title.empty()) draw_fitting(canvas, {width / 2, 24}, page.title, 15, width - 20);
    const double each = (height - top) / static_cast<double>(page.charts.size());
    for (const Chart& chart : page.charts) left = std::max(left, left_of(chart, each));
    for (const Chart& chart : page.charts) {
        draw(canvas, chart, {0, top}, {width, top + each}, left);
        top += each;
    }
}

}  // namespace

std::string svg(const Page& page) {
    SvgCanvas canvas(page.width, height_of(page));
    draw(canvas, page);
    return canvas.document();
}

std::string png(const Page& page, double dpi) {
    CairoCanvas canvas = CairoCanvas::png(page.width, height_of(page), dpi);
    draw(canvas, page);
    return canvas.document();
}

std::string pdf(const Page& page) {
    CairoCanvas canvas = CairoCanvas::pdf(page.width, height_of(page), printable(page.title));
    draw(canvas, page);
    return canvas.document();
}

}  // namespace scree::plot
