#include "view/http_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <list>

#include "io/files.h"
#include "scree/error.h"

namespace scree::view {
namespace {

using Clock = std::chrono::steady_clock;

const char* status_text(int status) {
    switch (status) {
        case 200:
            return "OK";
        case 204:
            return "No Content";
        case 400:
            return "Bad Request";
        case 403:
            return "Forbidden";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 408:
            return "Request Timeout";
        case 431:
            return "Request Header Fields Too Large";
        case 500:
            return "Internal Server Error";
        case 503:
            return "Service Unavailable";
        case 505:
            return "HTTP Version Not Supported";
        default:
            return "Unknown";
    }
}

// Headers of every answer: the page may run its own script only, may be framed by nobody, and nobody else may read.
constexpr const char* safety =
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "media-src blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "X-Frame-Options: DENY\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "Cache-Control: no-store\r\n";

struct Connection {
    FileHandle socket;
    std::string in, out;
    std::size_t sent = 0;
    bool close_after = false;  // the answer
    bool ended = false;        // nothing more will come in, yet the client may still wait for its answer
    bool cut_off = false;      // its answer was given up for those of others
    bool draining =
        false;  // all is said; what still comes in is thrown away, so that the answer is not lost to a reset
    Clock::time_point deadline, since;

    bool answering() const { return sent < out.size(); }
};

sockaddr_in loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

FileHandle listening_socket(int port) {
    FileHandle listener = FileHandle::adopt(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (listener.get() < 0)
        throw Error(ErrorKind::run_time, fmt::format("cannot make a socket: {}", std::strerror(errno)));
    // Connections of an earlier server that are still winding down do not count as taken.
    const int yes = 1;
    ::setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    const sockaddr_in address = loopback(port);
    if (::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(listener.get(), 64) != 0) {
        const int error = errno;
        listener.close();
        errno = error;
    }
    return listener;
}

}  // namespace

struct HttpServer::Parts {
    Handler handler;
    HttpLimits limits;
    FileHandle listener;
    int port = 0;
    std::list<Connection> connections;

    static Clock::duration seconds(double value) {
        return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(value));
    }

    // Who gives way to a newcomer: whoever has been silent longest; if all are being answered, whoever has taken
    // nothing of the answer for longest. Those who take what they asked for stay.
    std::list<Connection>::iterator most_idle() {
        return std::min_element(connections.begin(), connections.end(), [](const Connection& a, const Connection& b) {
            return a.answering() != b.answering() ? !a.answering() : a.since < b.since;
        });
    }

    void accept_all(Clock::time_point now) {
        for (;;) {
            FileHandle socket =
                FileHandle::adopt(::accept4(listener.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
            if (socket.get() < 0) return;
            if (connections.size() >= limits.connections) connections.erase(most_idle());
            const int yes = 1;
            ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
            Connection& c = connections.emplace_back();
            c.socket = std::move(socket);
            c.deadline = now + seconds(limits.head_seconds);
            c.since = now;
        }
    }

    std::size_t on_their_way() const {
        std::size_t sum = 0;
        for (const Connection& c : connections) sum += c.out.size();
        return sum;
    }

    // Makes room for an answer: whoever has taken nothing of theirs for longest, and for a second at least, loses it
    // and is cut off when next looked at. False if there is no room.
    bool make_room(Clock::time_point now) {
        while (on_their_way() > limits.bytes_on_their_way) {
            Connection* worst = nullptr;
            for (Connection& c : connections)
                if (c.answering() && now - c.since > seconds(1) && (!worst || c.since < worst->since)) worst = &c;
            if (!worst) return false;
            worst->out = {};
            worst->sent = 0;
            worst->cut_off = true;
        }
        return true;
    }

    void answer(Connection& c, const HttpResponse& response, bool head_only, bool keep_alive, Clock::time_point now) {
        c.out = fmt::format("HTTP/1.1 {} {}\r\n{}Content-Type: {}\r\nContent-Length: {}\r\n", response.status,
                            status_text(response.status), safety, response.type, response.body.size());
        for (const auto& [name, value] : response.headers) c.out += fmt::format("{}: {}\r\n", name, value);
        c.out += keep_alive ? "\r\n" : "Connection: close\r\n\r\n";
        if (!head_only) c.out += response.body;
        c.sent = 0;
        c.close_after = !keep_alive;
        c.deadline = now + seconds(limits.stall_seconds);
    }

    void refuse(Connection& c, int status, const std::string& reason, bool head_only, Clock::time_point now) {
        HttpResponse response{status, "text/plain; charset=utf-8", reason + "\n", {}};
        if (status == 405) response.headers.push_back({"Allow", "GET, HEAD"});
        answer(c, response, head_only, false, now);
    }

    // Answers the request whose head has come in whole, if one has.
    void take_request(Connection& c, Clock::time_point now) {
        if (c.answering() || c.draining) return;
        const std::size_t end = c.in.find("\r\n\r\n");
        if (end == std::string::npos) {
            if (c.in.size() >= longest_request_head) refuse(c, 431, "the head of the request is too long", false, now);
            return;
        }
        if (end > longest_request_head) return refuse(c, 431, "the head of the request is too long", false, now);
        const ParsedRequest parsed = parse_request(std::string_view(c.in).substr(0, end), port);
        c.in.erase(0, end + 4);
        if (parsed.refusal)
            return refuse(c, parsed.refusal->status, parsed.refusal->reason, parsed.request.head_only, now);
        if (!make_room(now)) return refuse(c, 503, "too many answers are on their way", parsed.request.head_only, now);
        HttpResponse response;
        try {
            response = handler(parsed.request);
        } catch (const std::exception& error) {
            response = {500, "text/plain; charset=utf-8", std::string(error.what()) + "\n", {}};
        }
        answer(c, response, parsed.request.head_only, parsed.request.keep_alive, Clock::now());
    }

    // False when the connection is over.
    bool read_from(Connection& c, Clock::time_point now) {
        char buffer[1 << 14];
        for (int round = 0; round < 4; ++round) {
            // One request at a time: what else was sent waits in the kernel.
            if (!c.draining && c.in.size() > longest_request_head) return true;
            const ssize_t got = ::recv(c.socket.get(), buffer, sizeof buffer, 0);
            if (got == 0) {
                c.ended = true;
                return !c.draining;
            }
            if (got < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
            if (c.draining) continue;
            if (c.in.empty()) c.deadline = now + seconds(limits.head_seconds);
            c.in.append(buffer, static_cast<std::size_t>(got));
            c.since = now;
        }
        return true;
    }

    bool write_to(Connection& c, Clock::time_point now) {
        while (c.answering()) {
            const ssize_t done = ::send(c.socket.get(), c.out.data() + c.sent, c.out.size() - c.sent, MSG_NOSIGNAL);
            if (done < 0 && errno == EINTR) continue;
            if (done < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
            c.sent += static_cast<std::size_t>(done);
            c.since = now;
            c.deadline = now + seconds(limits.stall_seconds);
        }
        if (c.out.empty()) return true;
        c.out = {};
        c.sent = 0;
        c.since = now;
        c.deadline = now + seconds(c.in.empty() ? limits.idle_seconds : limits.head_seconds);
        if (c.close_after) {
            ::shutdown(c.socket.get(), SHUT_WR);
            c.draining = true;
            c.deadline = now + seconds(1);
        }
        return true;
    }

    bool attend(Connection& c, short events, Clock::time_point now) {
        if (c.cut_off || (events & (POLLERR | POLLNVAL))) return false;
        if ((events & (POLLIN | POLLHUP)) && !c.ended && !read_from(c, now)) return false;
        // Requests that came together are answered one after the other, each sent as far as the socket takes it.
        for (;;) {
            take_request(c, now);
            if (!c.answering()) break;
            if (!write_to(c, now)) return false;
            if (c.answering()) break;
        }
        if (c.ended && !c.answering()) return false;
        if (now < c.deadline) return true;
        if (c.answering() || c.draining || c.in.empty()) return false;
        refuse(c, 408, "the request took too long", false, now);
        return write_to(c, now);
    }
};

bool HttpServer::is_taken(int port) { return listening_socket(port).get() < 0 && errno == EADDRINUSE; }

HttpServer::HttpServer(int port, Handler handler, HttpLimits limits) : parts_(std::make_unique<Parts>()) {
    parts_->handler = std::move(handler);
    parts_->limits = limits;
    parts_->listener = listening_socket(port);
    if (parts_->listener.get() < 0) {
        const int error = errno;
        if (error == EADDRINUSE)
            throw Error(ErrorKind::run_time, fmt::format("port {} is taken by another program; choose another with "
                                                         "--port, or leave --port out to get a free one",
                                                         port));
        if (error == EACCES)
            throw Error(ErrorKind::run_time,
                        fmt::format("port {} is not for ordinary users; choose one above 1023", port));
        throw Error(ErrorKind::run_time, fmt::format("cannot listen at port {}: {}", port, std::strerror(error)));
    }
    sockaddr_in address{};
    socklen_t size = sizeof address;
    ::getsockname(parts_->listener.get(), reinterpret_cast<sockaddr*>(&address), &size);
    parts_->port = ntohs(address.sin_port);
}

HttpServer::~HttpServer() = default;

int HttpServer::port() const { return parts_->port; }

void HttpServer::serve(const std::function<bool()>& stop) {
    std::vector<pollfd> watched;
    while (!stop()) {
        watched.assign(1, {parts_->listener.get(), POLLIN, 0});
        for (const Connection& c : parts_->connections) {
            const bool deaf = c.ended || (!c.draining && c.in.size() > longest_request_head);
            watched.push_back(
                {c.socket.get(), static_cast<short>((deaf ? 0 : POLLIN) | (c.answering() ? POLLOUT : 0)), 0});
        }
        if (::poll(watched.data(), watched.size(), 200) < 0 && errno != EINTR)
            throw Error(ErrorKind::run_time, fmt::format("cannot wait for requests: {}", std::strerror(errno)));
        const Clock::time_point now = Clock::now();
        std::size_t k = 1;
        for (auto c = parts_->connections.begin(); c != parts_->connections.end(); ++k) {
            const bool goes_on = parts_->attend(*c, watched[k].revents, now);
            c = goes_on ? std::next(c) : parts_->connections.erase(c);
        }
        if (watched[0].revents) parts_->accept_all(now);
    }
}

}  // namespace scree::view
