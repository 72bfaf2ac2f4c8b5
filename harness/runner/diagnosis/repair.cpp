#include "harness/runner/diagnosis/repair.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "harness/document/patch.h"
#include "harness/runner/diagnosis/mend_change.h"
#include "harness/runner/shrink_finding.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::runner {

namespace {

using document::Name;
using document::Value;
using webhooks::Call;
using webhooks::Handler;

/// Returns the Pod that the answer leaves; nothing if it refuses, fails, or changes nothing.
std::optional<Value> result_of(const Call& call, const webhooks::Answer& answer) {
  if (!answer.allowed || !answer.problem.empty() || !answer.patch) return {};
  return answer.patch.applied_to(call.object);
}

webhooks::Answer with_result(const Call& call, webhooks::Answer answer, Value after) {
  webhooks::Answer changed = webhooks::allow_change(call.object, std::move(after));
  answer.patch = std::move(changed.patch);
  answer.patch_type = std::move(changed.patch_type);
  return answer;
}

Handler mending(Handler inner, Mend how, std::shared_ptr<std::vector<std::string>> places, std::string only) {
  return [=](const Call& call) {
    webhooks::Answer answer = inner(call);
    const auto after = result_of(call, answer);
    if (!after) return answer;
    return with_result(call, std::move(answer), mended(how, call.object, *after, *places, only));
  };
}

constexpr const char* kContainers[] = {"initContainers", "containers"};

std::size_t rank_of(const Value& known, const Value& element) {
  for (std::size_t i = 0; i < known.size(); ++i)
    if (known.at(i)["name"] == element["name"]) return i;
  return known.size();
}

/// Returns the Pod with its containers in the order of `known`, and the others behind them.
Value in_order_of(const Value& pod, const Value& known) {
  Value ordered = pod;
  for (const char* list : kContainers) {
    const auto there = pod["spec"][Name(list)].elements();
    if (there.empty()) continue;
    std::vector<Value> elements(there.begin(), there.end());
    std::stable_sort(elements.begin(), elements.end(), [&](const Value& a, const Value& b) {
      const Value& of = known["spec"][Name(list)];
      return rank_of(of, a) < rank_of(of, b);
    });
    ordered.edit("spec").set(Name(list), Value(std::move(elements)));
  }
  return ordered;
}

/// Calls the webhook with the containers in the order of the first Pod, whatever was added between them, and
/// restores the order in the result.
Handler by_name(Handler inner, Value first) {
  return [=](const Call& call) {
    Call other = call;
    other.object = in_order_of(call.object, first);
    webhooks::Answer answer = inner(other);
    const auto after = result_of(other, answer);
    if (!after) return answer;
    return with_result(call, std::move(answer), in_order_of(*after, call.object));
  };
}

/// Answers the first call as the webhook does, repeats that answer for an equal Pod, and leaves the Pod alone
/// in later calls.
Handler as_first(Handler inner) {
  struct FirstAnswer {
    Value object;
    webhooks::Answer answer;
  };
  return [inner = std::move(inner), asked = std::make_shared<std::vector<FirstAnswer>>()](const Call& call) {
    for (const FirstAnswer& one : *asked)
      if (one.object == call.object) return one.answer;
    if (call.number > 1 && !asked->empty()) return webhooks::allow();
    return asked->emplace_back(FirstAnswer{call.object, inner(call)}).answer;
  };
}

/// Returns the element that a webhook finds by its place: the container, not the mount in it.
std::string looked_up(const std::string& place) {
  const auto end = place.find(']');
  return place.starts_with("spec.") && end != std::string::npos ? place.substr(0, end + 1) : place;
}

class RepairSearch {
 public:
  RepairSearch(const Prepared& prepared, const properties::Property& property, std::string_view fingerprint,
               const std::string& webhook, const Limits& limits)
      : prepared_(prepared),
        property_(property),
        fingerprint_(fingerprint),
        webhook_(webhook),
        limits_(limits) {
    had_ = violations_of_admission(prepared, limits);
  }

  std::optional<cases::Repair> search(const cases::Cause& cause) {
    for (const char* without : {"nondeterministic", "answers", "panic", "fails-inside"})
      if (cause.symptom == without) return {};
    const auto inner = prepared_.handlers.find(webhook_);
    if (inner == prepared_.handlers.end() || heals(mend(inner->second, Mend::nothing))) return {};
    if (auto repair = mending_repair(inner->second, Mend::add_if_absent, "add-if-absent")) return repair;
    if (heals(by_name(inner->second, prepared_.admission.first)))
      return cases::Repair{"look-up-by-name", looked_up(cause.place)};
    if (auto repair = mending_repair(inner->second, Mend::merge, "merge")) return repair;
    if (heals(mend(inner->second, Mend::keep_fields))) return cases::Repair{"keep-fields", "unknown-fields"};
    if (auto repair = mending_repair(inner->second, Mend::keep_order, "keep-order")) return repair;
    if (cause.symptom == "update-safe") return {};  // silence is no answer to a later request
    const bool is_in_pod = cause.place.starts_with("spec") || cause.place.starts_with("metadata");
    if (is_in_pod && heals(as_first(inner->second))) return cases::Repair{"answer-as-first", cause.place};
    return {};
  }

 private:
  static constexpr std::size_t kPlacesMax = 8;

  Handler mend(const Handler& inner, Mend how, const std::string& only = "") {
    places_->clear();
    return mending(inner, how, places_, only);
  }

  /// Returns the one operation that has to be done differently, if one is enough.
  std::optional<cases::Repair> mending_repair(const Handler& inner, Mend how, const char* kind) {
    if (!heals(mend(inner, how)) || places_->empty()) return {};
    const std::vector<std::string> places = *places_;
    if (places.size() == 1) return cases::Repair{kind, places.front()};
    for (std::size_t i = 0; i < std::min(places.size(), kPlacesMax); ++i)
      if (heals(mend(inner, how, places[i]))) return cases::Repair{kind, places[i]};
    std::string all;
    for (const std::string& place : std::set<std::string>(places.begin(), places.end()))
      all += (all.empty() ? "" : ", ") + place;
    return cases::Repair{kind, all};
  }

  bool heals(const Handler& handler) const {
    Prepared other = prepared_;
    other.handlers.insert_or_assign(webhook_, handler);
    auto admission =
        apiserver::admit(other.value, webhooks::with_all_faults(other.handlers, other.value.faults), limits_,
                         kWithoutWarnings);
    if (!admission || (prepared_.admission.allowed && !admission->allowed)) return false;
    other.admission = *std::move(admission);
    if (shows(other, property_, fingerprint_, limits_)) return false;
    const auto has = violations_of_admission(other, limits_);
    return std::includes(had_.begin(), had_.end(), has.begin(), has.end());
  }

  const Prepared& prepared_;
  const properties::Property& property_;
  std::string_view fingerprint_;
  const std::string& webhook_;
  const Limits& limits_;
  std::set<std::string> had_ = {};
  std::shared_ptr<std::vector<std::string>> places_ = std::make_shared<std::vector<std::string>>();
};

}  // namespace

std::optional<cases::Repair> find_repair(const Prepared& prepared, const properties::Property& property,
                                         std::string_view fingerprint, const std::string& webhook,
                                         const cases::Cause& cause, const Limits& limits) {
  auto repair = RepairSearch(prepared, property, fingerprint, webhook, limits).search(cause);
  // A name from the cluster, or of a value of the object, is not part of the repair.
  const bool is_of_any = cause.place.ends_with("[*]") && repair &&
                         repair->operation.starts_with(cause.place.substr(0, cause.place.size() - 2));
  if (repair && (is_of_any || cause.place.find("[added]") != std::string::npos))
    repair->operation = cause.place;
  return repair;
}

}  // namespace fixpoint::runner
