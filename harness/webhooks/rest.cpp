#include "harness/webhooks/rest.h"

#include <curl/curl.h>

#include <array>
#include <string_view>
#include <utility>

#include "harness/document/json.h"
#include "harness/webhooks/curl_handles.h"

namespace fixpoint::webhooks {

using document::Error;
using document::Result;

namespace {

/// A response body, truncated at its limit.
struct Taken {
  std::string text = {};
  std::size_t bytes_max = 0;
};
std::size_t take(char* data, std::size_t size, std::size_t count, void* into) {
  auto& taken = *static_cast<Taken*>(into);
  if (size * count > taken.bytes_max - taken.text.size()) return CURL_WRITEFUNC_ERROR;
  taken.text.append(data, size * count);
  return size * count;
}

/// Returns the text of `299 - "text"`, with quotes and backslashes unescaped.
std::string warning_text(std::string_view header) {
  const auto begin = header.find('"');
  std::string text;
  for (std::size_t at = begin == std::string_view::npos ? header.size() : begin + 1; at < header.size();
       ++at) {
    if (header[at] == '"') break;
    if (header[at] == '\\' && at + 1 < header.size()) ++at;
    text.push_back(header[at]);
  }
  return text;
}

std::vector<std::string> warnings_of(CURL* handle) {
  std::vector<std::string> texts;
  curl_header* header = nullptr;
  for (std::size_t i = 0; curl_easy_header(handle, "Warning", i, CURLH_HEADER, -1, &header) == CURLHE_OK; ++i)
    texts.push_back(warning_text(header->value));
  return texts;
}

/// A URL whose host is the name in the server's certificate; the connection goes to the real host.
struct Route {
  std::string base;
  std::string connect_to = {};
};
Route route_of(const RestOptions& options) {
  constexpr std::string_view kScheme = "https://";
  if (options.server_name.empty() || !options.server.starts_with(kScheme)) return {options.server};
  const std::string rest = options.server.substr(kScheme.size());
  const std::string host = rest.substr(0, rest.find('/')), path = rest.substr(host.size());
  const auto colon = host.find(':', host.find(']') == std::string::npos ? 0 : host.find(']'));
  const std::string port = colon == std::string::npos ? "443" : host.substr(colon + 1);
  return {std::string(kScheme) + options.server_name + ":" + port + path,
          "::" + host.substr(0, colon) + ":" + port};
}

}  // namespace

struct Rest::Hidden {
  RestOptions options;
  Route route = {};
  CurlHandle handle = {};
  CurlList headers = {}, connect_to = {};

  void add_header(const std::string& line) {
    headers.reset(curl_slist_append(headers.release(), line.c_str()));
  }
  /// Returns the usual headers and these; nothing if there are none.
  CurlList headers_with(const std::vector<std::string>& more) const {
    CurlList all = {};
    if (more.empty()) return all;
    for (const curl_slist* one = headers.get(); one != nullptr; one = one->next)
      all.reset(curl_slist_append(all.release(), one->data));
    for (const std::string& line : more) all.reset(curl_slist_append(all.release(), line.c_str()));
    return all;
  }
  void put(CURLoption option, const std::string& pem) const {
    if (pem.empty()) return;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
    curl_blob blob{.data = const_cast<char*>(pem.data()), .len = pem.size(), .flags = CURL_BLOB_COPY};
    curl_easy_setopt(handle.get(), option, &blob);
  }
  void prepare() {
    route = route_of(options);
    for (const char* line : {"Content-Type: application/json", "Accept: application/json", "Expect:"})
      add_header(line);
    if (!options.token.empty()) add_header("Authorization: Bearer " + options.token);
    if (!route.connect_to.empty()) connect_to.reset(curl_slist_append(nullptr, route.connect_to.c_str()));
    handle.reset(curl_easy_init());
    CURL* curl = handle.get();
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "https");
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(curl, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L);
    curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, static_cast<long>(options.seconds_max));
    if (connect_to) curl_easy_setopt(curl, CURLOPT_CONNECT_TO, connect_to.get());
    if (!options.ca_bundle.empty()) {
      curl_easy_setopt(curl, CURLOPT_CAINFO, nullptr);
      curl_easy_setopt(curl, CURLOPT_CAPATH, nullptr);
      put(CURLOPT_CAINFO_BLOB, options.ca_bundle);
    }
    put(CURLOPT_SSLCERT_BLOB, options.client_certificate);
    put(CURLOPT_SSLKEY_BLOB, options.client_key);
  }
};

Rest::Rest(RestOptions options) : hidden_(std::make_unique<Hidden>(Hidden{.options = std::move(options)})) {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  hidden_->prepare();
}
Rest::~Rest() = default;

Result<RestAnswer> Rest::send(const std::string& method, const std::string& path, const document::Value& body,
                              const std::vector<std::string>& more) {
  CURL* curl = hidden_->handle.get();
  CurlList headers = hidden_->headers_with(more);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers ? headers.get() : hidden_->headers.get());
  const std::string url = hidden_->route.base + path;
  const std::string text = body.is_null() ? "" : document::write_go_json(body);
  Taken taken{.bytes_max = hidden_->options.limits.document_bytes_max};
  std::array<char, CURL_ERROR_SIZE> said{};
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, method.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPGET, 1L);
  if (!body.is_null()) {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, text.data());
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(text.size()));
  }
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &taken);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, said.data());
  const CURLcode code = curl_easy_perform(curl);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, nullptr);
  if (code != CURLE_OK) return Error{*said.data() != '\0' ? said.data() : curl_easy_strerror(code), url};
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  auto read = document::read_json(taken.text, hidden_->options.limits, document::Strictness::foreign);
  if (!read)
    return Error{"expected JSON with status " + std::to_string(status) + ": " + read.error().message, url};
  return RestAnswer{
      .status = static_cast<int>(status), .body = *std::move(read), .warnings = warnings_of(curl)};
}

}  // namespace fixpoint::webhooks
