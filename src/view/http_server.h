// A web server for one user on this machine: loopback only, GET and HEAD only, one thread.
//
// All connections are watched by one poll(), and none can hold up the others: each has a deadline to finish its request
// and to take its answer, heads have a largest size, connections a largest number (the one that has waited longest
// gives way) and answers on their way a largest sum. Answers are computed in between, which for a frame of a million
// grains takes a fraction of a second; nobody else is waiting.
//
// Rejected: a server with a thread per connection, where a handful of half-open connections uses up the pool; and a
// library, whose readings of odd requests would be ours to audit.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "view/http_request.h"

namespace scree::view {

struct HttpResponse {
    int status = 200;
    std::string type = "text/plain; charset=utf-8";
    std::string body;
    std::vector<std::pair<std::string, std::string>> headers;
};

struct HttpLimits {
    double head_seconds = 10;   // from the first byte, or from connecting, to the end of the head
    double idle_seconds = 60;   // between two requests
    double stall_seconds = 20;  // without taking any of the answer
    std::size_t connections = 64;
    std::size_t bytes_on_their_way = std::size_t(256) << 20;
};

class HttpServer {
  public:
    using Handler = std::function<HttpResponse(const HttpRequest&)>;

    // Listens at 127.0.0.1. Port 0: any free one. Throws Error(run_time) when the port cannot be had.
    HttpServer(int port, Handler handler, HttpLimits limits = {});
    ~HttpServer();
    int port() const;

    // Serves until stop() says true; it is asked several times a second.
    void serve(const std::function<bool()>& stop);

    // Whether somebody listens at the port already.
    static bool is_taken(int port);

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace scree::view
