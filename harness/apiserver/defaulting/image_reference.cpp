#include "harness/apiserver/defaulting/image_reference.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace fixpoint::apiserver {

namespace {

constexpr std::size_t kPathBytesMax = 255, kTagBytesMax = 128, kIdentifierBytes = 64;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_letter(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }
bool is_lower_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }
bool is_hex(char c) { return is_lower_hex(c) || (c >= 'A' && c <= 'F'); }

template <class Test>
bool all(std::string_view text, Test test) {
  return std::all_of(text.begin(), text.end(), test);
}

/// Lower-case letters and digits; between them one of `.`, `_`, `__` or any number of `-`.
bool is_path_component(std::string_view text) {
  const auto is_plain = [](char c) { return is_lower(c) || is_digit(c); };
  std::size_t at = 0;
  while (true) {
    const std::size_t begin = at;
    while (at < text.size() && is_plain(text[at])) ++at;
    if (at == begin) return false;
    if (at == text.size()) return true;
    if (text[at] == '-') {
      while (at < text.size() && text[at] == '-') ++at;
    } else if (text.substr(at).starts_with("__")) {
      at += 2;
    } else if (text[at] == '.' || text[at] == '_') {
      ++at;
    } else {
      return false;
    }
  }
}

template <class Test>
bool each_part(std::string_view text, char separator, Test test) {
  while (true) {
    const auto end = text.find(separator);
    if (!test(text.substr(0, end))) return false;
    if (end == std::string_view::npos) return true;
    text.remove_prefix(end + 1);
  }
}

bool is_path(std::string_view text) { return each_part(text, '/', is_path_component); }

bool is_domain_component(std::string_view text) {
  if (text.empty() || text.front() == '-' || text.back() == '-') return false;
  return all(text, [](char c) { return is_letter(c) || is_digit(c) || c == '-'; });
}

/// A host name or a bracketed IPv6 address, with or without a port.
bool is_domain(std::string_view text) {
  if (text.starts_with('[')) {
    const auto end = text.find(']');
    if (end == std::string_view::npos || end == 1) return false;
    if (!all(text.substr(1, end - 1), [](char c) { return is_hex(c) || c == ':'; })) return false;
    text.remove_prefix(end + 1);
    if (text.empty()) return true;
    return text.size() > 1 && text[0] == ':' && all(text.substr(1), is_digit);
  }
  if (const auto colon = text.find(':'); colon != std::string_view::npos) {
    if (colon + 1 == text.size() || !all(text.substr(colon + 1), is_digit)) return false;
    text = text.substr(0, colon);
  }
  return each_part(text, '.', is_domain_component);
}

bool is_tag(std::string_view text) {
  const auto is_word = [](char c) { return is_letter(c) || is_digit(c) || c == '_'; };
  if (text.empty() || text.size() > kTagBytesMax || !is_word(text[0])) return false;
  return all(text, [&](char c) { return is_word(c) || c == '.' || c == '-'; });
}

bool is_digest(std::string_view text) {
  struct Algorithm {
    std::string_view prefix;
    std::size_t digits;
  };
  constexpr Algorithm kAlgorithms[] = {{"sha256:", 64}, {"sha384:", 96}, {"sha512:", 128}};
  return std::any_of(std::begin(kAlgorithms), std::end(kAlgorithms), [&](const Algorithm& known) {
    return text.starts_with(known.prefix) && text.size() == known.prefix.size() + known.digits &&
           all(text.substr(known.prefix.size()), is_lower_hex);
  });
}

struct Split {
  std::string_view domain, rest;
};

/// The first part is a domain if it looks like one; everything else lives on docker.io.
Split split_domain(std::string_view image) {
  const auto slash = image.find('/');
  const std::string_view first = image.substr(0, slash);
  const bool has_mark = first.find_first_of(".:") != std::string_view::npos;
  const bool has_upper = std::any_of(first.begin(), first.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  if (slash == std::string_view::npos || (!has_mark && !has_upper && first != "localhost")) {
    return {"docker.io", image};
  }
  return {first == "index.docker.io" ? "docker.io" : first, image.substr(slash + 1)};
}

}  // namespace

bool is_latest_image(std::string_view image) {
  if (image.size() == kIdentifierBytes && all(image, is_lower_hex)) return false;
  const auto [domain, rest] = split_domain(image);
  const auto at = rest.find('@');
  const bool has_digest = at != std::string_view::npos;
  if (has_digest && !is_digest(rest.substr(at + 1))) return false;
  const std::string_view named = rest.substr(0, at);
  const auto colon = named.find(':');
  const bool has_tag = colon != std::string_view::npos;
  const std::string_view tag = has_tag ? named.substr(colon + 1) : std::string_view();
  if (has_tag && !is_tag(tag)) return false;
  std::string path(named.substr(0, colon));
  if (domain == "docker.io" && rest.find('/') == std::string_view::npos) path.insert(0, "library/");
  if (!is_path(path)) return false;
  if (!is_domain(domain)) {
    path.insert(0, std::string(domain) + '/');
    if (!is_path(path)) return false;
  }
  if (path.size() > kPathBytesMax) return false;
  return has_tag ? tag == "latest" : !has_digest;
}

}  // namespace fixpoint::apiserver
