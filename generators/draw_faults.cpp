#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>

#include "generators/draw_context.h"
#include "harness/cases/faults.h"
#include "harness/cases/webhook_configuration.h"

namespace fixpoint::generators {

namespace {

/// Status codes that the API server treats differently, or that are at the edge of what it accepts.
constexpr std::array<int, 7> kStatusCodes{500, 503, 404, 400, 200, 100, 599};
constexpr std::array<int, 4> kRetryCodes{503, 429, 500, 404};
constexpr std::array<int, 8> kDenyCodes{400, 403, 409, 422, 500, 0, 200, 599};

constexpr std::string_view kStale = "read-stale";

std::string draw_fault(Choices& choices) {
  const auto coded = [&](std::string_view prefix, int code) {
    return std::string(prefix) + std::to_string(code);
  };
  if (!choices.one_in(3)) return std::string(choices.pick(cases::kPlainFaults));
  switch (choices.between(0, 2)) {
    case 0:
      return coded("status-", choices.pick(kStatusCodes));
    case 1:
      return coded("retry-after-", choices.pick(kRetryCodes));
    default:
      return coded("deny-", choices.pick(kDenyCodes));
  }
}

}  // namespace

void add_fault(Case& value, Choices& choices) {
  const auto names = cases::configured_webhooks(value.cluster);
  if (names.empty()) return;
  cases::Fault fault{.webhook = choices.pick(names), .fault = draw_fault(choices)};
  if (choices.coin()) fault.call = choices.between(1, 2);
  value.faults.push_back(std::move(fault));
}

void draw_read_fault(Case& value, const PreparedSubject& prepared_subject, Choices& choices) {
  constexpr std::uint64_t kOneIn = 12;
  const auto& webhooks = prepared_subject.subject.webhooks;
  const auto& reads = prepared_subject.subject.vocabulary.reads;
  if (reads.empty() || webhooks.empty() || !choices.one_in(kOneIn)) return;
  const auto webhook =
      std::next(webhooks.begin(), static_cast<std::ptrdiff_t>(choices.below(webhooks.size())));
  // A client with a cache reads from it: its cache may be late, but its reads do not fail. Only the start of
  // a cache does, and then the client waits for it as long as the call lasts.
  const bool has_cache =
      std::any_of(reads.begin(), reads.end(), [](const auto& read) { return read.is_watched; });
  const std::string_view kind = has_cache ? kStale : choices.pick(cases::kReadFaults);
  cases::Fault fault{.webhook = webhook->first, .fault = std::string(kind)};
  if (choices.coin()) fault.call = choices.between(1, 2);
  value.faults.push_back(std::move(fault));
}

void draw_faults(Case& value, Choices& choices) {
  if (!choices.one_in(8)) return;
  add_fault(value, choices);
  if (choices.one_in(4)) add_fault(value, choices);
}

}  // namespace fixpoint::generators
