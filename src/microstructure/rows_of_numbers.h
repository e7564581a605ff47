// Numbers of a list in lines of about a hundred characters, for files in text.
#pragma once

#include <fmt/format.h>

#include <iterator>

#include "cells.h"

namespace scree::micro {

class RowsOfNumbers {
  public:
    explicit RowsOfNumbers(const Put& put) : put_(put) {}
    template <class T>
    void add(const T& value) {
        fmt::format_to(std::back_inserter(text_), "{} ", value);
        if (text_.size() - line_ > 100) {
            text_.push_back('\n');
            line_ = text_.size();
        }
        if (text_.size() > 100000) flush();
    }
    void flush() {
        put_({text_.data(), text_.size()});
        text_.clear();
        line_ = 0;
    }
    // An array of a VTK file in XML.
    void begin_array(const char* type, const char* name, const char* more = "") {
        flush();
        put_(fmt::format("<DataArray type=\"{}\" Name=\"{}\"{} format=\"ascii\">\n", type, name, more));
    }
    void end_array() {
        flush();
        put_("\n</DataArray>\n");
    }

  private:
    const Put& put_;
    fmt::memory_buffer text_;
    std::size_t line_ = 0;
};

}  // namespace scree::micro
