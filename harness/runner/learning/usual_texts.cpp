#include "harness/runner/learning/usual_texts.h"

#include <algorithm>
#include <array>
#include <string>

#include "harness/document/lower_case.h"
#include "harness/document/split.h"

namespace fixpoint::runner {

namespace {

constexpr std::array kDurations{"24h", "1h30m", "90s", "8760h", "5m", "0s", "500ms"};
constexpr std::array kQuantities{"1", "500m", "10Gi", "1000m", "1.5", "1024Mi", "0"};
constexpr std::array kImages{"example", "example.com/app:1.2", "example.com:5000/team/app", "app:latest"};
constexpr std::array kSchedules{"0 3 * * *", "*/5 * * * *", "@daily"};
constexpr std::array kAddresses{"https://example.com/a", "http://example:8080", "example.com", "10.1.2.3"};
constexpr std::array kVersions{"1.2.3", "v1.27.3", "1.2", "v1"};
constexpr std::array kTimes{"2026-01-02T03:04:05Z", "2026-01-02T03:04:05+02:00"};
constexpr std::array kNetworks{"10.0.0.0/16", "fd00::/64"};

/// The first row decides of which a name has a word, or ends with it, or what is said has one.
struct Row {
  std::string_view in_name, at_end, in_said;  ///< words, separated by spaces
  UsualTexts usual;
};
constexpr Row kRows[] = {
    {"cidr subnet", "", "CIDR", {kNetworks}},
    {"duration timeout interval ttl delay backoff renewbefore",
     "period",
     "duration Duration",
     {kDurations, true}},
    {"cpu memory storage capacity quota", "size", "quantit Quantity", {kQuantities}},
    {"", "image", "", {kImages}},
    {"schedule cron", "", "cron", {kSchedules}},
    {"", "url uri endpoint server address host", "URL", {kAddresses}},
    {"", "version", "semver semantic", {kVersions}},
    {"", "time timestamp", "RFC3339", {kTimes, true}},
};

/// Returns true if `is_met` holds for one of the words.
template <class IsMet>
bool any_word(std::string_view words, const IsMet& is_met) {
  return std::ranges::any_of(document::split(words, " ", false), is_met);
}

}  // namespace

UsualTexts usual_texts(std::string_view name, std::string_view said) {
  const std::string lower = document::lower_case(name);
  for (const Row& row : kRows) {
    if (any_word(row.in_name, [&](auto word) { return lower.find(word) != std::string::npos; }) ||
        any_word(row.at_end, [&](auto word) { return lower.ends_with(word); }) ||
        any_word(row.in_said, [&](auto word) { return said.find(word) != said.npos; }))
      return row.usual;
  }
  return {};
}

}  // namespace fixpoint::runner
