#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fixpoint::apiserver::cel {

/// A URL as Go's net/url takes it apart.
struct Url {
  std::string scheme = {}, opaque = {}, user = {}, host = {};
  std::string path = {};      ///< unescaped
  std::string raw_path = {};  ///< as written, if escaping the path would give something else
  std::string query = {};
  std::string fragment = {};      ///< unescaped
  std::string raw_fragment = {};  ///< as written
  bool has_user = false, forces_query = false, omits_host = false;
};

/// Reads a URL. `is_request` wants an absolute one, as url.ParseRequestURI does. The error is Go's.
bool read_url(std::string_view text, bool is_request, Url& into, std::string& error);
std::string url_text(const Url& url);
std::string escaped_path(const Url& url);
/// The host without brackets and port, and the port.
std::pair<std::string, std::string> split_host(const std::string& host);
/// Names and values of a query, unescaped; what cannot be is left out.
std::vector<std::pair<std::string, std::string>> query_of(std::string_view query);

}  // namespace fixpoint::apiserver::cel
