#include <cairo-pdf.h>
#include <cairo.h>
#include <fmt/format.h>
#include <zlib.h>

#include <cmath>

#include "plot/canvas.h"
#include "scree/error.h"

namespace scree::plot {
namespace {

cairo_status_t append(void* text, const unsigned char* data, unsigned int length) {
    static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
}

void check(cairo_status_t status) {
    if (status != CAIRO_STATUS_SUCCESS)
        throw Error(ErrorKind::run_time,
                    fmt::format("cairo cannot draw the picture: {}; a smaller one or fewer dpi may "
                                "help",
                                cairo_status_to_string(status)));
}

std::string big_endian(std::uint32_t number) {
    std::string bytes;
    for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(number >> shift);
    return bytes;
}

// Says in the file how many pixels an inch has; cairo does not.
std::string with_resolution(const std::string& png, double dpi) {
    const auto per_metre = static_cast<std::uint32_t>(std::lround(dpi / 0.0254));
    const std::string chunk = "pHYs" + big_endian(per_metre) + big_endian(per_metre) + '\1';
    const auto sum = static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(chunk.data()), static_cast<uInt>(chunk.size())));
    constexpr std::size_t after_head = 8 + 25;  // the signature and IHDR
    return png.substr(0, after_head) + big_endian(9) + chunk + big_endian(sum) + png.substr(after_head);
}

}  // namespace

struct CairoCanvas::Parts {
    cairo_surface_t* surface = nullptr;
    cairo_t* cairo = nullptr;
    double dpi = 0;  // of a raster
    std::string bytes;
    ~Parts() {
        cairo_destroy(cairo);
        cairo_surface_destroy(surface);
    }
    void begin(double scale) {
        check(cairo_surface_status(surface));
        cairo = cairo_create(surface);
        check(cairo_status(cairo));
        cairo_scale(cairo, scale, scale);
        cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
        cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
        cairo_select_font_face(cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
        cairo_font_options_t* options = cairo_font_options_create();
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
        cairo_set_font_options(cairo, options);
        cairo_font_options_destroy(options);
    }
    void color(Color c, double opacity = 1) {
        cairo_set_source_rgba(cairo, c.r / 255.0, c.g / 255.0, c.b / 255.0, opacity);
    }
    void path(const std::vector<Point>& points) {
        cairo_new_path(cairo);
        for (const Point& p : points) cairo_line_to(cairo, p.x, p.y);
    }
};

CairoCanvas::CairoCanvas(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
CairoCanvas::CairoCanvas(CairoCanvas&&) noexcept = default;
CairoCanvas::~CairoCanvas() = default;

CairoCanvas CairoCanvas::png(double width, double height, double dpi) {
    auto parts = std::make_unique<Parts>();
    const double scale = dpi / points_per_inch;
    parts->dpi = dpi;
    parts->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(std::lround(width * scale)),
                                                static_cast<int>(std::lround(height * scale)));
    parts->begin(scale);
    return CairoCanvas(std::move(parts));
}

CairoCanvas CairoCanvas::pdf(double width, double height, const std::string& title) {
    auto parts = std::make_unique<Parts>();
    constexpr double scale = 72 / points_per_inch;
    parts->surface = cairo_pdf_surface_create_for_stream(append, &parts->bytes, width * scale, height * scale);
    check(cairo_surface_status(parts->surface));
    cairo_pdf_surface_set_metadata(parts->surface, CAIRO_PDF_METADATA_TITLE, title.c_str());
    parts->begin(scale);
    return CairoCanvas(std::move(parts));
}

void CairoCanvas::area(const std::vector<Point>& outline, Color fill, double opacity) {
    parts_->path(outline);
    cairo_close_path(parts_->cairo);
    parts_->color(fill, opacity);
    cairo_fill(parts_->cairo);
}

void CairoCanvas::line(const std::vector<Point>& points, Color color, double width, bool dashed) {
    if (points.empty()) return;
    parts_->path(points);
    if (points.size() == 1) cairo_close_path(parts_->cairo);  // a round end alone
    const double dashes[] = {4 * width, 3 * width};
    cairo_set_dash(parts_->cairo, dashes, dashed ? 2 : 0, 0);
    cairo_set_line_width(parts_->cairo, width);
    parts_->color(color);
    cairo_stroke(parts_->cairo);
}

void CairoCanvas::text(Point at, std::string_view text, double size, Color color, Anchor anchor, bool upwards) {
    cairo_t* cairo = parts_->cairo;
    const std::string whole(text);
    cairo_save(cairo);
    cairo_set_font_size(cairo, size);
    cairo_text_extents_t extents;
    cairo_text_extents(cairo, whole.c_str(), &extents);
    cairo_translate(cairo, at.x, at.y);
    if (upwards) cairo_rotate(cairo, -std::acos(0.0));
    cairo_move_to(cairo,
                  anchor == Anchor::start    ? 0
                  : anchor == Anchor::middle ? -extents.x_advance / 2
                                             : -extents.x_advance,
                  0);
    parts_->color(color);
    cairo_show_text(cairo, whole.c_str());
    cairo_restore(cairo);
}

void CairoCanvas::clip(Point low, Point high) {
    cairo_rectangle(parts_->cairo, low.x, low.y, high.x - low.x, high.y - low.y);
    cairo_clip(parts_->cairo);
}

void CairoCanvas::no_clip() { cairo_reset_clip(parts_->cairo); }

std::string CairoCanvas::document() {
    check(cairo_status(parts_->cairo));
    if (parts_->dpi > 0) {
        check(cairo_surface_write_to_png_stream(parts_->surface, append, &parts_->bytes));
        return with_resolution(parts_->bytes, parts_->dpi);
    }
    cairo_surface_finish(parts_->surface);
    check(cairo_surface_status(parts_->surface));
    return parts_->bytes;
}

}  // namespace scree::plot
