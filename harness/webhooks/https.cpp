#include "harness/webhooks/https.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>

#include "harness/document/base64.h"
#include "harness/webhooks/curl_handles.h"
#include "harness/webhooks/process.h"
#include "harness/webhooks/review.h"

namespace fixpoint::webhooks {

namespace {

using document::Error;
using document::Result;
using Clock = std::chrono::steady_clock;

struct FreeUrl {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};

/// Initialises the library once before its first use.
void prepare_library() {
  static const CURLcode prepared = curl_global_init(CURL_GLOBAL_DEFAULT);
  static_cast<void>(prepared);
}

std::string part_of(CURLU* url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, 0) != CURLUE_OK || text == nullptr) return "";
  std::string out(text);
  curl_free(text);
  return out;
}

bool is_loopback(const sockaddr* address) {
  if (address->sa_family == AF_INET) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    const auto* four = reinterpret_cast<const sockaddr_in*>(address);
    return (ntohl(four->sin_addr.s_addr) >> 24) == 127;
  }
  if (address->sa_family != AF_INET6) return false;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
  return IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
}

bool is_loopback_host(std::string host) {
  if (host == "localhost") return true;
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  in_addr four{};
  in6_addr six{};
  if (inet_pton(AF_INET, host.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24) == 127;
  return inet_pton(AF_INET6, host.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

/// Returns the reason why the API or our safety rules reject a webhook's URL; empty for a valid one.
std::string problem_of(const HttpsOptions& options) {
  const std::unique_ptr<CURLU, FreeUrl> url(curl_url());
  if (curl_url_set(url.get(), CURLUPART_URL, options.url.c_str(), CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK)
    return "expected a URL such as https://127.0.0.1:9443/mutate";
  if (part_of(url.get(), CURLUPART_SCHEME) != "https")
    return "expected an https URL: webhooks are called over TLS only";
  constexpr auto kForbidden =
      std::to_array<std::pair<CURLUPart, const char*>>({{CURLUPART_USER, "user info"},
                                                        {CURLUPART_PASSWORD, "user info"},
                                                        {CURLUPART_QUERY, "a query"},
                                                        {CURLUPART_FRAGMENT, "a fragment"}});
  for (const auto& [part, what] : kForbidden) {
    if (!part_of(url.get(), part).empty()) return std::string("expected a URL without ").append(what);
  }
  const std::string& at = options.connect_to;
  const std::string host = at.empty() ? part_of(url.get(), CURLUPART_HOST) : at.substr(0, at.rfind(':'));
  if (!options.allow_remote && !is_loopback_host(host))
    return "is not a loopback address: --allow-remote allows others";
  return "";
}

/// Returns the PEM text of a CA bundle, which may be in base64.
std::optional<std::string> pem_of(const std::string& bundle) {
  constexpr std::string_view kMark = "-----BEGIN CERTIFICATE-----";
  if (bundle.find(kMark) != std::string::npos) return bundle;
  auto decoded = document::decode_base64(bundle);
  if (!decoded || decoded->find(kMark) == std::string::npos) return std::nullopt;
  return decoded;
}

/// The response to one request.
struct Response {
  std::string body = {};
  std::size_t header_bytes = 0;
  std::size_t bytes_max = 0;
  bool is_too_long = false;
};

// The library's callbacks; it defines what they return.
std::size_t take_body(char* data, std::size_t size, std::size_t count, void* into) {
  auto& response = *static_cast<Response*>(into);
  response.is_too_long = size * count > response.bytes_max - response.body.size();
  if (response.is_too_long) return CURL_WRITEFUNC_ERROR;
  response.body.append(data, size * count);
  return size * count;
}
std::size_t take_header(char*, std::size_t size, std::size_t count, void* into) {
  auto& response = *static_cast<Response*>(into);
  response.header_bytes += size * count;
  response.is_too_long = response.header_bytes > response.bytes_max;
  return response.is_too_long ? CURL_WRITEFUNC_ERROR : size * count;
}
curl_socket_t open_loopback_only(void*, curlsocktype, curl_sockaddr* address) {
  if (!is_loopback(&address->addr)) return CURL_SOCKET_BAD;
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/// Returns the seconds of the Retry-After header of a 429 or 5xx; nothing if the answer is final
/// (docs/simulator.md#3-3).
std::optional<int> retry_after(CURL* handle, long status) {
  if (status != 429 && status / 100 != 5) return std::nullopt;
  curl_header* header = nullptr;
  if (curl_easy_header(handle, "Retry-After", 0, CURLH_HEADER, -1, &header) != CURLHE_OK) return std::nullopt;
  std::string_view text = header->value;
  if (text.starts_with('+')) text.remove_prefix(1);
  int seconds = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (bad != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return std::max(seconds, 0);
}

Answer too_late() {
  Answer answer = fail("context deadline exceeded");
  answer.timed_out = true;
  return answer;
}

/// One webhook behind a URL, with its persistent connections.
class Client {
 public:
  explicit Client(HttpsOptions options) : options_(std::move(options)) {
    for (const char* line : {"Content-Type: application/json", "Accept: application/json, */*", "Expect:"})
      headers_.reset(curl_slist_append(headers_.release(), line));
    if (!options_.connect_to.empty())
      route_.reset(curl_slist_append(nullptr, ("::" + options_.connect_to).c_str()));
  }

  Answer call(const Call& call) {
    const std::string uid = fresh_uid();
    const int milliseconds = std::min(call.timeout_seconds * 1000, options_.limits.call_milliseconds_max);
    const auto deadline = Clock::now() + std::chrono::milliseconds(milliseconds);
    const std::string url = options_.url + "?timeout=" + std::to_string((milliseconds + 999) / 1000) + "s";
    const std::string body = write_review(call, uid);
    CurlHandle handle = take();
    if (!handle) return fail("no connection can be made");
    Answer answer;
    for (int attempt = 0;; ++attempt) {
      const auto wait = post(handle.get(), url, body, deadline, uid, attempt, answer);
      if (!wait) break;
      // The API server would sleep until its deadline ends the call, with the same result.
      if (Clock::now() + std::chrono::seconds(*wait) >= deadline) {
        answer = too_late();
        break;
      }
      std::this_thread::sleep_for(std::chrono::seconds(*wait));
    }
    give_back(std::move(handle));
    return answer;
  }

 private:
  /// Posts once; returns the seconds to wait before the next attempt, or nothing if there is none.
  std::optional<int> post(CURL* handle, const std::string& url, const std::string& body,
                          Clock::time_point deadline, std::string_view uid, int attempt, Answer& answer) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) {
      answer = too_late();
      return std::nullopt;
    }
    Response response{.bytes_max = options_.limits.answer_bytes_max};
    std::array<char, CURL_ERROR_SIZE> said{};
    curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
    curl_easy_setopt(handle, CURLOPT_POSTFIELDS, body.data());
    curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(left));
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &response);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, &response);
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, said.data());
    const CURLcode code = curl_easy_perform(handle);
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, nullptr);
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    if (code != CURLE_OK) {
      answer = failed(code, said.data(), response);
      return std::nullopt;
    }
    if (attempt < options_.limits.retries_max) {
      if (const auto wait = retry_after(handle, status)) return wait;
    }
    answer = judged(status, response, uid);
    return std::nullopt;
  }

  Answer judged(long status, const Response& response, std::string_view uid) const {
    if (status / 100 == 3)
      return fail("status " + std::to_string(status) + ": redirects are not followed",
                  refused_status(static_cast<int>(status), "unknown"));
    if (status < 200 || status > 206) {
      return fail("status " + std::to_string(status), refused_status(static_cast<int>(status), "unknown"));
    }
    return read_review(response.body, uid, options_.limits);
  }

  /// Returns the answer for a call without a usable response. Its text is the same in every such call.
  Answer failed(CURLcode code, const std::string& said, const Response& response) const {
    if (response.is_too_long) {
      return fail("the answer is longer than answer_bytes_max = " +
                  std::to_string(options_.limits.answer_bytes_max));
    }
    // The library has its own limit on headers.
    if (said.starts_with("Too large response headers")) return fail("the headers of the answer are too long");
    switch (code) {
      case CURLE_OPERATION_TIMEDOUT:
        return too_late();
      case CURLE_UNSUPPORTED_PROTOCOL:
      case CURLE_WEIRD_SERVER_REPLY:
        return fail("the answer is no HTTP");
      case CURLE_COULDNT_CONNECT:
        return fail("connection refused");
      case CURLE_PEER_FAILED_VERIFICATION:
      case CURLE_SSL_CONNECT_ERROR:
      case CURLE_SSL_CERTPROBLEM:
      case CURLE_SSL_CACERT_BADFILE:
        return fail("TLS: " + (said.empty() ? curl_easy_strerror(code) : said));
      case CURLE_PARTIAL_FILE:
      case CURLE_GOT_NOTHING:
      case CURLE_RECV_ERROR:
      case CURLE_SEND_ERROR:
        return fail(response.header_bytes == 0 ? "the connection ended without an answer"
                                               : "the connection ended in the middle of the answer");
      default:
        return fail(std::string("no HTTP answer: ").append(curl_easy_strerror(code)));
    }
  }

  CurlHandle take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        CurlHandle handle = std::move(idle_.back());
        idle_.pop_back();
        return handle;
      }
    }
    CurlHandle handle(curl_easy_init());
    if (handle) prepare(handle.get());
    return handle;
  }
  void give_back(CurlHandle handle) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(handle));
  }

  /// Sets the options that all calls share.
  void prepare(CURL* handle) const {
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "https");
    curl_easy_setopt(handle, CURLOPT_PROXY, "");
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(handle, CURLOPT_POST, 1L);
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers_.get());
    curl_easy_setopt(handle, CURLOPT_USERAGENT, "kube-apiserver-admission");
    curl_easy_setopt(handle, CURLOPT_ACCEPT_ENCODING, "gzip");
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(handle, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    curl_easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, 1L);
    curl_easy_setopt(handle, CURLOPT_SSL_VERIFYHOST, 2L);
    // HTTP/2 is used only on loopback (docs/simulator.md#3-2).
    curl_easy_setopt(
        handle, CURLOPT_HTTP_VERSION,
        static_cast<long>(is_loopback_url(options_.url) ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
    if (route_ != nullptr) curl_easy_setopt(handle, CURLOPT_CONNECT_TO, route_.get());
    if (!options_.allow_remote) curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open_loopback_only);
    const auto put = [&](CURLoption option, const std::string& pem) {
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
      curl_blob blob{.data = const_cast<char*>(pem.data()), .len = pem.size(), .flags = CURL_BLOB_COPY};
      curl_easy_setopt(handle, option, &blob);
    };
    if (!options_.ca_bundle.empty()) {
      curl_easy_setopt(handle, CURLOPT_CAINFO, nullptr);
      curl_easy_setopt(handle, CURLOPT_CAPATH, nullptr);  // trust only these authorities
      put(CURLOPT_CAINFO_BLOB, options_.ca_bundle);
    }
    if (options_.client_certificate.empty()) return;
    put(CURLOPT_SSLCERT_BLOB, options_.client_certificate);
    put(CURLOPT_SSLKEY_BLOB, options_.client_key);
  }

  const HttpsOptions options_;
  CurlList headers_;
  CurlList route_;
  std::mutex mutex_;
  std::vector<CurlHandle> idle_;
};

}  // namespace

bool is_loopback_url(const std::string& text) {
  const std::unique_ptr<CURLU, FreeUrl> url(curl_url());
  return curl_url_set(url.get(), CURLUPART_URL, text.c_str(), CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK &&
         is_loopback_host(part_of(url.get(), CURLUPART_HOST));
}

bool is_unreachable(const Answer& answer) {
  constexpr std::array<std::string_view, 4> kBeginnings{"cannot start ", "connection refused",
                                                        "TLS: ", "no HTTP answer"};
  return std::any_of(kBeginnings.begin(), kBeginnings.end(),
                     [&](std::string_view beginning) { return answer.problem.starts_with(beginning); });
}

std::optional<std::string> host_and_port(const std::string& text) {
  const std::unique_ptr<CURLU, FreeUrl> url(curl_url());
  if (curl_url_set(url.get(), CURLUPART_URL, text.c_str(), 0) != CURLUE_OK) return std::nullopt;
  const std::string path = part_of(url.get(), CURLUPART_PATH), port = part_of(url.get(), CURLUPART_PORT);
  if (part_of(url.get(), CURLUPART_SCHEME) != "https" || (!path.empty() && path != "/")) return std::nullopt;
  return part_of(url.get(), CURLUPART_HOST) + ":" + (port.empty() ? "443" : port);
}

Result<Handler> https(HttpsOptions options) {
  prepare_library();
  if (std::string problem = problem_of(options); !problem.empty())
    return Error{std::move(problem), "url " + options.url};
  if (!options.ca_bundle.empty()) {
    auto pem = pem_of(options.ca_bundle);
    if (!pem) return Error{"expected a caBundle of PEM certificates", "url " + options.url};
    options.ca_bundle = *std::move(pem);
  }
  auto client = std::make_shared<Client>(std::move(options));
  return Handler([client](const Call& call) { return client->call(call); });
}

}  // namespace fixpoint::webhooks
