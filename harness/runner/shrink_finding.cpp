#include "harness/runner/shrink_finding.h"

#include <algorithm>
#include <atomic>
#include <set>

#include "harness/cases/plain_namespace.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/properties/message_shape.h"
#include "harness/properties/validity.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::runner {

using cases::Case;
using document::Value;

namespace {

/// Returns the errors for which the server refuses the Pod that the webhooks get.
std::vector<cases::FieldError> errors_of(const Prepared& prepared) {
  const Value& pod = prepared.admission.first;
  return pod.is_null() ? std::vector<cases::FieldError>()
                       : properties::stored_as_is(prepared.value, pod).invalid;
}

/// Returns why a violation is one, without the places, values and numbers that it quotes. One fingerprint can
/// have several reasons, and a smaller Case with another reason tells another story.
std::string reason_of(const properties::Violation& violation) {
  const std::string said = properties::without_quoted(violation.reason);
  std::string reason;
  for (std::size_t at = 0; at < said.size();) {
    const auto end = std::min(said.find(' ', at), said.size());
    const std::string word = said.substr(at, end - at);
    const bool is_place = word.find_first_of(".[-/0123456789") < word.size() - 1;
    if (!is_place) reason += word + " ";
    at = end + 1;
  }
  return reason;
}

/// Asks whether Cases still show the violation that is shrunk, for the same reason. Once a call was skipped
/// in any thread, the run is over, and none does.
class SameViolation {
 public:
  /// All but the violation must outlive it.
  SameViolation(const properties::Property& property, std::string_view wanted,
                const webhooks::Resolve& resolve, const Limits& limits, const properties::Violation& first)
      : property_(property),
        wanted_(wanted),
        resolve_(resolve),
        limits_(limits),
        severity_(first.severity),
        reason_(reason_of(first)) {}

  std::optional<Prepared> prepared(const Case& candidate) {
    if (is_over_) return std::nullopt;
    const std::uint64_t skipped_calls = resolve_.calls_skipped_so_far();
    auto tried = prepare(candidate, resolve_, limits_, kWithoutWarnings);
    note_skipped(skipped_calls);
    return tried ? std::optional(*std::move(tried)) : std::nullopt;
  }
  std::optional<properties::Violation> in(const Prepared& candidate) {
    if (is_over_) return std::nullopt;
    const std::uint64_t skipped_calls = resolve_.calls_skipped_so_far();
    auto still = shows(candidate, property_, wanted_, limits_);
    note_skipped(skipped_calls);
    // A smaller Case must not look worse: without its mark a drawn object seems to be a user's own.
    if (still && (is_over_ || still->severity > severity_ || reason_of(*still) != reason_)) still.reset();
    return still;
  }

 private:
  /// `before` are the calls that this thread had skipped.
  void note_skipped(std::uint64_t before) {
    if (resolve_.calls_skipped_so_far() != before) is_over_ = true;
  }

  const properties::Property& property_;
  const std::string_view wanted_;
  const webhooks::Resolve& resolve_;
  const Limits& limits_;
  const properties::Severity severity_;
  const std::string reason_;
  std::atomic<bool> is_over_ = false;
};

/// Returns the path of the parent of the value at this path.
std::string parent_of(const std::string& path) {
  const auto end = path.find_last_of(".[");
  return end == std::string::npos ? "" : path.substr(0, end);
}

/// Heals a Case whose Pod the server would refuse, if that is easy, by removing the value that an error names
/// or its parent. Only valid Pods exist in a real cluster.
void heal(Prepared& prepared, const std::function<bool(const Prepared&)>& still_shows,
          const webhooks::Resolve& resolve, const Limits& limits) {
  constexpr int kLevelsMax = 3;
  constexpr std::size_t kErrorsMax = 8;
  for (auto errors = errors_of(prepared); !errors.empty() && errors.size() <= kErrorsMax;) {
    bool is_better = false;
    std::string path = errors.front().field;
    for (int level = 0; level < kLevelsMax && path.find_first_of(".[") != std::string::npos && !is_better;
         ++level, path = parent_of(path)) {
      Case candidate = prepared.value;
      candidate.request.object = properties::without_path(candidate.request.object, path);
      if (candidate.request.object == prepared.value.request.object) continue;
      auto tried = prepare(std::move(candidate), resolve, limits, kWithoutWarnings);
      if (!tried || tried->admission.first.is_null()) continue;
      auto left = errors_of(*tried);
      if (left.size() >= errors.size() || !still_shows(*tried)) continue;
      is_better = true;
      errors = std::move(left);
      prepared = *std::move(tried);
    }
    if (!is_better) return;
  }
}

}  // namespace

std::set<std::string> violations_of_admission(const Prepared& prepared, const Limits& limits) {
  std::set<std::string> prints;
  for (const char* name : {"no-duplicate-names", "valid-spec"}) {
    const auto judgement = judged_by(*properties::find(name), examination_of(prepared, limits));
    const auto* violated = std::get_if<properties::Violated>(&judgement);
    if (violated == nullptr) continue;
    for (const properties::Violation& violation : violated->violations)
      prints.insert(fingerprint(prepared.value, name, violation));
  }
  return prints;
}

static bool adds_violation(const Prepared& tried, const std::set<std::string>& had, const Limits& limits) {
  const std::set<std::string> has = violations_of_admission(tried, limits);
  return !std::includes(had.begin(), had.end(), has.begin(), has.end());
}

/// Takes a Case of a webhook behind a URL to a plain namespace, where it is asked beside others while it is
/// shrunk. Successive Cases are in different ones.
static void enter_plain_namespace(Shrunk& best, const ShrinkPass::Examine& examined,
                                  const ShrinkPass::Take& taken) {
  const auto is_served = [](const auto& one) { return std::holds_alternative<cases::Url>(one.second); };
  if (cases::is_plain_namespace(best.value.request.namespace_name) ||
      std::ranges::none_of(best.value.webhooks, is_served))
    return;
  std::uint64_t number = 0;
  for (const char letter : cases::canonical_text(best.value))
    number = number * 31 + static_cast<unsigned char>(letter);
  const Case candidate = cases::in_namespace(best.value, cases::plain_namespace(number));
  ++best.tries;
  if (auto shown = examined(candidate)) taken(candidate, *std::move(shown));
}

std::optional<Shrunk> shrink(const Case& value, const properties::Property& property, std::string_view wanted,
                             const webhooks::Resolve& resolve, const Reduce& reduce, const Limits& limits,
                             const Together& together) {
  const std::uint64_t skipped_calls = resolve.calls_skipped_so_far();
  auto prepared = prepare(value, resolve, limits, kWithoutWarnings);
  if (!prepared) return std::nullopt;
  auto violation = shows(*prepared, property, wanted, limits);
  if (!violation || resolve.calls_skipped_so_far() != skipped_calls) return std::nullopt;
  SameViolation same(property, wanted, resolve, limits, *violation);
  const auto still_shows = [&](const Prepared& healed) {
    auto still = same.in(healed);
    if (!still) return false;
    violation = std::move(still);
    return true;
  };
  bool stays_valid = has_valid_pod(*prepared);
  if (!stays_valid && reduce && !value.request.is_update()) {
    heal(*prepared, still_shows, resolve, limits);
    stays_valid = has_valid_pod(*prepared);
  }
  const std::set<std::string> had = violations_of_admission(*prepared, limits);
  Shrunk best{.value = std::move(prepared->value), .violation = *std::move(violation)};
  const auto examined = [&](const Case& candidate) -> std::optional<ShrinkPass::Shown> {
    const auto tried = same.prepared(candidate);
    auto still = tried ? same.in(*tried) : std::nullopt;
    if (!still) return std::nullopt;
    const bool is_valid = has_valid_pod(*tried);
    if ((stays_valid && !is_valid) || adds_violation(*tried, had, limits)) return std::nullopt;
    return ShrinkPass::Shown{*std::move(still), is_valid};
  };
  const auto taken = [&](const Case& candidate, ShrinkPass::Shown shown) {
    stays_valid = shown.is_valid;
    best.value = candidate;
    best.violation = std::move(shown.violation);
    ++best.steps;
  };
  if (reduce) enter_plain_namespace(best, examined, taken);
  ShrinkPass pass(reduce, together, examined, taken);
  for (std::int64_t before = -1; reduce && before != best.steps && best.tries < limits.shrink_tries_max;) {
    before = best.steps;
    best.tries += pass.run(best.value, limits.shrink_tries_max - best.tries);
  }
  return best;
}

std::optional<Shrunk> in_default_namespace(const Shrunk& shrunk, const properties::Property& property,
                                           std::string_view wanted, const webhooks::Resolve& resolve,
                                           const Limits& limits) {
  if (!cases::is_plain_namespace(shrunk.value.request.namespace_name)) return std::nullopt;
  SameViolation same(property, wanted, resolve, limits, shrunk.violation);
  const auto there = same.prepared(cases::in_namespace(shrunk.value, cases::Request().namespace_name));
  auto violation = there ? same.in(*there) : std::nullopt;
  if (!violation) return std::nullopt;
  return Shrunk{.value = there->value,
                .violation = *std::move(violation),
                .steps = shrunk.steps,
                .tries = shrunk.tries};
}

std::vector<std::string> blame(const Case& value, const properties::Property& property,
                               std::string_view wanted, const webhooks::Resolve& resolve,
                               const Limits& limits) {
  const std::uint64_t skipped_calls = resolve.calls_skipped_so_far();
  const auto prepared = prepare(value, resolve, limits, kWithoutWarnings);
  if (!prepared) return {};
  std::vector<std::string> order;  // by last call
  for (const apiserver::CallEvent& event : prepared->admission.calls) {
    const std::string& key = prepared->admission.webhooks[static_cast<std::size_t>(event.index)].key;
    std::erase(order, key);
    order.push_back(key);
  }
  std::erase_if(order, [&](const std::string& webhook) {
    return shows(without_webhook(value, webhook), property, wanted, resolve, limits).has_value();
  });
  if (resolve.calls_skipped_so_far() != skipped_calls)
    return {};  // the run is over: nothing more can be asked
  return order;
}

std::size_t scalar_count(const Value& pod) {
  const auto count = [](const auto& self, const Value& value) -> std::size_t {
    if (value.empty()) return 1;
    std::size_t sum = 0;
    for (const Value& element : value.elements()) sum += self(self, element);
    for (const auto& member : value.members()) sum += self(self, member.value);
    return sum;
  };
  std::size_t sum = 0;
  for (const auto& member : pod.members()) {
    if (member.key.text() != "apiVersion" && member.key.text() != "kind") sum += count(count, member.value);
  }
  return sum;
}

}  // namespace fixpoint::runner
