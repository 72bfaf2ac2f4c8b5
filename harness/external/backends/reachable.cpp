#include "harness/external/backends/reachable.h"

#include <netdb.h>
#include <sys/socket.h>

#include <chrono>
#include <memory>
#include <thread>

#include "harness/webhooks/descriptor.h"

namespace fixpoint::external {

namespace {

struct HostAndPort {
  std::string host, port;
};

HostAndPort place_of(const std::string& url) {
  const auto scheme = url.find("://");
  const auto begin = scheme == std::string::npos ? 0 : scheme + 3;
  const std::string place = url.substr(begin, url.find('/', begin) - begin);
  const auto bracket = place.find(']');
  const auto colon = place.rfind(':');
  const bool has_port = colon != std::string::npos && (bracket == std::string::npos || colon > bracket);
  std::string host = place.substr(0, has_port ? colon : place.size());
  if (bracket != std::string::npos) host = host.substr(1, bracket - 1);
  return {host, has_port ? place.substr(colon + 1) : "443"};
}

bool accepts(const HostAndPort& place) {
  addrinfo wanted{}, *found = nullptr;
  wanted.ai_socktype = SOCK_STREAM;
  if (getaddrinfo(place.host.c_str(), place.port.c_str(), &wanted, &found) != 0) return false;
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> all(found, freeaddrinfo);
  for (const addrinfo* one = all.get(); one != nullptr; one = one->ai_next) {
    const webhooks::Descriptor socket(::socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (connect(socket.get(), one->ai_addr, one->ai_addrlen) == 0) return true;
  }
  return false;
}

}  // namespace

std::optional<document::Error> wait_until_reachable(const std::string& url, int seconds_max) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kPause{100};
  const HostAndPort place = place_of(url);
  const auto end = Clock::now() + std::chrono::seconds(seconds_max);
  while (!accepts(place)) {
    if (Clock::now() >= end) {
      return document::Error{"nothing answered within " + std::to_string(seconds_max) +
                                 " s: start the webhook with the kubeconfig of --kubeconfig-out",
                             url};
    }
    std::this_thread::sleep_for(kPause);
  }
  return std::nullopt;
}

}  // namespace fixpoint::external
