#include "harness/oracle/oracle_cel_texts.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <regex>
#include <set>

namespace fixpoint::oracle {

namespace {

using Is = CelValue::Is;
using Characters = std::vector<std::string>;

void want_text(const CelValue& value) {
  if (value.is != Is::text) throw CelFailed("no such overload");
}

std::string joined(Characters::const_iterator begin, Characters::const_iterator end) {
  std::string text;
  for (; begin != end; ++begin) text += *begin;
  return text;
}

/// A pattern of which RE2 and ECMAScript think alike.
std::regex pattern_of(const std::string& pattern) {
  for (const char c : pattern) {
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7F)
      throw Unsupported("a pattern beyond ASCII");
  }
  for (const char* apart :
       {"(?", "[:", "\\A", "\\z", "\\Q", "\\p", "\\P", "\\C", "\\a", "\\1", "\\2", "\\x"}) {
    if (pattern.find(apart) != std::string::npos) throw Unsupported("a pattern with " + std::string(apart));
  }
  try {
    return std::regex(pattern, std::regex::ECMAScript);
  } catch (const std::regex_error&) {
    throw CelFailed("no pattern");
  }
}

std::int64_t find_from(const Characters& text, const Characters& part, std::int64_t from) {
  if (from < 0) throw CelFailed("index out of range");
  if (part.empty()) return from;
  if (from > static_cast<std::int64_t>(text.size())) return -1;
  const auto found = std::search(text.begin() + from, text.end(), part.begin(), part.end());
  return found == text.end() ? -1 : found - text.begin();
}

std::int64_t find_last(const Characters& text, const Characters& part, std::int64_t until) {
  if (until < 0) throw CelFailed("index out of range");
  for (std::int64_t at = until; at >= 0; --at) {
    const auto room = static_cast<std::int64_t>(text.size()) - at;
    if (room >= static_cast<std::int64_t>(part.size()) &&
        std::equal(part.begin(), part.end(), text.begin() + at))
      return at;
  }
  return -1;
}

std::string replaced(const std::string& text, const std::string& old, const std::string& by,
                     std::int64_t times) {
  std::string out;
  std::size_t at = 0;
  if (old.empty()) throw Unsupported("replace of an empty text");
  while (times != 0) {
    const auto found = text.find(old, at);
    if (found == std::string::npos) break;
    out += text.substr(at, found - at) + by;
    at = found + old.size();
    --times;
  }
  return out + text.substr(at);
}

CelValue split(const std::string& text, const std::string& separator, std::int64_t times) {
  CelList parts;
  if (times == 0) return cel_list({});
  if (separator.empty()) {
    const Characters characters = cel_characters(text);
    for (std::size_t i = 0; i < characters.size(); ++i) {
      const bool is_last = times > 0 && static_cast<std::int64_t>(parts.size()) == times - 1;
      parts.push_back(
          cel_text(is_last ? joined(characters.begin() + static_cast<std::ptrdiff_t>(i), characters.end())
                           : characters[i]));
      if (is_last) break;
    }
    return cel_list(std::move(parts));
  }
  std::size_t at = 0;
  while (times < 0 || static_cast<std::int64_t>(parts.size()) < times - 1) {
    const auto found = text.find(separator, at);
    if (found == std::string::npos) break;
    parts.push_back(cel_text(text.substr(at, found - at)));
    at = found + separator.size();
  }
  parts.push_back(cel_text(text.substr(at)));
  return cel_list(std::move(parts));
}

bool is_space(const std::string& character) {
  static const std::set<std::string> all{" ",
                                         "\t",
                                         "\n",
                                         "\v",
                                         "\f",
                                         "\r",
                                         "\xC2\x85",
                                         "\xC2\xA0",
                                         "\xE1\x9A\x80",
                                         "\xE2\x80\xA8",
                                         "\xE2\x80\xA9",
                                         "\xE2\x80\xAF",
                                         "\xE2\x81\x9F",
                                         "\xE3\x80\x80",
                                         "\xE2\x80\x80",
                                         "\xE2\x80\x81",
                                         "\xE2\x80\x82",
                                         "\xE2\x80\x83",
                                         "\xE2\x80\x84",
                                         "\xE2\x80\x85",
                                         "\xE2\x80\x86",
                                         "\xE2\x80\x87",
                                         "\xE2\x80\x88",
                                         "\xE2\x80\x89",
                                         "\xE2\x80\x8A"};
  return all.contains(character);
}

std::string with_case(std::string text, char first, int by) {
  for (char& c : text) c = c >= first && c < first + 26 ? static_cast<char>(c + by) : c;
  return text;
}

CelValue substring(const Characters& text, std::int64_t begin, std::int64_t end) {
  const auto size = static_cast<std::int64_t>(text.size());
  if (begin < 0 || begin > size || end < begin || end > size) throw CelFailed("index out of range");
  return cel_text(joined(text.begin() + begin, text.begin() + end));
}

template <typename Number>
Number number_in(std::string_view text) {
  if (text.starts_with('+') && std::is_signed_v<Number>) text.remove_prefix(1);
  Number number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size() ||
      text.starts_with("+"))
    throw CelFailed("no number");
  return number;
}

/// Searches a text: indexOf and lastIndexOf, with or without a place to begin at.
CelValue place_in(const std::string& name, const std::vector<CelValue>& of) {
  const Characters text = cel_characters(of[0].text), part = cel_characters(of[1].text);
  const auto last = static_cast<std::int64_t>(text.size());
  if (name == "indexOf") return cel_integer(find_from(text, part, of.size() == 3 ? of[2].integer : 0));
  if (of.size() == 3 && of[2].integer >= last) throw Unsupported("lastIndexOf beyond the end");
  return cel_integer(find_last(text, part, of.size() == 3 ? of[2].integer : last));
}

CelValue plain_function(const std::string& name, const std::string& text) {
  const Characters characters = cel_characters(text);
  if (name == "lowerAscii") return cel_text(with_case(text, 'A', 'a' - 'A'));
  if (name == "upperAscii") return cel_text(with_case(text, 'a', 'A' - 'a'));
  if (name == "reverse") {
    const Characters back(characters.rbegin(), characters.rend());
    return cel_text(joined(back.begin(), back.end()));
  }
  if (name == "trim") {
    const auto begin = std::find_if_not(characters.begin(), characters.end(), is_space);
    const auto end = std::find_if_not(characters.rbegin(), characters.rend(), is_space).base();
    return cel_text(begin < end ? joined(begin, end) : "");
  }
  throw Unsupported("the function " + name + " of texts");
}

}  // namespace

CelValue text_function(const std::string& name, const std::vector<CelValue>& of) {
  if (!is_known_member_function(name)) throw Unsupported("the function " + name + " of texts");
  want_text(of[0]);
  const std::size_t texts = name == "replace" ? 3 : name == "charAt" || name == "substring" ? 1 : 2;
  for (std::size_t i = 1; i < of.size(); ++i)
    if (of[i].is != (i < texts ? Is::text : Is::integer)) throw CelFailed("no such overload");
  const std::string& text = of[0].text;
  if (of.size() == 1) return plain_function(name, text);
  if (of.size() == 2) {
    const std::string& other = of[1].text;
    if (name == "substring")
      return substring(cel_characters(text), of[1].integer,
                       static_cast<std::int64_t>(cel_characters(text).size()));
    if (name == "charAt") {
      const Characters characters = cel_characters(text);
      const std::int64_t at = of[1].integer, size = static_cast<std::int64_t>(characters.size());
      return substring(characters, at, at == size ? at : at + 1);
    }
    if (name == "startsWith") return cel_boolean(text.starts_with(other));
    if (name == "endsWith") return cel_boolean(text.ends_with(other));
    if (name == "contains") return cel_boolean(text.find(other) != std::string::npos);
    if (name == "matches") return cel_boolean(std::regex_search(text, pattern_of(other)));
    if (name == "split") return split(text, other, -1);
  }
  if (name == "indexOf" || name == "lastIndexOf") return place_in(name, of);
  if (of.size() == 3) {
    if (name == "substring") return substring(cel_characters(text), of[1].integer, of[2].integer);
    if (name == "split") return split(text, of[1].text, of[2].integer);
  }
  if (name == "replace" && of.size() >= 3)
    return cel_text(replaced(text, of[1].text, of[2].text, of.size() == 4 ? of[3].integer : -1));
  throw Unsupported("the function " + name + " of texts");
}

CelValue time_function(const std::string& name, const std::vector<CelValue>& of) {
  using namespace std::chrono;
  constexpr std::int64_t kNano = 1'000'000'000;
  const CelValue& value = of[0];
  if (of.size() != 1) throw Unsupported("a time in a zone");
  if (value.is == Is::duration) {
    if (name == "getHours") return cel_integer(value.integer / (3600 * kNano));
    if (name == "getMinutes") return cel_integer(value.integer / (60 * kNano));
    if (name == "getSeconds") return cel_integer(value.integer / kNano);
    throw Unsupported("the function " + name + " of durations");
  }
  const sys_seconds moment{seconds(value.integer)};
  const auto days = floor<std::chrono::days>(moment);
  const year_month_day date(days);
  const hh_mm_ss clock(moment - days);
  const int of_month = static_cast<int>(unsigned{date.day()});
  if (name == "getFullYear") return cel_integer(int{date.year()});
  if (name == "getMonth") return cel_integer(static_cast<int>(unsigned{date.month()}) - 1);
  if (name == "getDate") return cel_integer(of_month);
  if (name == "getDayOfMonth") return cel_integer(of_month - 1);
  if (name == "getDayOfYear") return cel_integer((days - sys_days(date.year() / January / 1)).count());
  if (name == "getDayOfWeek") return cel_integer(weekday(days).c_encoding());
  if (name == "getHours") return cel_integer(clock.hours().count());
  if (name == "getMinutes") return cel_integer(clock.minutes().count());
  if (name == "getSeconds") return cel_integer(clock.seconds().count());
  if (name == "getMilliseconds") return cel_integer(value.nanoseconds / 1'000'000);
  throw Unsupported("the function " + name + " of times");
}

bool is_known_member_function(const std::string& name) {
  static const std::set<std::string> all{
      "startsWith",  "endsWith", "contains", "matches",  "split",      "substring",  "charAt", "indexOf",
      "lastIndexOf", "replace",  "trim",     "reverse",  "lowerAscii", "upperAscii", "join",   "sum",
      "min",         "max",      "isSorted", "hasValue", "value",      "all",        "exists", "map",
      "filter",      "flatten",  "distinct", "sort",     "slice",      "first",      "last"};
  return all.contains(name);
}

CelValue join_texts(const CelList& list, const std::string& separator) {
  std::string text;
  for (const CelValue& one : list) {
    want_text(one);
    text += (&one == &list.front() ? "" : separator) + one.text;
  }
  return cel_text(std::move(text));
}

std::int64_t whole_number_in(const std::string& text) { return number_in<std::int64_t>(text); }
std::uint64_t natural_number_in(const std::string& text) { return number_in<std::uint64_t>(text); }

double real_number_in(const std::string& text) {
  const std::string lower = with_case(text, 'A', 'a' - 'A');
  const std::string plain = lower.starts_with('+') || lower.starts_with('-') ? lower.substr(1) : lower;
  const bool is_word = plain == "nan" || plain == "inf" || plain == "infinity";
  if (lower.size() - plain.size() == 1 && plain == "nan") throw CelFailed("no number");
  if (lower.find_first_of("x_") != std::string::npos) throw Unsupported("a double in another notation");
  if (!is_word && lower.find_first_not_of("0123456789+-.e") != std::string::npos)
    throw CelFailed("no number");
  char* end = nullptr;
  const double number = std::strtod(lower.c_str(), &end);
  if (text.empty() || *end != '\0') throw CelFailed("no number");
  if (!is_word && std::abs(number) > std::numeric_limits<double>::max()) throw CelFailed("no number");
  return number;
}

bool is_valid_utf8(const std::string& text) {
  try {
    Json(text).dump();
    return true;
  } catch (const Json::type_error&) {
    return false;
  }
}

}  // namespace fixpoint::oracle
