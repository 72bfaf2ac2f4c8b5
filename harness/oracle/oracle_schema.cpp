#include "harness/oracle/oracle_schema.h"

#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>

#include "harness/oracle/oracle_pod_schema.h"
#include "harness/oracle/oracle_quantity.h"

namespace fixpoint::oracle {

namespace {

using Types = std::map<std::string, std::vector<Member>, std::less<>>;

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\n\r\v\f");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\n\r\v\f") - first + 1);
}

/// Reads a member from `name kind[]*!~>=N<=N=DEFAULT`.
Member read_member(const std::string& text) {
  Member member;
  const auto space = text.find(' ');
  member.name = text.substr(0, space);
  std::string rest = text.substr(space + 1);
  const auto end = std::min(rest.find_first_of("[{*!~<>="), rest.size());
  member.kind = rest.substr(0, end);
  for (rest.erase(0, end); !rest.empty();) {
    const char mark = rest[0];
    const auto digits = [&] { return std::stoi(rest.substr(2, 2)); };
    if (mark == '=') {
      member.has_default = true;
      member.fallback = rest.substr(1);
      return member;
    }
    if (mark == '[' || mark == '{') member.many = mark;
    if (mark == '*') member.pointer = true;
    if (mark == '!') member.always = true;
    if (mark == '~') member.to_milli = true;
    if (mark == '>') member.since = digits();
    if (mark == '<') member.until = digits();
    rest.erase(0, mark == '<' || mark == '>' ? 4 : mark == '[' || mark == '{' ? 2 : 1);
  }
  return member;
}

Types read_schema() {
  Types types;
  std::string name, part;
  const auto end_part = [&] {
    if (!trimmed(part).empty()) types[name].push_back(read_member(trimmed(part)));
    part.clear();
  };
  const std::string text = pod_schema();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ',' || (text[i] == '\n' && (i + 1 == text.size() || text[i + 1] != ' '))) {
      end_part();
    } else if (text[i] == ':' && (i + 1 < text.size() && text[i + 1] == ' ')) {
      name = trimmed(part);
      part.clear();
    } else {
      part += text[i] == '\n' ? ' ' : text[i];
    }
  }
  return types;
}

Json zero_of(char kind) {
  switch (kind) {
    case 's':
      return "";
    case 'b':
      return false;
    case 'q':
      return "0";
    case 't':
    case 'r':
      return nullptr;
    default:
      return 0;
  }
}

Json whole_number(const Json& sent, std::int64_t low, std::int64_t high) {
  if (!sent.is_number_integer()) throw Undecodable("no whole number");
  if (sent.is_number_unsigned() && sent.get<std::uint64_t>() > static_cast<std::uint64_t>(high))
    throw Undecodable("out of range");
  const auto value = sent.get<std::int64_t>();
  if (value < low || value > high) throw Undecodable("out of range");
  return value;
}

struct Decoding {
  int minor;
  std::string* fractions;

  Json scalar(const Member& member, const Json& sent) const {
    using Limits32 = std::numeric_limits<std::int32_t>;
    using Limits64 = std::numeric_limits<std::int64_t>;
    if (sent.is_null()) return zero_of(member.kind[0]);
    switch (member.kind[0]) {
      case 's':
        if (!sent.is_string()) throw Undecodable(member.name + " is no string");
        return sent;
      case 'b':
        if (!sent.is_boolean()) throw Undecodable(member.name + " is no boolean");
        return sent;
      case 'i':
        return whole_number(sent, Limits32::min(), Limits32::max());
      case 'l':
        return whole_number(sent, Limits64::min(), Limits64::max());
      case 'p':
        return sent.is_string() ? sent : whole_number(sent, Limits32::min(), Limits32::max());
      case 'q':
        return quantity(sent);
      case 't':
        return time(member, sent);
      default:
        return sent;
    }
  }

  static Json quantity(const Json& sent) {
    if (!sent.is_string() && number_text(sent).empty()) throw Undecodable("no quantity");
    const auto text = quantity_text(trimmed(sent.is_string() ? sent.get<std::string>() : number_text(sent)));
    if (!text) throw Undecodable("no quantity");
    return *text;
  }

  Json time(const Member& member, const Json& sent) const {
    if (!sent.is_string()) throw Undecodable("no time");
    std::string fraction;
    std::string text = time_text(sent.get<std::string>(), fraction);
    if (fractions != nullptr && !fraction.empty()) *fractions += member.name + "." + fraction + ";";
    if (text == "0001-01-01T00:00:00Z") return nullptr;
    return text;
  }

  Json one(const Member& member, const Json& sent) const {
    if (sent.is_null() && member.pointer) return nullptr;
    return element(member, sent);
  }

  Json element(const Member& member, const Json& sent) const {
    return member.is_object() ? object(member.kind, sent) : scalar(member, sent);
  }

  Json many(const Member& member, const Json& sent) const {
    if (sent.is_null()) return nullptr;
    if (member.many == '[' ? !sent.is_array() : !sent.is_object())
      throw Undecodable(member.name + " is of another type");
    Json result = member.many == '[' ? Json::array() : Json::object();
    std::size_t index = 0;
    for (const auto& [key, value] : sent.items()) {
      const std::size_t before = fractions == nullptr ? 0 : fractions->size();
      if (member.many == '[') {
        result.push_back(element(member, value));
      } else {
        result[key] = element(member, value);
      }
      if (fractions != nullptr && fractions->size() > before) *fractions += std::to_string(index) + ";";
      ++index;
    }
    return result;
  }

  Json object(const std::string& type, const Json& sent) const {
    if (!sent.is_object() && !sent.is_null()) throw Undecodable(type + " is no object");
    Json result = Json::object();
    for (const Member& member : members_of(type)) {
      if (minor < member.since || minor > member.until) continue;
      Json value =
          member.many != 0 ? many(member, at(sent, member.name)) : one(member, at(sent, member.name));
      // A pointer to the zero time is not nil, so it is written, as null.
      const bool points_to_zero = member.pointer && member.kind == "t" && !at(sent, member.name).is_null();
      if (points_to_zero || is_written(member, value)) result[member.name] = std::move(value);
    }
    return result;
  }

  static bool is_written(const Member& member, const Json& value) {
    if (member.always) return true;
    if (member.many != 0) return is_given(value);
    if (member.pointer || member.kind[0] == 't' || member.kind[0] == 'r') return !value.is_null();
    return member.is_object() || value != zero_of(member.kind[0]);
  }
};

Json default_of(const Member& member) {
  if (member.fallback == "{}") return Json::object();
  if (member.kind == "s") return member.fallback;
  return Json::parse(member.fallback);
}

void round_to_milli(Json& quantities) {
  for (Json& each : quantities) {
    if (const auto text = quantity_text(each.get<std::string>(), true)) each = *text;
  }
}

/// Returns the parts of a decoded document that a comparison regards: amounts by value, without empty
/// members.
Json counting(std::string_view type, const Json& decoded);

Json counting_one(const Member& member, const Json& value) {
  if (member.is_object()) return value.is_null() ? value : counting(member.kind, value);
  if (member.kind != "q" || !value.is_string()) return value;
  Amount amount = *parse_amount(value.get<std::string>());
  return amount_text(amount, "e");
}

Json counting(std::string_view type, const Json& decoded) {
  Json result = Json::object();
  for (const Member& member : members_of(type)) {
    const Json& value = at(decoded, member.name);
    if (value.is_null()) continue;
    if (member.many == 0) {
      result[member.name] = counting_one(member, value);
    } else if (member.many == '[') {
      for (const Json& element : value) result[member.name].push_back(counting_one(member, element));
    } else {
      for (const auto& [key, element] : value.items())
        result[member.name][key] = counting_one(member, element);
    }
  }
  return result;
}

int number_at(const std::string& text, std::size_t from, std::size_t length) {
  const std::string digits = text.substr(std::min(from, text.size()), length);
  if (digits.size() != length || digits.find_first_not_of("0123456789") != std::string::npos)
    throw Undecodable("no time");
  return std::stoi(digits);
}

/// Returns the zone of a time, in minutes east of UTC.
int zone_minutes(const std::string& zone) {
  if (zone == "Z") return 0;
  if (zone.size() != 6 || (zone[0] != '+' && zone[0] != '-') || zone[3] != ':') throw Undecodable("no time");
  const int hours = number_at(zone, 1, 2), minutes = number_at(zone, 4, 2);
  if (hours > 24 || minutes > 60) throw Undecodable("no time");
  return (zone[0] == '-' ? -1 : 1) * (hours * 60 + minutes);
}

std::string padded(long value, std::size_t width) {
  std::string digits = std::to_string(value);
  return digits.size() < width ? std::string(width - digits.size(), '0') + digits : digits;
}

}  // namespace

const std::vector<Member>& members_of(std::string_view type) {
  static const Types types = read_schema();
  const auto found = types.find(type);
  if (found == types.end()) throw std::logic_error("the schema has no type " + std::string(type));
  return found->second;
}

Json decode(std::string_view type, const Json& sent, int minor, std::string* fractions) {
  return Decoding{minor, fractions}.object(std::string(type), sent);
}

void fill_in(std::string_view type, Json& decoded, int minor) {
  for (const Member& member : members_of(type)) {
    if (minor < member.since || minor > member.until) continue;
    const bool is_absent = at(decoded, member.name).is_null();
    if (is_absent && member.has_default) decoded[member.name] = default_of(member);
    if (at(decoded, member.name).is_null()) continue;
    Json& value = decoded[member.name];
    if (member.to_milli) round_to_milli(value);
    if (!member.is_object()) continue;
    if (member.many == 0) fill_in(member.kind, value, minor);
    for (std::size_t i = 0; member.many != 0 && i < value.size(); ++i) fill_in(member.kind, value[i], minor);
  }
}

bool is_equal(std::string_view type, const Json& a, const Json& b) {
  return counting(type, a) == counting(type, b);
}

std::string time_text(const std::string& sent, std::string& fraction) {
  using namespace std::chrono;
  if (sent.size() < 20 || sent[4] != '-' || sent[7] != '-' || sent[10] != 'T' || sent[13] != ':' ||
      sent[16] != ':') {
    throw Undecodable("no time");
  }
  const year_month_day day{year{number_at(sent, 0, 4)}, month{static_cast<unsigned>(number_at(sent, 5, 2))},
                           std::chrono::day{static_cast<unsigned>(number_at(sent, 8, 2))}};
  const int hour = number_at(sent, 11, 2), minute = number_at(sent, 14, 2), second = number_at(sent, 17, 2);
  if (!day.ok() || hour > 23 || minute > 59 || second > 59) throw Undecodable("no time");
  std::size_t end = 19;
  if (sent[19] == '.' || sent[19] == ',') {
    end = std::min(sent.find_first_not_of("0123456789", 20), sent.size());
    if (end == 20) throw Undecodable("no time");
    fraction = sent.substr(20, std::min<std::size_t>(end - 20, 9));
    fraction.erase(fraction.find_last_not_of('0') + 1);
  }
  const auto moment = sys_days(day) + hours(hour) + minutes(minute) + seconds(second) -
                      minutes(zone_minutes(sent.substr(end)));
  const auto days = floor<std::chrono::days>(moment);
  const year_month_day utc(days);
  const auto rest = (moment - days).count();
  return padded(int{utc.year()}, 4) + "-" + padded(unsigned{utc.month()}, 2) + "-" +
         padded(unsigned{utc.day()}, 2) + "T" + padded(rest / 3600, 2) + ":" + padded(rest / 60 % 60, 2) +
         ":" + padded(rest % 60, 2) + "Z";
}

}  // namespace fixpoint::oracle
