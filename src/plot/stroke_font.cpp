// A font of strokes. Each character is written as pairs of hexadecimal digits x, y on a grid; strokes are separated by
// blanks; a stroke that starts with ~ is rounded by cutting its corners (closed when it returns to its start). The
// baseline is y = 4, small letters reach a, capitals d, tails 0.
#include <algorithm>
#include <map>

#include "plot/canvas.h"

namespace scree::plot {
namespace {

constexpr double baseline = 4, capital = 9;  // of a capital above the baseline

const std::map<char32_t, const char*>& table() {
    static const std::map<char32_t, const char*> glyphs{
        {U'A', "043d64 1757"},
        {U'B', "040d ~0d6d6909 ~09797404"},
        {U'C', "~6a6d0d046467"},
        {U'D', "040d ~0d7d7404"},
        {U'E', "64040d6d 0959"},
        {U'F', "040d6d 0959"},
        {U'G', "~6b6d0d046468 6848"},
        {U'H', "040d 646d 0969"},
        {U'I', "040d"},
        {U'J', "~5d540406"},
        {U'K', "040d 6d08 2a64"},
        {U'L', "0d0464"},
        {U'M', "040d478d84"},
        {U'N', "040d646d"},
        {U'O', "~040d7d7404"},
        {U'P', "040d ~0d7d7808"},
        {U'Q', "~040d7d7404 4774"},
        {U'R', "040d ~0d7d7808 3864"},
        {U'S', "~6b6d0d0968640406"},
        {U'T', "0d6d 343d"},
        {U'U', "0d08 ~08046468 686d"},
        {U'V', "0d346d"},
        {U'W', "0d244b648d"},
        {U'X', "046d 0d64"},
        {U'Y', "0d386d 3834"},
        {U'Z', "0d6d0464"},
        {U'a', "~040a5a5404 5a54"},
        {U'b', "040d ~040a5a5404"},
        {U'c', "~585a0a045456"},
        {U'd', "545d ~040a5a5404"},
        {U'e', "0757 ~575a0a045455"},
        {U'f', "~4d2d2a 2a24 0a4a"},
        {U'g', "~040a5a5404 5a52 ~52500002"},
        {U'h', "040d ~070a5a57 5754"},
        {U'i', "040a 0c0d"},
        {U'j', "2a21 ~212000 2c2d"},
        {U'k', "040d 4a06 1844"},
        {U'l', "040d"},
        {U'm', "040a ~070a4a47 4744 ~474a8a87 8784"},
        {U'n', "040a ~070a5a57 5754"},
        {U'o', "~040a5a5404"},
        {U'p', "000a ~040a5a5404"},
        {U'q', "505a ~040a5a5404"},
        {U'r', "040a ~070a4a"},
        {U's', "~494a0a0747440405"},
        {U't', "1c16 ~161444 0a3a"},
        {U'u', "0a07 ~07045457 5a54"},
        {U'v', "0a244a"},
        {U'w', "0a2449648a"},
        {U'x', "044a 0a44"},
        {U'y', "0a24 4a10"},
        {U'z', "0a4a0444"},
        {U'0', "~040d6d6404"},
        {U'1', "1b3d34 1454"},
        {U'2', "~0b0d6d6904 0464"},
        {U'3', "~0b0d6d6929 ~2969640406"},
        {U'4', "444d0767"},
        {U'5', "5d0d09 ~096a640405"},
        {U'6', "~5d0c0464690907"},
        {U'7', "0d6d24"},
        {U'8', "~0409696404 ~191d5d5919"},
        {U'9', "~14656d0d08686a"},
        {U'.', "0404"},
        {U',', "1402"},
        {U':', "0404 0909"},
        {U';', "1402 1919"},
        {U'-', "0848"},
        {U'+', "0848 262a"},
        {U'=', "0949 0646"},
        {U'*', "272b 0a48 084a"},
        {U'/', "043d"},
        {U'\\', "0d34"},
        {U'(', "~2e0b0623"},
        {U')', "~0e2b2603"},
        {U'[', "2e0e0323"},
        {U']', "0e2e2303"},
        {U'_', "0343"},
        {U'%', "055c ~0a0d2d2a0a ~3437575434"},
        {U'<', "4b0845"},
        {U'>', "0b4805"},
        {U'|', "033e"},
        {U'!', "0d07 0404"},
        {U'?', "~0b0d5d5927 2424"},
        {U'\'', "0d0b"},
        {U'"', "0d0b 2d2b"},
        {U'#', "141d 444d 0656 0b5b"},
        {U'^', "0b2d4b"},
        {U'~', "~070a474a"},
        {U'°', "~0a0d3d3a0a"},
        {U'·', "1818"},
        {U'×', "064a 0a46"},
        {U'µ', "000a 0a07 ~07045457 5a54"},
    };
    return glyphs;
}

int digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

// Chaikin's corner cutting; ends of open strokes stay.
std::vector<Point> rounded(std::vector<Point> p) {
    const bool closed = p.size() > 2 && p.front().x == p.back().x && p.front().y == p.back().y;
    for (int pass = 0; pass < 3; ++pass) {
        std::vector<Point> cut;
        if (!closed) cut.push_back(p.front());
        for (std::size_t k = 0; k + 1 < p.size(); ++k) {
            const Point a = p[k], b = p[k + 1];
            const bool first = !closed && k == 0, last = !closed && k + 2 == p.size();
            if (!first) cut.push_back({0.75 * a.x + 0.25 * b.x, 0.75 * a.y + 0.25 * b.y});
            if (!last) cut.push_back({0.25 * a.x + 0.75 * b.x, 0.25 * a.y + 0.75 * b.y});
        }
        cut.push_back(closed ? cut.front() : p.back());
        p = std::move(cut);
    }
    return p;
}

Glyph parse(const char* text) {
    Glyph out{{}, 0};
    bool smooth = false;
    std::vector<Point> stroke;
    double widest = 0;
    const auto end = [&] {
        if (!stroke.empty()) out.strokes.push_back(smooth ? rounded(stroke) : stroke);
        stroke.clear();
        smooth = false;
    };
    for (const char* c = text; *c; ++c) {
        if (*c == ' ')
            end();
        else if (*c == '~')
            smooth = true;
        else if (digit(c[0]) >= 0 && digit(c[1]) >= 0) {
            stroke.push_back({digit(c[0]) / capital, (digit(c[1]) - baseline) / capital});
            widest = std::max(widest, stroke.back().x);
            ++c;
        }
    }
    end();
    out.advance = widest + 2.6 / capital;
    return out;
}

Glyph raised(char32_t character) {
    Glyph small = glyph(character);
    for (auto& stroke : small.strokes)
        for (Point& p : stroke) p = {0.6 * p.x, 0.6 * p.y + 0.5};
    small.advance *= 0.65;
    return small;
}

}  // namespace

Glyph glyph(char32_t character) {
    if (character == U' ') return {{}, 0.5};
    if (character == U'²') return raised(U'2');
    if (character == U'³') return raised(U'3');
    const auto found = table().find(character);
    return parse(found == table().end() ? "040d5d5404" : found->second);
}

std::vector<char32_t> characters(std::string_view utf8) {
    std::vector<char32_t> out;
    for (std::size_t k = 0; k < utf8.size();) {
        const auto lead = static_cast<unsigned char>(utf8[k]);
        const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        char32_t code = length == 1 ? lead : lead & (0xffu >> (length + 1));
        for (std::size_t j = 1; j < length && k + j < utf8.size(); ++j)
            code = (code << 6) | (static_cast<unsigned char>(utf8[k + j]) & 0x3fu);
        out.push_back(code);
        k += length;
    }
    return out;
}

double text_width(std::string_view utf8, double size) {
    double width = 0;
    for (const char32_t c : characters(utf8)) width += glyph(c).advance;
    return 0.72 * size * width;
}

}  // namespace scree::plot
