#include <set>

#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/document/patch.h"
#include "harness/properties/contract.h"
#include "harness/properties/judge.h"
#include "harness/properties/probe.h"
#include "harness/properties/properties.h"

namespace fixpoint::properties {

namespace {

using apiserver::Field;
using apiserver::Hop;
using apiserver::Many;
using apiserver::Type;

/// One thing of the user's that is gone or another.
struct Loss {
  Severity severity;
  std::string path;
  std::string because;
  bool is_identity = false;  ///< it tells the element from its siblings: another value is another element
};

class Comparison {
 public:
  std::vector<Loss> losses;

  void object(const Type& type, const Value& before, const Value& after, const std::string& path) {
    if (before.same(after)) return;
    for (const Field& field : type.fields) {
      const Value* old = before.find(field.name);
      if (old == nullptr || old->is_null()) continue;
      const std::string here = member_path(path, field.name.text);
      const Value* now = after.find(field.name);
      if (now == nullptr || now->is_null()) {
        if (!(old->empty() && (old->is_array() || old->is_object()))) lose(here, "is gone");
      } else {
        member(field, *old, *now, here);
      }
    }
  }

 private:
  void lose(const std::string& path, const char* how) { losses.push_back({Severity::error, path, how}); }

  void member(const Field& field, const Value& old, const Value& now, const std::string& path) {
    if (old.same(now) || old == now) return;
    if (field.many == Many::map) return map(old, now, path);
    if (field.many == Many::list) return list(field, old, now, path);
    if (field.type != nullptr) return object(*field.type, old, now, path);
    losses.push_back({Severity::warning, path, "has another value"});
  }

  void map(const Value& old, const Value& now, const std::string& path) {
    for (const auto& entry : old.members()) {
      const Value* found = now.find(entry.key.name());
      if (found == nullptr) {
        lose(member_path(path, entry.key.text()), "is gone");
      } else if (!(*found == entry.value)) {
        losses.push_back({Severity::warning, member_path(path, entry.key.text()), "has another value"});
      }
    }
  }

  void element(const Field& field, const Value& old, const Value& now, const std::string& path) {
    const std::size_t before = losses.size();
    object(*field.type, old, now, path);
    for (std::size_t i = before; i < losses.size(); ++i) {
      for (const std::string_view key : field.keys[0].members)
        losses[i].is_identity =
            losses[i].is_identity || (!key.empty() && losses[i].path == member_path(path, key));
    }
  }

  /// The terms of a node selector are alternatives. One with more requirements than the user's is his all the
  /// same; one more beside his lets the Pod where none of his does.
  void terms(const Field& field, const Value& old, const Value& now, const std::string& path) {
    std::set<std::size_t> taken;
    const auto take = [&](const Value& term, bool is_exact) {
      for (std::size_t j = 0; j < now.size(); ++j) {
        if (taken.contains(j) || !(is_exact ? term == now.at(j) : narrows(field, term, now.at(j)))) continue;
        return taken.insert(j).second;
      }
      return false;
    };
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < old.size(); ++i) {
      if (!take(old.at(i), true)) left.push_back(i);
    }
    for (const std::size_t i : left) {
      if (!take(old.at(i), false)) lose(path + "[" + std::to_string(i) + "]", "is gone");
    }
    if (!old.empty() && taken.size() < now.size())
      lose(path, "no longer binds: the terms are alternatives, and there is another one");
  }
  static bool narrows(const Field& field, const Value& term, const Value& by) {
    Comparison comparison;
    comparison.object(*field.type, term, by, "");
    return comparison.losses.empty();
  }

  /// Elements are found again by their key; those without one by their value.
  void list(const Field& field, const Value& old, const Value& now, const std::string& path) {
    if (field.name == document::Name("nodeSelectorTerms")) return terms(field, old, now, path);
    const std::string_view key = field.keys.empty() ? std::string_view() : field.keys[0].members[0];
    std::set<std::size_t> taken;
    for (std::size_t i = 0; i < old.size(); ++i) {
      const std::string here = path + "[" + std::to_string(i) + "]";
      bool found = false;
      for (std::size_t j = 0; j < now.size() && !found; ++j) {
        if (taken.contains(j)) continue;
        found = key.empty() ? now.at(j) == old.at(i) : now.at(j)[key] == old.at(i)[key];
        if (!found) continue;
        taken.insert(j);
        if (!key.empty() && field.type != nullptr) element(field, old.at(i), now.at(j), here);
      }
      if (!found) lose(here, "is gone");
    }
  }
};

/// Whether the server itself would put that value there: a webhook cannot know that a user wanted it.
bool is_default(const Value& pod, const std::string& path, int minor) {
  const Value defaulted = apiserver::default_pod(without_path(pod, path), minor);
  return at_path(defaulted, path) == at_path(pod, path);
}

/// Whether an in-tree plugin put it there, as spec.priority: no user wanted it.
bool is_of_plugin(const apiserver::Admission& admission, const Value& before, const std::string& path) {
  const Value own = at_path(before, path);
  return at_path(admission.received, path).is_null() && at_path(admission.first, path) == own;
}

void report(const Examination& examination, const FirstCall& call, const std::vector<Loss>& losses,
            const Footprint& footprint, std::vector<Violation>& violations) {
  const Value& before = call.event.before;
  const Value& patch = *call.event.hop.answer.patch;
  const int minor = apiserver::minor_of(examination.value.cluster);
  for (const Loss& loss : losses) {
    if (footprint.covers(loss.path, before)) continue;
    if (is_of_plugin(examination.admission, before, loss.path)) continue;
    const bool is_style = loss.severity == Severity::warning && !loss.is_identity && !footprint.is_stated;
    if (is_style && is_default(before, loss.path, minor)) continue;
    Violation violation{.severity = footprint.is_stated ? Severity::error : loss.severity,
                        .webhook = call.webhook.key,
                        .path = loss.path};
    violation.value = at_path(before, loss.path);
    violation.shape = shape_of(loss.path, before, patch);
    violation.because = loss.path + " of the user's Pod " + loss.because + " after the call";
    violations.push_back(std::move(violation));
  }
}

/// Fields that the server drops before it calls anyone can be asked about by a direct call only: an unknown
/// member in each container and in the Pod's spec must come through the webhook's own decoding (a warning,
/// decisions.md).
Value with_sentinels(const Value& pod) {
  Value marked = pod;
  marked.edit("spec").set("fixpointSentinel", "kept");
  for (std::size_t i = 0; i < pod["spec"]["containers"].size(); ++i) {
    marked.edit("spec").edit("containers").edit(i).set("fixpointSentinel", "kept");
  }
  return marked;
}

void ask_sentinels(const Examination& examination, const FirstCall& call,
                   std::vector<Violation>& violations) {
  const Value marked = with_sentinels(call.event.before);
  Prober prober(examination);
  const Hop hop = prober.call(call.webhook, marked);
  if (!hop.called || !hop.answer.problem.empty() || !hop.answer.patch) return;
  const auto patched = document::apply_patch(marked, *hop.answer.patch, examination.limits);
  if (!patched.ok()) return;
  const Value& after = patched.document;
  std::string lost = after["spec"]["fixpointSentinel"].is_null() ? "spec.fixpointSentinel" : "";
  for (const Value& container : marked["spec"]["containers"].elements()) {
    for (const Value& other : after["spec"]["containers"].elements()) {
      if (other["name"] == container["name"] && other["fixpointSentinel"].is_null()) {
        lost = "spec.containers[*].fixpointSentinel";
      }
    }
  }
  if (lost.empty()) return;
  Violation violation{
      .severity = Severity::warning, .webhook = call.webhook.key, .path = lost, .shape = "unknown-fields"};
  violation.because = "a field that the webhook does not know (" + lost + ") is removed by its patch";
  violations.push_back(std::move(violation));
}

}  // namespace

Judgement preserves_others(const Examination& examination) {
  const auto calls = first_calls(examination);
  if (calls.empty()) return not_reached("no webhook was called");
  std::vector<Violation> violations;
  for (const FirstCall& call : calls) {
    if (call.event.hop.applied) {
      Comparison comparison;
      comparison.object(apiserver::kPod, call.event.before, call.event.hop.after, "");
      std::erase_if(comparison.losses,
                    [](const Loss& loss) { return loss.path.starts_with("metadata.managedFields"); });
      report(examination, call, comparison.losses, footprint_of(examination, call.webhook), violations);
    }
    ask_sentinels(examination, call, violations);
  }
  return judged(std::move(violations));
}

}  // namespace fixpoint::properties
