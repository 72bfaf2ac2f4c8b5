#include <array>
#include <charconv>
#include <vector>

#include "harness/apiserver/cel/functions.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver::cel {

namespace {

using Arguments = std::span<const Datum>;

constexpr std::string_view kNumbers = "0123456789";
constexpr std::string_view kVersionCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-0123456789";

struct Version {
  std::array<std::uint64_t, 3> numbers = {};
  std::vector<std::string> prerelease = {}, build = {};
};

bool has_only(std::string_view text, std::string_view characters) {
  return text.find_first_not_of(characters) == std::string_view::npos;
}
bool has_leading_zero(std::string_view text) { return text.size() > 1 && text[0] == '0'; }

std::vector<std::string> split_text(std::string_view text, char at, std::size_t most) {
  std::vector<std::string> parts;
  while (parts.size() + 1 < most) {
    const std::size_t found = text.find(at);
    if (found == std::string_view::npos) break;
    parts.emplace_back(text.substr(0, found));
    text.remove_prefix(found + 1);
  }
  parts.emplace_back(text);
  return parts;
}

bool read_number(std::string_view text, std::uint64_t& into, std::string& error) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), into);
  if (code == std::errc() && end == text.data() + text.size() && !text.empty()) return true;
  error = "strconv.ParseUint: parsing " + document::go_quoted(text) + ": " +
          (code == std::errc::result_out_of_range ? "value out of range" : "invalid syntax");
  return false;
}

bool read_prerelease(const std::string& text, std::string& error) {
  if (text.empty()) return error = "Prerelease is empty", false;
  if (has_only(text, kNumbers)) {
    if (has_leading_zero(text)) {
      return error =
                 "Numeric PreRelease version must not contain leading zeroes " + document::go_quoted(text),
             false;
    }
    std::uint64_t number = 0;
    return read_number(text, number, error);
  }
  if (has_only(text, kVersionCharacters)) return true;
  return error = "Invalid character(s) found in prerelease " + document::go_quoted(text), false;
}

/// A version as blang/semver reads it.
bool read_version(std::string_view text, Version& into, std::string& error) {
  if (text.empty()) return error = "Version string empty", false;
  std::vector<std::string> parts = split_text(text, '.', 3);
  if (parts.size() != 3) return error = "No Major.Minor.Patch elements found", false;
  std::string& patch = parts[2];
  if (const std::size_t plus = patch.find('+'); plus != std::string::npos) {
    into.build = split_text(std::string_view(patch).substr(plus + 1), '.', std::string::npos);
    patch.resize(plus);
  }
  if (const std::size_t dash = patch.find('-'); dash != std::string::npos) {
    into.prerelease = split_text(std::string_view(patch).substr(dash + 1), '.', std::string::npos);
    patch.resize(dash);
  }
  constexpr std::array<std::pair<const char*, const char*>, 3> kNames = {
      {{"major", "Major"}, {"minor", "Minor"}, {"patch", "Patch"}}};
  for (std::size_t i = 0; i < 3; ++i) {
    if (!has_only(parts[i], kNumbers)) {
      return error = std::string("Invalid character(s) found in ") + kNames[i].first + " number " +
                     document::go_quoted(parts[i]),
             false;
    }
    if (has_leading_zero(parts[i])) {
      return error = std::string(kNames[i].second) + " number must not contain leading zeroes " +
                     document::go_quoted(parts[i]),
             false;
    }
    if (!read_number(parts[i], into.numbers[i], error)) return false;
  }
  for (const std::string& part : into.prerelease) {
    if (!read_prerelease(part, error)) return false;
  }
  for (const std::string& part : into.build) {
    if (part.empty()) return error = "Build meta data is empty", false;
    if (!has_only(part, kVersionCharacters)) {
      return error = "Invalid character(s) found in build meta data " + document::go_quoted(part), false;
    }
  }
  return true;
}

/// Takes a `v` and zeros in front away and fills up what is missing.
bool normalize_version(std::string_view text, std::string& into, std::string& error) {
  if (text.starts_with("v")) text.remove_prefix(1);
  std::vector<std::string> parts = split_text(text, '.', 3);
  for (std::string& part : parts) {
    if (part.size() < 2) continue;
    part.erase(0, std::min(part.find_first_not_of('0'), part.size()));
    if (part.empty() || kNumbers.find(part[0]) == std::string_view::npos) part.insert(0, "0");
  }
  if (parts.size() < 3) {
    if (parts.back().find_first_of("+-") != std::string::npos) {
      return error = "short version cannot contain PreRelease/Build meta data", false;
    }
    parts.resize(3, "0");
  }
  into = parts[0] + "." + parts[1] + "." + parts[2];
  return true;
}

bool read_argument(Arguments a, Version& version, std::string& error) {
  if (a.size() < 2 || !a[1].is_true()) return read_version(a[0].text(), version, error);
  std::string text;
  return normalize_version(a[0].text(), text, error) && read_version(text, version, error);
}

int order_of_prerelease(const std::string& a, const std::string& b) {
  const bool a_is_number = has_only(a, kNumbers), b_is_number = has_only(b, kNumbers);
  if (a_is_number != b_is_number) return a_is_number ? -1 : 1;
  if (a_is_number && a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

int order_of_versions(const Version& a, const Version& b) {
  if (a.numbers != b.numbers) return a.numbers < b.numbers ? -1 : 1;
  if (a.prerelease.empty() != b.prerelease.empty()) return a.prerelease.empty() ? 1 : -1;
  for (std::size_t i = 0; i < a.prerelease.size() && i < b.prerelease.size(); ++i) {
    if (const int order = order_of_prerelease(a.prerelease[i], b.prerelease[i])) return order;
  }
  if (a.prerelease.size() == b.prerelease.size()) return 0;
  return a.prerelease.size() < b.prerelease.size() ? -1 : 1;
}

struct VersionBox : OpaqueBox {
  explicit VersionBox(Version of) : version(std::move(of)) {}
  std::string_view type_name() const override { return "kubernetes.Semver"; }
  std::string_view tag() const override { return "semver"; }
  std::string text() const override {
    const auto join = [](const std::vector<std::string>& parts, const char* mark) {
      std::string joined;
      for (const std::string& part : parts) joined += (joined.empty() ? mark : ".") + part;
      return joined;
    };
    return std::to_string(version.numbers[0]) + "." + std::to_string(version.numbers[1]) + "." +
           std::to_string(version.numbers[2]) + join(version.prerelease, "-") + join(version.build, "+");
  }
  bool equals(const OpaqueBox& other) const override {
    return order_of_versions(version, static_cast<const VersionBox&>(other).version) == 0;
  }
  Version version;
};

const Version& version_of(const Datum& value) {
  return static_cast<const VersionBox&>(value.opaque()).version;
}

Datum call_semver(Arguments a, const CallContext&) {
  Version version;
  std::string error;
  return read_argument(a, version, error) ? Datum::of(new VersionBox(std::move(version)))
                                          : Datum::error(error);
}
Datum call_is_semver(Arguments a, const CallContext&) {
  Version version;
  std::string error;
  return Datum::of(read_argument(a, version, error));
}
template <std::size_t kIndex>
Datum call_version_number(Arguments a, const CallContext&) {
  return Datum::of(static_cast<std::int64_t>(version_of(a[0]).numbers[kIndex]));
}
int version_order(Arguments a) { return order_of_versions(version_of(a[0]), version_of(a[1])); }
Datum call_version_greater(Arguments a, const CallContext&) { return Datum::of(version_order(a) > 0); }
Datum call_version_less(Arguments a, const CallContext&) { return Datum::of(version_order(a) < 0); }
Datum call_version_compare(Arguments a, const CallContext&) {
  return Datum::of(std::int64_t{version_order(a)});
}

constexpr std::array kSemverBindings = {
    Binding{"string_to_semver", call_semver},
    Binding{"string_bool_to_semver", call_semver},
    Binding{"is_semver_string", call_is_semver},
    Binding{"is_semver_string_bool", call_is_semver},
    Binding{"semver_major", call_version_number<0>},
    Binding{"semver_minor", call_version_number<1>},
    Binding{"semver_patch", call_version_number<2>},
    Binding{"semver_is_greater_than", call_version_greater},
    Binding{"semver_is_less_than", call_version_less},
    Binding{"semver_compare_to", call_version_compare},
};

}  // namespace

std::span<const Binding> semver_bindings() { return kSemverBindings; }

}  // namespace fixpoint::apiserver::cel
