#include "harness/webhooks/server.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "harness/webhooks/review_server.h"

namespace fixpoint::webhooks {

namespace {

using document::Result;

HttpAnswer refuse(int status, const std::string& why) {
  return {.status = status, .body = why + "\n", .content_type = "text/plain"};
}

}  // namespace

struct Server::Hidden {
  std::map<std::string, Respond> paths = {};
  Limits limits = {};
  std::atomic<std::uint64_t> reviews{0};
  std::unique_ptr<HttpServer> server = {};

  HttpAnswer answer(const HttpRequest& request) {
    const auto found = paths.find(request.path);
    if (found == paths.end() || request.method != "POST") return refuse(404, "no webhook is served here");
    ++reviews;
    const auto review = read_request(request.body, limits);
    if (!review) return refuse(400, review.error().text());
    const Answer answer = found->second(review->request, review->name, review->uid, review->version);
    auto text = write_answer(*review, answer);
    if (!text) return refuse(500, answer.problem);
    return {.body = *std::move(text)};
  }
};

Server::Server(std::unique_ptr<Hidden> hidden) : hidden_(std::move(hidden)) {}
Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::start(const ServerOptions& options,
                                              std::map<std::string, Respond> paths) {
  auto hidden = std::make_unique<Hidden>();
  hidden->paths = std::move(paths);
  hidden->limits = options.limits;
  auto server = HttpServer::start(
      options, [own = hidden.get()](const HttpRequest& request) { return own->answer(request); });
  if (!server) return std::move(server).error();
  hidden->server = *std::move(server);
  return std::unique_ptr<Server>(new Server(std::move(hidden)));
}

int Server::port() const { return hidden_->server->port(); }
std::uint64_t Server::reviews() const { return hidden_->reviews; }

}  // namespace fixpoint::webhooks
