#include "bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "scree/error.h"

namespace scree::micro {

Bytes map_file(const std::string& path) {
    const auto fail = [&](const char* why) {
        throw Error(ErrorKind::file, fmt::format("cannot read {}: {}", path, why));
    };
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) fail(std::strerror(errno));
    struct stat status {};
    if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        ::close(file);
        fail(S_ISDIR(status.st_mode) ? "it is a folder" : "it is no regular file");
    }
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size == 0) {
        ::close(file);
        return bytes_of("", path);
    }
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    const int trouble = errno;
    ::close(file);
    if (data == MAP_FAILED) fail(std::strerror(trouble));
    Bytes bytes;
    bytes.owner = std::shared_ptr<const void>(data, [size](const void* p) { ::munmap(const_cast<void*>(p), size); });
    bytes.text = {static_cast<const char*>(data), size};
    bytes.name = path;
    return bytes;
}

Bytes bytes_of(std::string text, const std::string& name) {
    const auto kept = std::make_shared<const std::string>(std::move(text));
    return {kept, *kept, name};
}

Bytes inflated(const Bytes& packed, std::size_t size, const std::string& place) {
    // No file packs better than 1032:1, so a size that a broken header made up is refused before memory is taken.
    if (size / 1040 > packed.size())
        throw Error(ErrorKind::bad_input,
                    fmt::format("{}: {} packed bytes cannot hold {} bytes; the file is cut off or its sizes are wrong",
                                place, packed.size(), size));
    std::string out(size, '\0');
    z_stream stream{};
    if (inflateInit2(&stream, 15 + 32) != Z_OK) throw Error(ErrorKind::run_time, "zlib cannot start");
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.text.data()));
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    std::size_t in_left = packed.size(), out_left = size;
    constexpr std::size_t most = 1u << 30;
    int result = Z_OK;
    while (result == Z_OK && (in_left > 0 || stream.avail_in > 0)) {
        if (stream.avail_in == 0) in_left -= stream.avail_in = static_cast<uInt>(std::min(in_left, most));
        if (stream.avail_out == 0) {
            if (out_left == 0) break;
            out_left -= stream.avail_out = static_cast<uInt>(std::min(out_left, most));
        }
        result = inflate(&stream, Z_NO_FLUSH);
    }
    const std::size_t missing = out_left + stream.avail_out;
    const std::string reason = stream.msg ? stream.msg : "";
    inflateEnd(&stream);
    if (missing > 0)
        throw Error(ErrorKind::bad_input, fmt::format("{}: the packed data end {} bytes early{}", place, missing,
                                                      reason.empty() ? "" : " (" + reason + ")"));
    return bytes_of(std::move(out), packed.name);
}

std::string decoded_base64(std::string_view text, const std::string& place) {
    std::string out;
    out.reserve(text.size() / 4 * 3);
    unsigned group = 0;
    int count = 0, padding = 0;
    for (const char c : text) {
        if (c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
        unsigned value = 0;
        if (c >= 'A' && c <= 'Z')
            value = static_cast<unsigned>(c - 'A');
        else if (c >= 'a' && c <= 'z')
            value = static_cast<unsigned>(c - 'a' + 26);
        else if (c >= '0' && c <= '9')
            value = static_cast<unsigned>(c - '0' + 52);
        else if (c == '+')
            value = 62;
        else if (c == '/')
            value = 63;
        else if (c == '=')
            ++padding;
        else
            throw Error(ErrorKind::bad_input, fmt::format("{}: the base64 data hold a character of code {}", place,
                                                          static_cast<int>(static_cast<unsigned char>(c))));
        group = group << 6 | value;
        if (++count < 4) continue;
        for (int k = 0; k < 3 - std::min(padding, 3); ++k) out += static_cast<char>(group >> (16 - 8 * k) & 0xff);
        group = 0;
        count = padding = 0;
    }
    if (count != 0) throw Error(ErrorKind::bad_input, fmt::format("{}: the base64 data are cut off", place));
    return out;
}

}  // namespace scree::micro
