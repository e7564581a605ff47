// One reader per format, for read_image().
#pragma once

#include "image.h"
#include "scree/error.h"

namespace scree::micro {

Image parse_tesr(const Bytes& bytes);
Image parse_vti(const Bytes& bytes);
Image parse_nrrd(const Bytes& bytes);
Image parse_mhd(const Bytes& bytes);
Image parse_npy(const Bytes& bytes);
Image parse_label_csv(const Bytes& bytes);

// Words and lines of a text, with the place of each for messages.
class Scanner {
  public:
    Scanner(std::string_view text, std::string name, std::size_t at = 0, int line = 1)
        : text_(text),
          name_(std::move(name)),
          at_(at),
          line_(line) {}

    bool at_end();            // but for blanks
    std::string_view word();  // empty at the end
    std::string_view peek();
    std::string_view line();  // the rest of this line, without its end
    double number(const char* what);
    std::int64_t integer(const char* what, std::int64_t least, std::int64_t most);
    [[noreturn]] void refuse(const std::string& message) const;
    std::size_t at() const { return at_; }
    int line_number() const { return line_; }
    void skip_line();

  private:
    std::string_view text_;
    std::string name_;
    std::size_t at_;
    int line_;
};

// The data of a file that a header names, looked up beside it.
Bytes map_beside(const std::string& header, const std::string& file);

// Numbers in text, one per voxel, x fastest.
Image labels_in_text(Image header, Scanner& scanner);

}  // namespace scree::micro
