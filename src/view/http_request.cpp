#include "view/http_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace scree::view {
namespace {

bool is_token(std::string_view text) {
    constexpr std::string_view others = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::all_of(text.begin(), text.end(), [&](unsigned char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
               others.find(static_cast<char>(c)) != std::string_view::npos;
    });
}

int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// None for a broken escape, or one that hides a control character.
std::optional<std::string> decoded(std::string_view text) {
    std::string out;
    for (std::size_t k = 0; k < text.size(); ++k) {
        char c = text[k];
        if (c == '%') {
            if (k + 2 >= text.size()) return {};
            const int high = hex_value(text[k + 1]), low = hex_value(text[k + 2]);
            if (high < 0 || low < 0) return {};
            c = static_cast<char>(high * 16 + low);
            k += 2;
        }
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return {};
        out += c;
    }
    return out;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

std::optional<HttpRefusal> read_target(std::string_view target, HttpRequest& request) {
    if (target.empty() || target[0] != '/') return HttpRefusal{400, "the target must be a path"};
    const std::size_t question = target.find('?');
    const auto path = decoded(target.substr(0, question));
    if (!path) return HttpRefusal{400, "the path is not well encoded"};
    request.path = *path;
    std::string_view rest = question == std::string_view::npos ? std::string_view{} : target.substr(question + 1);
    while (!rest.empty()) {
        const std::string_view part = rest.substr(0, rest.find('&'));
        rest.remove_prefix(std::min(rest.size(), part.size() + 1));
        const std::size_t equals = part.find('=');
        const auto key = decoded(part.substr(0, equals));
        const auto value = decoded(equals == std::string_view::npos ? std::string_view{} : part.substr(equals + 1));
        if (!key || !value) return HttpRefusal{400, "the query is not well encoded"};
        request.query[*key] = *value;
    }
    return {};
}

std::optional<HttpRefusal> read_headers(std::string_view text, HttpRequest& request) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find("\r\n"));
        text.remove_prefix(std::min(text.size(), line.size() + 2));
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos || !is_token(line.substr(0, colon)))
            return HttpRefusal{400, "a header is malformed"};
        const std::string_view value = trimmed(line.substr(colon + 1));
        if (std::any_of(value.begin(), value.end(),
                        [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7f; }))
            return HttpRefusal{400, "a header has a control character"};
        const std::string name = lower(line.substr(0, colon));
        if (!request.headers.try_emplace(name, value).second &&
            (name == "host" || name == "content-length" || name == "transfer-encoding"))
            return HttpRefusal{400, fmt::format("{} is given twice", name)};
    }
    return {};
}

}  // namespace

std::string HttpRequest::header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string{} : found->second;
}

std::optional<std::uint64_t> HttpRequest::number(const std::string& key) const {
    const auto found = query.find(key);
    if (found == query.end()) return {};
    const std::string& text = found->second;
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return {};
    return value;
}

ParsedRequest parse_request(std::string_view head, int port) {
    ParsedRequest out;
    HttpRequest& request = out.request;
    const auto refuse = [&](int status, std::string reason) {
        out.refusal = HttpRefusal{status, std::move(reason)};
        request.keep_alive = false;
        return out;
    };
    const std::string_view line = head.substr(0, head.find("\r\n"));
    const std::size_t first = line.find(' '), last = line.rfind(' ');
    if (first == std::string_view::npos || first == last) return refuse(400, "the request line is malformed");
    const std::string_view method = line.substr(0, first), target = line.substr(first + 1, last - first - 1),
                           version = line.substr(last + 1);
    if (!is_token(method) || target.find(' ') != std::string_view::npos)
        return refuse(400, "the request line is malformed");
    if (version != "HTTP/1.1" && version != "HTTP/1.0") return refuse(505, "HTTP/1.1 is spoken here");
    if (const auto refusal = read_headers(head.substr(std::min(head.size(), line.size() + 2)), request))
        return refuse(refusal->status, refusal->reason);
    if (method != "GET" && method != "HEAD") return refuse(405, "only GET and HEAD are answered");
    request.head_only = method == "HEAD";
    if (const auto refusal = read_target(target, request)) return refuse(refusal->status, refusal->reason);
    const std::string length = request.header("content-length");
    if (request.headers.contains("transfer-encoding") || (!length.empty() && length != "0"))
        return refuse(400, "a request here has no body");

    const std::string host = lower(request.header("host")), suffix = fmt::format(":{}", port);
    if (host.empty()) return refuse(400, "Host is missing");
    if (host != "127.0.0.1" + suffix && host != "localhost" + suffix)
        return refuse(403, "Host is not this server's name");
    // A browser says when another site's page asks; nothing here is meant for other sites. Following a link is fine.
    const std::string site = request.header("sec-fetch-site"), mode = request.header("sec-fetch-mode");
    if ((site == "cross-site" || site == "same-site") && mode != "navigate")
        return refuse(403, "other sites may not ask");
    const std::string connection = lower(request.header("connection"));
    request.keep_alive = version == "HTTP/1.1" && connection.find("close") == std::string::npos;
    return out;
}

}  // namespace scree::view
