#include <algorithm>
#include <array>

#include "harness/properties/counterparts.h"
#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/references.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

using Texts = std::vector<std::string>;

/// Returns the identities of the elements of a list whose order a user chose: their names, or the args
/// themselves.
Texts keys_of(const Value& list) {
  Texts keys;
  for (const Value& element : list.elements()) {
    keys.emplace_back(element.is_string() ? element.text() : element["name"].text());
  }
  return keys;
}

/// Returns `before` without the elements that `after` lacks; copies count.
Texts kept(const Texts& before, const Texts& after) {
  Texts left = after, result;
  for (const std::string& key : before) {
    const auto found = std::find(left.begin(), left.end(), key);
    if (found == left.end()) continue;
    left.erase(found);
    result.push_back(key);
  }
  return result;
}

bool is_subsequence(const Texts& wanted, const Texts& of) {
  auto next = wanted.begin();
  for (const std::string& key : of) {
    if (next != wanted.end() && *next == key) ++next;
  }
  return next == wanted.end();
}

class KeptOrderQuestion {
 public:
  KeptOrderQuestion(const Examination& examination, const FirstCall& call, std::vector<Violation>& violations)
      : examination_(examination), call_(call), violations_(violations) {}

  void ask() {
    const Value& before = call_.event.before["spec"];
    const Value& after = call_.event.result.after["spec"];
    for (const char* list : {"containers", "initContainers", "volumes"}) {
      ask_list("spec", list, before[list], after[list]);
    }
    for (const char* list : {"containers", "initContainers"}) {
      const auto there = counterparts(after[list], before[list],
                                      [](const Value& a, const Value& b) { return a["name"] == b["name"]; });
      for (std::size_t i = 0; i < after[list].size(); ++i) {
        const Value& now = after[list].at(i);
        const std::string path = std::string("spec.").append(list) + "[" + std::to_string(i) + "]";
        const Value* old = there[i] == before[list].size() ? nullptr : &before[list].at(there[i]);
        if (old != nullptr && !old->same(now)) {
          for (const char* inner : {"env", "args", "command"})
            ask_list(path, inner, (*old)[inner], now[inner]);
        }
        ask_references(path + ".env", old == nullptr ? Value() : (*old)["env"], now["env"]);
      }
    }
  }

 private:
  static const Value* same_name(const Value& list, const Value& name) {
    for (const Value& element : list.elements()) {
      if (element["name"] == name) return &element;
    }
    return nullptr;
  }

  void ask_list(const std::string& above, const std::string& list, const Value& before, const Value& after) {
    if (before.size() < 2 || before.same(after)) return;
    const Texts old = keys_of(before), now = keys_of(after);
    Texts wanted = kept(old, now);
    if (is_subsequence(wanted, now)) return;
    if (list != "args" && list != "command") {
      // The webhook may move what it would add again itself.
      std::erase_if(wanted, [&](const std::string& name) { return is_own(above + "." + list, name); });
      if (is_subsequence(wanted, now)) return;
    }
    report(above + "." + list, "stands in another order than the user's");
  }

  /// Returns true if the webhook adds an element of that name to the list at `path` if the user has none.
  bool is_own(const std::string& path, const std::string& name) const {
    Value without = call_.event.before;
    const auto elements = at_path(without, path).elements();
    for (std::size_t i = elements.size(); i-- > 0;)
      if (elements[i]["name"].text() == name) without = without_path(without, element_path(path, i));
    const auto call_result = call_afresh(examination_, call_.webhook, without);
    return went_well(call_result) && same_name(at_path(call_result.after, path), Value(name)) != nullptr;
  }

  /// Reports an entry that is new, or that was resolved before, if an entry that it refers to is in the list
  /// but not in front of it.
  void ask_references(const std::string& path, const Value& before, const Value& after) {
    if (before.same(after)) return;
    for (std::size_t i = 0; i < after.size(); ++i) {
      for (std::string_view name : references_in(after.at(i)["value"].text())) {
        if (is_defined_before(after, i, name) || !is_defined_before(after, after.size(), name)) continue;
        if (was_unresolved(before, after.at(i), name)) continue;
        report(path + "[" + std::to_string(i) + "].value",
               "refers to " + std::string(name) + ", which is defined behind it and not expanded");
        return;
      }
    }
  }
  /// Returns true if an entry of the user's, here or in a container that the webhook copied it from, did not
  /// resolve before the call either.
  bool was_unresolved(const Value& before, const Value& entry, std::string_view name) const {
    const auto is_users = [&](const Value& env) {
      for (std::size_t i = 0; i < env.size(); ++i)
        if (env.at(i)["name"] == entry["name"] && !is_defined_before(env, i, name) &&
            std::ranges::count(references_in(env.at(i)["value"].text()), name) > 0)
          return true;
      return false;
    };
    if (is_users(before)) return true;
    for (const char* list : {"containers", "initContainers"})
      for (const Value& container : call_.event.before["spec"][list].elements())
        if (is_users(container["env"])) return true;
    return false;
  }

  void report(const std::string& path, const std::string& how) {
    Violation violation{.webhook = call_.webhook.key, .path = path};
    violation.value = at_path(call_.event.result.after, path);
    violation.shape = shape_of(path, call_.event.result.after, call_.event.result);
    violation.reason = path + " " + how;
    violations_.push_back(std::move(violation));
  }

  const Examination& examination_;
  const FirstCall& call_;
  std::vector<Violation>& violations_;
};

Judgement preserves_order(const Examination& examination) {
  if (first_calls(examination).empty()) return not_reached("no webhook was called");
  std::vector<Violation> violations;
  for (const FirstCall& call : effective_calls(examination))
    KeptOrderQuestion(examination, call, violations).ask();
  return judged(std::move(violations));
}

}  // namespace

extern constinit const Property kPreservesOrder = {
    .name = "preserves-order",
    .claim = "The user's containers, volumes, env and args keep their order, and $(NAME) points backwards.",
    .is_cheap = false,
    .ask = preserves_order,
    .explanation = {.example = "Env is sorted by name, and $(BASE) now stands in front of BASE.",
                    .matters = "References stay as literal text, and init containers run in another order.",
                    .fix = "Insert without touching the order of what is there; define before you use."},
};

}  // namespace fixpoint::properties
