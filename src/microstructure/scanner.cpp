#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "core/located.h"
#include "image_formats.h"

namespace scree::micro {
namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

}  // namespace

bool Scanner::at_end() {
    while (at_ < text_.size() && blank(text_[at_])) line_ += text_[at_++] == '\n';
    return at_ == text_.size();
}

std::string_view Scanner::word() {
    at_end();
    const std::size_t begin = at_;
    while (at_ < text_.size() && !blank(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
}

std::string_view Scanner::peek() {
    at_end();
    const std::size_t begin = at_;
    const std::string_view found = word();
    at_ = begin;
    return found;
}

std::string_view Scanner::line() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view found = text_.substr(at_, end - at_);
    at_ = end;
    if (!found.empty() && found.back() == '\r') found.remove_suffix(1);
    return found;
}

void Scanner::skip_line() {
    line();
    if (at_ < text_.size()) {
        ++at_;
        ++line_;
    }
}

double Scanner::number(const char* what) {
    const std::string_view text = word();
    double value = 0;
    const auto [end, error] =
        std::from_chars(text.data() + (text.size() > 1 && text[0] == '+'), text.data() + text.size(), value);
    if (text.empty()) refuse(fmt::format("the file ends where {} should be", what));
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        refuse(fmt::format("\"{}\" is not {}", shown(text), what));
    return value;
}

std::int64_t Scanner::integer(const char* what, std::int64_t least, std::int64_t most) {
    const std::string_view text = word();
    std::int64_t value = 0;
    const auto [end, error] =
        std::from_chars(text.data() + (text.size() > 1 && text[0] == '+'), text.data() + text.size(), value);
    if (text.empty()) refuse(fmt::format("the file ends where {} should be", what));
    if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
        refuse(fmt::format("\"{}\" is not {}, a whole number from {} to {}", shown(text), what, least, most));
    return value;
}

void Scanner::refuse(const std::string& message) const { refuse_at(name_, line_, 0, message); }

Bytes map_beside(const std::string& header, const std::string& file) {
    const std::filesystem::path path(file);
    try {
        return map_file(path.is_absolute() ? file : (std::filesystem::path(header).parent_path() / path).string());
    } catch (const Error& error) {
        throw Error(error.kind(), fmt::format("{} names a file of data: {}", header, harmless(error.what())));
    }
}

Image labels_in_text(Image header, Scanner& scanner) {
    std::size_t voxels = 1;
    for (const std::size_t n : header.size) voxels *= n;  // sizes are below 2^20 each
    std::string labels;
    for (std::size_t k = 0; k < voxels; ++k) {
        const auto label = static_cast<Label>(scanner.integer("a label", -2147483647, 2147483647));
        labels.append(reinterpret_cast<const char*>(&label), sizeof(label));
    }
    place_data(header, bytes_of(std::move(labels), header.name), 0, Element::i32,
               std::endian::native == std::endian::big);
    return header;
}

}  // namespace scree::micro
