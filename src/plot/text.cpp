#include <fmt/format.h>

#include <algorithm>

#include "plot/canvas.h"

namespace scree::plot {
namespace {

// Advances of the characters from ' ' to '~', in thousandths of the size.
constexpr short advances[] = {318,  401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
                              636,  636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531,
                              1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
                              603,  787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,
                              500,  613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
                              635,  635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838};

constexpr const char* raised_digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

}  // namespace

double text_width(std::string_view utf8, double size) {
    double width = 0;
    for (std::size_t k = 0; k < utf8.size(); ++k) {
        const auto byte = static_cast<unsigned char>(utf8[k]);
        if (byte >= 0x80 && byte < 0xc0) continue;  // inside a character
        const bool raised = (byte == 0xc2 || byte == 0xe2) && k + 1 < utf8.size() &&
                            (utf8.substr(k, 2) == "²" || utf8.substr(k, 2) == "³" || utf8.substr(k, 2) == "¹" ||
                             utf8.substr(k, 2) == "\xe2\x81");
        width += byte >= ' ' && byte <= '~' ? advances[byte - ' ']
                 : raised                   ? 420
                 : byte < 0x80              ? 0
                 : byte < 0xe3              ? 640
                                            : 1000;
    }
    return width * size / 1000;
}

std::string printable(std::string_view text) {
    std::string out;
    for (std::size_t k = 0; k < text.size();) {
        const auto byte = static_cast<unsigned char>(text[k]);
        std::size_t length = byte < 0x80                   ? 1
                             : byte >= 0xc2 && byte < 0xe0 ? 2
                             : byte >= 0xe0 && byte < 0xf0 ? 3
                             : byte >= 0xf0 && byte < 0xf5 ? 4
                                                           : 0;
        for (std::size_t j = 1; j < length; ++j)
            if (k + j >= text.size() || (static_cast<unsigned char>(text[k + j]) & 0xc0) != 0x80) length = 0;
        // Overlong forms, surrogates and what lies past the last character.
        const auto second = length > 1 ? static_cast<unsigned char>(text[k + 1]) : 0;
        if ((byte == 0xe0 && second < 0xa0) || (byte == 0xed && second >= 0xa0) || (byte == 0xf0 && second < 0x90) ||
            (byte == 0xf4 && second >= 0x90))
            length = 0;
        if (length == 0 || (length == 1 && (byte < ' ' || byte == 0x7f)))
            out += '?';
        else
            out += text.substr(k, length);
        k += std::max<std::size_t>(length, 1);
    }
    return out;
}

std::string superscript(int number) {
    std::string text;
    for (const char c : fmt::format("{}", number)) text += c == '-' ? "⁻" : raised_digits[c - '0'];
    return text;
}

}  // namespace scree::plot
