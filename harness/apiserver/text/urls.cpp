#include "harness/apiserver/text/urls.h"

#include <algorithm>

#include "harness/apiserver/text/addresses.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver::cel {

namespace {

/// The part of a URL that decides which characters are escaped.
enum class UrlPart { path, host, zone, user, query };

int hex_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char small = static_cast<char>(c | 0x20);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

bool is_escaped_in(char c, UrlPart part) {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) return false;
  const std::string_view kept = part == UrlPart::host || part == UrlPart::zone ? "-_.~!$&'()*+,;=:[]<>\""
                                : part == UrlPart::path                        ? "-_.~$&+,/:;=@"
                                : part == UrlPart::user                        ? "-_.~$&+,;="
                                                                               : "-_.~";
  return kept.find(c) == std::string_view::npos;
}

std::string escape_url(std::string_view text, UrlPart part) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string result;
  for (char c : text) {
    if (!is_escaped_in(c, part)) {
      result += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    result += '%';
    result += kDigits[byte >> 4];
    result += kDigits[byte & 15];
  }
  return result;
}

bool unescape_url(std::string_view text, UrlPart part, std::string& into, std::string& error) {
  into.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size() || hex_of(text[i + 1]) < 0 || hex_of(text[i + 2]) < 0) {
        return error = "invalid URL escape " + document::go_quoted(text.substr(i, 3)), false;
      }
      const int value = hex_of(text[i + 1]) * 16 + hex_of(text[i + 2]);
      const bool is_percent = text.substr(i, 3) == "%25";
      const bool is_refused = (part == UrlPart::host && value < 128 && !is_percent) ||
                              (part == UrlPart::zone && !is_percent && value != ' ' &&
                               is_escaped_in(static_cast<char>(value), UrlPart::host));
      if (is_refused) return error = "invalid URL escape " + document::go_quoted(text.substr(i, 3)), false;
      into += static_cast<char>(value);
      i += 2;
    } else if (c == '+' && part == UrlPart::query) {
      into += ' ';
    } else {
      const bool is_host = part == UrlPart::host || part == UrlPart::zone;
      if (is_host && static_cast<unsigned char>(c) < 128 && is_escaped_in(c, part)) {
        return error = "invalid character " + document::go_quoted(text.substr(i, 1)) + " in host name", false;
      }
      into += c;
    }
  }
  return true;
}

bool is_port(std::string_view text) {
  if (text.empty()) return true;
  return text[0] == ':' && text.substr(1).find_first_not_of("0123456789") == std::string_view::npos;
}

/// Splits off the scheme: true unless the text begins with a colon.
bool take_scheme(std::string_view& text, std::string& scheme, std::string& error) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) continue;
    if ((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.') {
      if (i == 0) return true;
    } else if (c == ':') {
      if (i == 0) return error = "missing protocol scheme", false;
      for (char letter : text.substr(0, i)) {
        scheme += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
      }
      text.remove_prefix(i + 1);
      return true;
    } else {
      return true;
    }
  }
  return true;
}

bool read_bracketed_host(std::string_view text, std::string& host, std::string& error) {
  const std::size_t close = text.rfind(']');
  if (close == std::string_view::npos) return error = "missing ']' in host", false;
  const std::string_view port = text.substr(close + 1);
  if (!is_port(port)) return error = "invalid port " + document::go_quoted(port) + " after host", false;
  const std::string_view name = text.substr(1, close - 1);
  const std::size_t zone = name.find("%25");
  std::string plain, of_zone, problem;
  if (!unescape_url(name.substr(0, zone), UrlPart::host, plain, error)) return false;
  if (zone != std::string_view::npos && !unescape_url(name.substr(zone), UrlPart::zone, of_zone, error))
    return false;
  plain += of_zone;
  const auto address = read_address(plain, problem);
  if (!address) return error = "invalid host: " + problem, false;
  if (address->is_v4) return error = "invalid IP-literal", false;
  host = "[" + plain + "]" + std::string(port);
  return true;
}

bool read_host(std::string_view scheme, std::string_view text, std::string& host, std::string& error) {
  const std::size_t open = text.rfind('[');
  if (open != std::string_view::npos && open > 0) return error = "invalid IP-literal", false;
  if (open == 0) return read_bracketed_host(text, host, error);
  if (std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    if (scheme != "http" && scheme != "https") colon = text.rfind(':');
    const std::string_view port = text.substr(colon);
    if (!is_port(port)) return error = "invalid port " + document::go_quoted(port) + " after host", false;
  }
  return unescape_url(text, UrlPart::host, host, error);
}

bool read_authority(std::string_view text, Url& into, std::string& error) {
  const std::size_t at = text.rfind('@');
  const std::string_view host = at == std::string_view::npos ? text : text.substr(at + 1);
  if (!read_host(into.scheme, host, into.host, error)) return false;
  if (at == std::string_view::npos) return true;
  const std::string_view user = text.substr(0, at);
  const bool is_valid = std::all_of(user.begin(), user.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._:~!$&'()*+,;=%@").find(c) != std::string_view::npos;
  });
  if (!is_valid) return error = "net/url: invalid userinfo", false;
  std::string plain;
  if (!unescape_url(user, UrlPart::user, plain, error)) return false;
  into.has_user = true;
  into.user = std::string(user);
  return true;
}

bool read_parts(std::string_view rest, bool is_request, Url& into, std::string& error) {
  const bool has_control = std::any_of(
      rest.begin(), rest.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; });
  if (has_control) return error = "net/url: invalid control character in URL", false;
  if (rest.empty() && is_request) return error = "empty url", false;
  if (rest == "*") return into.path = "*", true;
  if (!take_scheme(rest, into.scheme, error)) return false;
  if (rest.ends_with("?") && std::count(rest.begin(), rest.end(), '?') == 1) {
    into.forces_query = true;
    rest.remove_suffix(1);
  } else if (const std::size_t mark = rest.find('?'); mark != std::string_view::npos) {
    into.query = std::string(rest.substr(mark + 1));
    rest = rest.substr(0, mark);
  }
  if (!rest.starts_with("/")) {
    if (!into.scheme.empty()) return into.opaque = std::string(rest), true;
    if (is_request) return error = "invalid URI for request", false;
    if (rest.substr(0, rest.find('/')).find(':') != std::string_view::npos) {
      return error = "first path segment in URL cannot contain colon", false;
    }
  }
  const bool may_have_host = !into.scheme.empty() || (!is_request && !rest.starts_with("///"));
  if (may_have_host && rest.starts_with("//")) {
    std::string_view authority = rest.substr(2);
    const std::size_t slash = authority.find('/');
    rest = slash == std::string_view::npos ? std::string_view() : authority.substr(slash);
    if (!read_authority(authority.substr(0, slash), into, error)) return false;
  } else if (!into.scheme.empty() && rest.starts_with("/")) {
    into.omits_host = true;
  }
  if (!unescape_url(rest, UrlPart::path, into.path, error)) return false;
  if (escape_url(into.path, UrlPart::path) != rest) into.raw_path = std::string(rest);
  return true;
}

}  // namespace

bool read_url(std::string_view text, bool is_request, Url& into, std::string& error) {
  into = {};
  // A request has no fragment (url.Parse, url.ParseRequestURI).
  const std::size_t hash = is_request ? std::string_view::npos : text.find('#');
  const std::string_view before = text.substr(0, hash);
  const auto fail = [&](std::string_view of) {
    return error = "parse " + document::go_quoted(of) + ": " + error, false;
  };
  if (!read_parts(before, is_request, into, error)) return fail(before);
  if (hash == std::string_view::npos) return true;
  into.raw_fragment = std::string(text.substr(hash + 1));
  return unescape_url(into.raw_fragment, UrlPart::path, into.fragment, error) || fail(text);
}

std::string escaped_path(const Url& url) {
  if (!url.raw_path.empty()) {
    const bool is_valid = std::all_of(url.raw_path.begin(), url.raw_path.end(), [](char c) {
      return std::string_view("!$&'()*+,;=:@[]%").find(c) != std::string_view::npos ||
             !is_escaped_in(c, UrlPart::path);
    });
    std::string plain, error;
    if (is_valid && unescape_url(url.raw_path, UrlPart::path, plain, error) && plain == url.path)
      return url.raw_path;
  }
  return url.path == "*" ? "*" : escape_url(url.path, UrlPart::path);
}

std::string url_text(const Url& url) {
  std::string text;
  if (!url.scheme.empty()) text += url.scheme + ":";
  if (!url.opaque.empty()) {
    text += url.opaque;
  } else {
    const bool has_authority = !url.scheme.empty() || !url.host.empty() || url.has_user;
    if (has_authority && !(url.omits_host && url.host.empty() && !url.has_user)) {
      if (!url.host.empty() || !url.path.empty() || url.has_user) text += "//";
      if (url.has_user) text += url.user + "@";
      text += escape_url(url.host, UrlPart::host);
    }
    const std::string path = escaped_path(url);
    if (!path.empty() && path[0] != '/' && !url.host.empty()) text += "/";
    text += path;
  }
  if (url.forces_query || !url.query.empty()) text += "?" + url.query;
  if (!url.raw_fragment.empty()) text += "#" + url.raw_fragment;
  return text;
}

std::pair<std::string, std::string> split_host(const std::string& host) {
  std::string name = host, port;
  const std::size_t colon = name.rfind(':');
  if (colon != std::string::npos && is_port(std::string_view(name).substr(colon))) {
    port = name.substr(colon + 1);
    name.resize(colon);
  }
  if (name.starts_with("[") && name.ends_with("]")) name = name.substr(1, name.size() - 2);
  return {name, port};
}

std::vector<std::pair<std::string, std::string>> query_of(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> found;
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    if (pair.empty() || pair.find(';') != std::string_view::npos) continue;
    const std::size_t equals = pair.find('=');
    std::string key, value, error;
    const std::string_view raw =
        equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1);
    if (!unescape_url(pair.substr(0, equals), UrlPart::query, key, error) ||
        !unescape_url(raw, UrlPart::query, value, error)) {
      continue;
    }
    found.emplace_back(std::move(key), std::move(value));
  }
  return found;
}

}  // namespace fixpoint::apiserver::cel
