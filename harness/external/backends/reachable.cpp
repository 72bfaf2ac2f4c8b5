#include "harness/external/backends/reachable.h"

#include <chrono>
#include <thread>
#include <utility>

#include "harness/webhooks/curl_handles.h"

namespace fixpoint::external {

namespace {

constexpr std::chrono::milliseconds kPause{100};
constexpr std::chrono::seconds kSlowAfter{5}, kWithoutTls{10};

enum class Reached { nothing, port, tls };

Reached reached_at(const std::string& url) {
  const webhooks::CurlHandle handle(curl_easy_init());
  if (!handle) return Reached::nothing;
  curl_easy_setopt(handle.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(handle.get(), CURLOPT_CONNECT_ONLY, 1L);
  curl_easy_setopt(handle.get(), CURLOPT_PROXY, "");
  curl_easy_setopt(handle.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle.get(), CURLOPT_TIMEOUT_MS, 2000L);
  curl_easy_setopt(handle.get(), CURLOPT_SSL_VERIFYPEER, 0L);  // whose certificate it is, the calls ask
  curl_easy_setopt(handle.get(), CURLOPT_SSL_VERIFYHOST, 0L);
  const CURLcode code = curl_easy_perform(handle.get());
  if (code == CURLE_OK) return Reached::tls;
  return code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_HOST ? Reached::nothing
                                                                             : Reached::port;
}

}  // namespace

std::optional<document::Error> wait_until_reachable(const std::string& url, int seconds_max,
                                                    const std::function<void()>& when_slow) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const auto latest = begin + std::chrono::seconds(seconds_max);
  bool is_slow = false;
  for (;;) {
    const Reached reached = reached_at(url);
    if (reached == Reached::tls) return std::nullopt;
    if (!is_slow && Clock::now() - begin >= kSlowAfter) {
      is_slow = true;
      when_slow();
    }
    if (reached == Reached::port && Clock::now() - begin >= kWithoutTls) return std::nullopt;
    if (reached == Reached::nothing && Clock::now() >= latest) {
      return document::Error{"nothing answered within " + std::to_string(seconds_max) +
                                 " s: start the webhook with the kubeconfig of --kubeconfig-out",
                             url};
    }
    std::this_thread::sleep_for(kPause);
  }
}

webhooks::Handler across_restarts(webhooks::Handler inner, std::function<bool()> is_back,
                                  std::shared_ptr<Restarts> restarts) {
  return [inner = std::move(inner), is_back = std::move(is_back), restarts = std::move(restarts),
          was_there = std::make_shared<std::atomic<bool>>(false)](const webhooks::Call& call) {
    webhooks::Answer answer = inner(call);
    if (!answer.problem.starts_with("connection refused")) {
      *was_there = true;
      return answer;
    }
    if (!was_there->exchange(false) || !is_back()) return answer;
    ++restarts->count;
    answer = inner(call);
    *was_there = !answer.problem.starts_with("connection refused");
    return answer;
  };
}

}  // namespace fixpoint::external
