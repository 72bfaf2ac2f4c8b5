#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>

#include "harness/apiserver/types/quantity.h"
#include "harness/cases/kind.h"
#include "harness/properties/contract.h"
#include "harness/properties/judge.h"
#include "harness/properties/losses.h"
#include "harness/properties/newer_fields.h"
#include "harness/properties/ownership.h"
#include "harness/properties/property.h"
#include "harness/properties/untyped.h"
#include "harness/properties/validity.h"
#include "harness/properties/variants.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

namespace {

/// The oldest minor whose new fields are still missing in old libraries that are in use.
constexpr int kNewerFieldsSince = 27;

/// Returns true if the server itself would set that value: a webhook cannot know that a user wanted it.
bool is_default(const cases::Case& value, const Value& pod, const Place& place) {
  const Value defaulted = with_defaults(value, place.removed_from(pod));
  return place.in(defaulted) == place.in(pod);
}

/// Returns true if an in-tree plugin set the value, as spec.priority: no user wanted it.
bool is_of_plugin(const apiserver::Admission& admission, const Value& before, const Place& place) {
  return place.in(admission.received).is_null() && place.in(admission.first) == place.in(before);
}

/// Returns the path of the first steps of a path.
std::string first_steps(const std::string& path, std::size_t count) {
  std::size_t at = 0;
  for (; count > 0 && at < path.size(); --count) {
    if (path[at] == '[') {
      at = path.find(']', at) + 1;
      continue;
    }
    at = std::min(path.find_first_of(".[", at + (path[at] == '.' ? 1 : 0)), path.size());
  }
  return path.substr(0, at);
}

/// Returns true if a number changed that is too large for a double. If the webhook changes any number,
/// shrinking arrives at a smaller one.
bool is_beyond_double(const Value& before, const Value& after) {
  constexpr double kExact = 9007199254740992;  // 2^53
  if (!before.is_number() || !after.is_number()) return false;
  return std::abs(std::strtod(std::string(before.text()).c_str(), nullptr)) >= kExact;
}

/// Switches by which an author forbids his containers something, with the value that forbids it.
struct Restriction {
  std::string_view member;
  bool forbids;
};
constexpr auto kRestrictions = std::to_array<Restriction>({{"readOnlyRootFilesystem", true},
                                                           {"runAsNonRoot", true},
                                                           {"allowPrivilegeEscalation", false},
                                                           {"privileged", false},
                                                           {"automountServiceAccountToken", false}});

/// Returns true for a label or an annotation, of the object or of a template, that has the prefix of the
/// object's own group: the project keeps it, cluster.x-k8s.io/cluster-name of a MachineDeployment.
bool is_of_group(std::string_view path, std::string_view group) {
  for (const std::string_view map : {"metadata.labels[", "metadata.annotations["}) {
    const auto at = path.find(map);
    if (at == std::string_view::npos || (at > 0 && path[at - 1] != '.')) continue;
    const std::string_view key = path.substr(at + map.size());
    return key.starts_with(group) && key.substr(group.size()).starts_with('/');
  }
  return false;
}

/// Returns true if a restriction of the user's is lifted.
bool is_lifted(const std::string& path, const Value& before, const Value& after) {
  const auto is_it = [&](const Restriction& one) {
    return path.ends_with("." + std::string(one.member)) && before.is_true() == one.forbids;
  };
  return before.is_boolean() && after.is_boolean() && std::ranges::any_of(kRestrictions, is_it);
}

/// Returns true for an amount of a resource that a container asked for, and that is gone.
bool is_lost_amount(const Loss& loss) {
  const bool is_amount = loss.path.find(".resources.requests") != std::string::npos ||
                         loss.path.find(".resources.limits") != std::string::npos;
  return loss.is_gone && is_amount && loss.place.size() > 1;
}

/// Returns true for an amount that a container asks of another resource after the call: batch-cpu in the
/// place of cpu.
bool is_other_resource(const Loss& loss, const Value& before, const Value& after) {
  const Place map = loss.place.first(loss.place.size() - 1);
  const Value old = map.in(before), now = map.in(after);
  const std::string name = loss.path.substr(loss.path.find_last_of(".[", loss.path.size() - 2) + 1);
  return std::ranges::any_of(now.members(), [&](const auto& member) {
    const std::string_view key = member.key.text();
    return old.find(member.key.name()) == nullptr && (key.ends_with("-" + name) || key.ends_with("/" + name));
  });
}

/// Puts a text in the place of the first one in the value; returns false if there is none.
bool put_first_text(Value& value, const Value& text) {
  if (value.is_string()) return value = text, true;
  for (const document::Member& member : std::vector(value.members().begin(), value.members().end()))
    if (put_first_text(value.edit(member.key.name()), text)) return true;
  for (std::size_t i = 0; value.is_array() && i < value.size(); ++i)
    if (put_first_text(value.edit(i), text)) return true;
  return false;
}

/// Returns true if the value, or one in it, is that text.
bool holds(const Value& value, const Value& text) {
  const auto has = [&](const auto& member) { return holds(member.value, text); };
  return value == text || std::ranges::any_of(value.members(), has) ||
         std::ranges::any_of(value.elements(), [&](const Value& one) { return holds(one, text); });
}

/// Returns true if the call writes what was lost elsewhere: the value of a deprecated member under its new
/// name. Another text in its place arrives there, too; what has no text leaves its name there.
bool is_moved(const Examination& examination, const FirstCall& call, const Loss& loss) {
  const Value &before = call.event.before, lost = loss.place.in(before);
  static const Value kMark("fixpoint-moved");
  Value marked = lost;
  if (!put_first_text(marked, kMark)) {
    const Value name(loss.path.substr(loss.path.find_last_of(".]") + 1));
    return lost.is_object() && lost.empty() && !holds(before, name) && holds(call.event.result.after, name);
  }
  const Value asked = loss.place.put_into(before, marked);
  if (!is_called(examination, call.webhook, asked)) return false;
  const auto result = call_afresh(examination, call.webhook, asked);
  return went_well(result) && loss.place.in(result.after).is_null() && holds(result.after, kMark);
}

/// Returns the last two labels of a domain: its owner's.
std::string_view owner_of(std::string_view domain) {
  const auto last = domain.rfind('.');
  if (last == std::string_view::npos || last == 0) return {};
  const auto before = domain.rfind('.', last - 1);
  return before == std::string_view::npos ? domain : domain.substr(before + 1);
}

/// Returns true for a label or an annotation of the domain under which the webhook has its name: what it
/// notes there, as that it has injected, it may take back.
bool is_of_own_domain(const Loss& loss, std::string_view webhook) {
  const bool is_note =
      loss.path.starts_with("metadata.labels[") || loss.path.starts_with("metadata.annotations[");
  if (!loss.is_gone || !is_note) return false;
  const std::string_view key = std::string_view(loss.path).substr(loss.path.find('[') + 1);
  const std::string_view owner = owner_of(key.substr(0, std::min(key.find('/'), key.size())));
  constexpr std::array<std::string_view, 3> kOfEverybody{"kubernetes.io", "k8s.io", "x-k8s.io"};
  return key.find('/') != std::string_view::npos && !owner.empty() && owner == owner_of(webhook) &&
         std::ranges::find(kOfEverybody, owner) == kOfEverybody.end();
}

/// The observation that is made of a loss which costs the user nothing.
struct Harmless {
  const char *kind, *verb, *rest;
};
std::optional<Harmless> harmless_part(const Examination& examination, const FirstCall& call, const Loss& loss,
                                      const cases::Kind& kind) {
  const Value &before = call.event.before, lost = loss.place.in(before);
  // A typed copy leaves a zero out that means what its absence means; explicit-kept asks whether it does.
  if (kind.is_custom() && (is_without_contents(lost) || (loss.is_gone && is_zero_or_false(lost))))
    return Harmless{"empty-for-absent", "takes an empty ", " for an absent one"};
  if (kind.is_custom() && loss.is_gone && is_of_group(loss.path, kind.group))
    return Harmless{"replaces", "removes ", " of the user, which is of its own group"};
  if (is_of_own_domain(loss, call.webhook.key))
    return Harmless{"replaces", "removes ", " of the user, which is of its own domain"};
  if (is_lost_amount(loss) && apiserver::Quantity::parse(lost.text()) == apiserver::Quantity())
    return Harmless{"empty-for-absent", "takes an amount of 0 in ", " for an absent one"};
  if (is_lost_amount(loss) && is_other_resource(loss, before, call.event.result.after))
    return Harmless{"replaces", "replaces ", " of the user by a resource with a longer name"};
  if (kind.is_custom() && loss.is_gone && is_moved(examination, call, loss))
    return Harmless{"moved", "moves ", " of the user to another place"};
  return std::nullopt;
}

class Report {
 public:
  Report(const Examination& examination, const FirstCall& call, OwnedPaths owned_paths)
      : examination_(examination),
        call_(call),
        before_(call.event.before),
        owned_paths_(std::move(owned_paths)),
        kind_(cases::kind_of(examination.value.request, examination.value.cluster)),
        is_custom_(kind_.is_custom()),
        question_(examination, call) {}

  void ask(std::vector<Violation>& violations, std::vector<Observation>& observations) {
    for (const Loss& loss : losses_between(before_, call_.event.result.after)) {
      if (loss.is_partial) {
        observe("one-alternative", loss.path, "adds a requirement to some of ",
                ", which are alternatives: the Pod may still run where the others let it", observations);
        continue;
      }
      if (!counts(loss)) continue;
      if (const auto harmless = harmless_part(examination_, call_, loss, kind_)) {
        observe(harmless->kind, loss.path, harmless->verb, harmless->rest, observations);
        continue;
      }
      const std::string shape = shape_of(loss.path, before_, call_.event.result);
      switch (ownership_of(loss, shape)) {
        case Ownership::own:
          tell_constant(loss, shape, violations, observations);
          break;
        case Ownership::purpose:
          if (!is_stored_otherwise(loss))
            observe("rewrites", path_of_purpose(loss), "rewrites ", "", observations);
          break;
        case Ownership::lost:
          tell(loss, shape, violations);
          break;
      }
    }
  }

 private:
  bool counts(const Loss& loss) const {
    if (is_covered(loss)) return false;
    if (is_of_plugin(examination_.admission, before_, loss.place)) return false;
    const bool may_be_default = !loss.is_gone && !loss.is_identity && !owned_paths_.is_stated;
    return !may_be_default || !is_default(examination_.value, before_, loss.place);
  }

  /// Another value of a custom resource, which applied-equals-stored tells.
  bool is_stored_otherwise(const Loss& loss) const {
    return is_custom_ && !loss.is_gone && loss.path.starts_with("spec.") && is_scalar(loss.place.in(before_));
  }

  /// A map or a list disappears with the last of its members, which the webhook may own one by one.
  bool is_covered(const Loss& loss) const {
    if (owned_paths_.covers(loss.path, before_)) return true;
    const Value value = loss.place.in(before_);
    if (!loss.is_gone || value.empty()) return false;
    const auto members = value.members();
    if (!members.empty()) {
      return std::all_of(members.begin(), members.end(), [&](const document::Member& member) {
        return owned_paths_.covers(member_path(loss.path, member.key.text()), before_);
      });
    }
    for (std::size_t i = 0; i < value.size(); ++i)
      if (!owned_paths_.covers(element_path(loss.path, i), before_)) return false;
    return true;
  }

  /// Returns the owner of the lost value, found once for each path without indices: what is true of one
  /// element is true of its siblings.
  Ownership ownership_of(const Loss& loss, const std::string& shape) {
    const auto known = known_.find(shape);
    if (known != known_.end()) return known->second;
    return known_.emplace(shape, question_.of(loss)).first->second;
  }

  /// Adds an observation about a path, once; the sentence is `verb`, the path, `rest`.
  void observe(const char* kind, const std::string& loss_path, const char* verb, const char* rest,
               std::vector<Observation>& observations) const {
    const std::string path = shape_of(loss_path, before_, Value());
    const auto is_it = [&](const Observation& seen) {
      return seen.kind == kind && seen.webhook == call_.webhook.key && seen.path == path;
    };
    if (std::ranges::any_of(observations, is_it)) return;
    observations.push_back(
        {.kind = kind, .webhook = call_.webhook.key, .path = path, .reason = verb + path + rest});
  }

  /// A value of the user's gives way to one of the webhook's own. To enforce a value is many webhooks'
  /// purpose, but to some variables everybody appends, and whatever an author of a custom resource states and
  /// its definition admits is meant.
  void tell_constant(const Loss& loss, const std::string& shape, std::vector<Violation>& violations,
                     std::vector<Observation>& observations) {
    if (is_emptied(loss))
      return observe("replaces", loss.path, "replaces ", " of the user by an empty text", observations);
    const bool is_replaced = !loss.is_gone && !loss.is_identity && loss.path.starts_with("spec.");
    if (!is_replaced || question_.is_in_own_element(loss) || has_words_still(loss)) return;
    if (is_custom_ && is_zero_or_false(loss.place.in(before_))) return;  // explicit-kept tells it
    if (is_custom_ && is_of_group(loss.path, kind_.group))
      return observe("replaces", loss.path, "replaces ", " of the user by a value of its own", observations);
    const bool is_restriction = is_lifted(loss.path, loss.place.in(before_), loss.now);
    if (is_custom_ ? is_storable(examination_.value, before_) : is_restriction || is_appended_to(loss)) {
      Violation violation = violation_of(loss, shape);
      violation.reason = loss.path + " of the user's gives way to a value of the webhook's own" +
                         (is_restriction ? ", which allows more" : "");
      return violations.push_back(std::move(violation));
    }
    observe("replaces", loss.path, "replaces ", " of the user by a value of its own", observations);
  }

  /// Returns true for a label or an annotation that is left without its text. A webhook may keep what it
  /// found in its own, but an empty text is no finding.
  bool is_emptied(const Loss& loss) const {
    const Value& now = loss.now;
    return !loss.is_gone && loss.path.starts_with("metadata.") && now.is_string() && now.text().empty() &&
           !loss.place.in(before_).text().empty();
  }

  /// Returns true if a text has all that the user's had but the white space around it.
  bool has_words_still(const Loss& loss) const {
    const Value &now = loss.now, old = loss.place.in(before_);
    constexpr std::string_view kBlank = " \t\r\n";
    if (!now.is_string() || !old.is_string()) return false;
    const std::string_view text = old.text();
    const auto from = text.find_first_not_of(kBlank);
    if (from == std::string_view::npos) return true;
    const auto to = text.find_last_not_of(kBlank);
    return now.text().find(text.substr(from, to + 1 - from)) != std::string_view::npos;
  }

  /// Returns true for the value of a variable that several parties append to.
  bool is_appended_to(const Loss& loss) const {
    constexpr std::array<std::string_view, 4> kNames{"PATH", "PYTHONPATH", "LD_PRELOAD", "CLASSPATH"};
    if (loss.place.size() != 6 || !loss.path.ends_with(".value")) return false;
    const std::string name(loss.place.first(5).in(before_)["name"].text());
    return name.ends_with("_OPTIONS") || name.ends_with("_OPTS") ||
           std::find(kNames.begin(), kNames.end(), name) != kNames.end();
  }

  void tell(const Loss& loss, const std::string& shape, std::vector<Violation>& violations) {
    Violation violation = violation_of(loss, shape);
    for (std::size_t count = 2; count < loss.place.size(); ++count) {
      const Place around = loss.place.first(count);
      if (around.is_element() || !question_.is_written_whole(around)) continue;
      violation.path = first_steps(loss.path, count);
      violation.value = around.in(before_);
      violation.shape = shape_of(violation.path, before_, call_.event.result);
      violation.change = "replaces";
      violation.reason = violation.path + whose() +
                         "is replaced as a whole: " + loss.path.substr(violation.path.size() + 1) + " " +
                         loss.reason;
      break;
    }
    if (violation.path == loss.path && is_stored_otherwise(loss)) return;
    const auto known = std::ranges::find(violations, violation.path, &Violation::path);
    if (known == violations.end()) return violations.push_back(std::move(violation));
    known->severity = std::max(known->severity, violation.severity);
  }

  const char* whose() const { return kind_.is_pod() ? " of the user's Pod " : " of the user's object "; }

  Violation violation_of(const Loss& loss, const std::string& shape) const {
    const bool is_error = loss.is_gone || owned_paths_.is_stated;
    Violation violation{.severity = is_error ? Severity::error : Severity::warning,
                        .webhook = call_.webhook.key,
                        .path = loss.path,
                        .value = loss.place.in(before_),
                        .shape = shape,
                        .change = loss.is_gone ? "" : "replaces"};
    if (is_beyond_double(violation.value, loss.now)) violation.symptom = "numbers";
    violation.reason = loss.path + whose() + loss.reason + " after the call";
    if (loss.is_gone && !loss.place.is_element() && loss.field->since >= kNewerFieldsSince)
      violation.reason += ": a field of the API since Kubernetes 1." + std::to_string(loss.field->since);
    return violation;
  }

  const Examination& examination_;
  const FirstCall& call_;
  const Value& before_;
  const OwnedPaths owned_paths_;
  const cases::Kind kind_;
  const bool is_custom_;
  OwnershipQuestion question_;
  std::map<std::string, Ownership> known_ = {};
};

Judgement preserves_others(const Examination& examination) {
  const auto calls = first_calls(examination);
  if (calls.empty()) return not_reached("no webhook was called");
  std::vector<Violation> violations;
  std::vector<Observation> observations;
  for (const FirstCall& call : calls) {
    const OwnedPaths owned_paths = owned_paths_of(examination, call.webhook);
    if (call.event.result.applied) Report(examination, call, owned_paths).ask(violations, observations);
    if (auto lost = lost_field(examination, call, owned_paths)) violations.push_back(*std::move(lost));
  }
  return judged(std::move(violations), std::move(observations));
}

}  // namespace

extern constinit const Property kPreservesOthers = {
    .name = "preserves-others",
    .claim = "What a webhook does not own is still there after it, on the same element.",
    .is_cheap = false,
    .ask = preserves_others,
    .takes_any_kind = true,
    .symptom = "lost",
    .explanation =
        {.example = "A probe of a kind that the compiled-in library does not know is gone after the call.",
         .matters = "A user's setting disappears silently, at every upgrade of Kubernetes another one.",
         .fix = "Patch only what you own, with operations on paths; never send back a typed copy of the "
                "whole object."},
};

}  // namespace fixpoint::properties
