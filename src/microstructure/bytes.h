// The bytes of a file, mapped into memory: a file larger than memory is read page by page as it is looked at.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace scree::micro {

struct Bytes {
    std::shared_ptr<const void> owner;  // of what `text` shows
    std::string_view text;
    std::string name;  // of the file, for messages

    std::size_t size() const { return text.size(); }
};

// Throws Error(file) if the file cannot be read.
Bytes map_file(const std::string& path);
Bytes bytes_of(std::string text, const std::string& name);

// `size` bytes by the method of zlib and gzip. Throws Error(bad_input) that begins with `place` unless there are as
// many.
Bytes inflated(const Bytes& packed, std::size_t size, const std::string& place);
// Throws likewise at a character that base64 does not have. Blanks are skipped; what follows a padded group begins
// anew.
std::string decoded_base64(std::string_view text, const std::string& place);

}  // namespace scree::micro
