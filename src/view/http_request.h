// The head of an HTTP request, read strictly: what a browser never sends is refused rather than interpreted.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace scree::view {

constexpr std::size_t longest_request_head = 16 << 10;

struct HttpRequest {
    bool head_only = false;                      // HEAD in place of GET
    std::string path;                            // decoded
    std::map<std::string, std::string> query;    // decoded
    std::map<std::string, std::string> headers;  // names in lower case
    bool keep_alive = true;

    std::string header(const std::string& name) const;
    std::optional<std::uint64_t> number(const std::string& key) const;  // of the query: decimal digits only
};

struct HttpRefusal {
    int status;
    std::string reason;  // one line, told to the client
};

// `head` is everything up to and without the empty line. `port` is the server's, for the check of Host: a page of
// another site whose name was rebound to this machine would send its own name there.
struct ParsedRequest {
    HttpRequest request;
    std::optional<HttpRefusal> refusal;
};
ParsedRequest parse_request(std::string_view head, int port);

}  // namespace scree::view
