#include "harness/compare/case_differences.h"

#include <algorithm>
#include <functional>
#include <map>

#include "generators/reduce.h"
#include "harness/cases/object_name.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/json.h"
#include "harness/properties/acted.h"
#include "harness/properties/path_values.h"
#include "harness/properties/webhook_caller.h"
#include "harness/runner/examine.h"
#include "harness/runner/fingerprint.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::compare {

namespace {

using cases::Case;
using document::Value;
using properties::PathValue;
using runner::Prepared;
using runner::Subject;
using runner::Vocabulary;

constexpr std::string_view kAbsent = "nothing";

bool has_object(const std::vector<Value>& objects, const Value& object) {
  return std::any_of(objects.begin(), objects.end(),
                     [&](const Value& one) { return cases::have_same_name(one, object); });
}

template <class List>
void join(List& into, const List& more) {
  for (const auto& one : more) {
    if (std::find(into.begin(), into.end(), one) == into.end()) into.push_back(one);
  }
}

void join(Vocabulary& words, const Vocabulary& more) {
  join(words.triggers, more.triggers);
  for (std::size_t i = 0; i < words.names.lists.size(); ++i) join(words.names.lists[i], more.names.lists[i]);
  join(words.objects, more.objects);
}

/// Returns the answer to the client: the code and reason of a refusal, or "allowed".
std::string answer_of(const Prepared& prepared) {
  const auto& status = prepared.admission.status;
  return status ? cases::code_and_reason(*status) : "allowed";
}

bool is_below(std::string_view path, std::string_view part) {
  return path.starts_with(part) &&
         (path.size() == part.size() || path[part.size()] == '.' || path[part.size()] == '[');
}

bool has_any(const std::vector<PathValue>& path_values, std::string_view part) {
  return std::any_of(path_values.begin(), path_values.end(),
                     [&](const PathValue& path_value) { return is_below(path_value.path, part); });
}

/// Returns the largest part around the path that the other side lacks completely, or the path itself.
std::string outermost(const std::string& path, const std::vector<PathValue>& other) {
  bool is_in_key = false;
  for (std::size_t i = 0; i < path.size(); ++i) {
    is_in_key = path[i] == '[' || (is_in_key && path[i] != ']');
    const bool is_end = !is_in_key && i + 1 < path.size() && (path[i + 1] == '.' || path[i + 1] == '[');
    const std::string_view part = std::string_view(path).substr(0, i + 1);
    if (is_end && !has_any(other, part)) return std::string(part);
  }
  return path;
}

/// Compares two results and lists the parts that differ.
class ResultComparison {
 public:
  ResultComparison(const Prepared& a, const Prepared& b)
      : a_(a),
        b_(b),
        of_a_(properties::path_values_of(a.admission.object)),
        of_b_(properties::path_values_of(b.admission.object)) {}

  std::vector<Difference> all() {
    const std::string answer_a = answer_of(a_), answer_b = answer_of(b_);
    if (answer_a != answer_b) note("answer", "answer", answer_a, answer_b);
    if (a_.admission.object.is_null() || b_.admission.object.is_null()) return take();
    for (const PathValue& path_value : properties::added(of_b_, of_a_)) compare(path_value, of_b_);
    for (const PathValue& path_value : properties::added(of_a_, of_b_)) compare(path_value, of_a_);
    return take();
  }

 private:
  void compare(const PathValue& path_value, const std::vector<PathValue>& other) {
    const std::string path = outermost(path_value.path, other);
    note(path, shape_of(path), words_of(of_a_, path), words_of(of_b_, path));
  }

  void note(std::string path, const std::string& shape, std::string of_a, std::string of_b) {
    const std::string lacks = of_a == kAbsent ? "a" : of_b == kAbsent ? "b" : "";
    const std::string print = runner::fingerprint_of({"compare", without_counts(shape), lacks});
    found_.try_emplace(print, Difference{std::move(path), std::move(of_a), std::move(of_b), print});
  }

  /// Removes the counts of equal keys, so that `[models#2]` and `[models#3]` are of one kind.
  static std::string without_counts(std::string shape) {
    for (auto hash = shape.find('#'); hash != std::string::npos; hash = shape.find('#', hash + 1)) {
      const auto end = shape.find(']', hash);
      if (end != std::string::npos) shape.erase(hash + 1, end - hash - 1);
    }
    return shape;
  }

  /// Returns the scalar at or below the path as JSON; the first one if there are several.
  static std::string words_of(const std::vector<PathValue>& path_values, const std::string& path) {
    for (const PathValue& path_value : path_values) {
      if (!is_below(path_value.path, path)) continue;
      const std::string text = std::invoke(&PathValue::text, path_value);
      return path_value.path == path ? text : path_value.path.substr(path.size() + 1) + " " + text + " …";
    }
    return std::string(kAbsent);
  }

  /// Returns the path with its names only where one of the webhooks wrote them; names chosen by the user do
  /// not distinguish kinds.
  std::string shape_of(const std::string& path) const {
    const bool is_in_a = has_any(of_a_, path);
    const Prepared& side = is_in_a ? a_ : b_;
    std::vector<Value> written;
    for (const Prepared* one : {&a_, &b_}) {
      for (const auto& event : one->admission.calls)
        if (event.result.answer.patch) written.push_back(*event.result.answer.patch);
    }
    const std::string place = properties::locate(side.admission.object, path);
    return place.empty() ? path
                         : properties::shape_of(place, side.admission.object, Value(std::move(written)));
  }

  std::vector<Difference> take() {
    std::vector<Difference> list;
    for (auto& [print, difference] : found_) list.push_back(std::move(difference));
    std::sort(list.begin(), list.end(),
              [](const Difference& a, const Difference& b) { return a.path < b.path; });
    return list;
  }

  const Prepared &a_, &b_;
  std::vector<PathValue> of_a_, of_b_;
  std::map<std::string, Difference> found_ = {};
};

std::optional<Difference> find(const std::vector<Difference>& list, const std::string& fingerprint) {
  for (const Difference& one : list) {
    if (one.fingerprint == fingerprint) return one;
  }
  return std::nullopt;
}

}  // namespace

Subject Pair::both() const {
  Subject joined = a;
  join(joined.vocabulary, b.vocabulary);
  for (const runner::DrawnKind& kind : b.kinds)
    if (std::ranges::find(joined.kinds, kind) == joined.kinds.end()) joined.kinds.push_back(kind);
  for (const Value& object : b.objects) {
    if (!has_object(joined.objects, object)) joined.objects.push_back(object);
  }
  return joined;
}

Case without_webhooks(Case value) {
  // An older server does not run policies at all.
  if (value.cluster.has_kind(cases::kPolicyBinding)) value.cluster.version = cases::kNewestVersion;
  std::erase_if(value.cluster.objects, [](const Value& object) {
    return cases::is_webhook_configuration(object) || cases::is_policy(object) ||
           cases::is_policy_binding(object);
  });
  value.webhooks.clear();
  value.faults.clear();
  value.neighbours.reset();
  return value;
}

Case with_subject(Case plain, const Subject& subject) {
  for (const Value& object : subject.objects) {
    plain.cluster.add_missing(object);
  }
  plain.cluster.objects.push_back(subject.configuration);
  plain.webhooks = subject.webhooks;
  return plain;
}

Compared compared(const Case& plain, const Pair& pair, const webhooks::Resolve& resolve,
                  const Limits& limits) {
  const auto a = runner::prepare(with_subject(plain, pair.a), resolve, limits, runner::kWithoutWarnings);
  const auto b = runner::prepare(with_subject(plain, pair.b), resolve, limits, runner::kWithoutWarnings);
  if (!a || !b) return {};
  return {.differences = ResultComparison(*a, *b).all(),
          .has_acted =
              properties::has_acted(a->value, a->admission) || properties::has_acted(b->value, b->admission)};
}

bool is_valid(const Case& plain, const webhooks::Resolve& resolve, const Limits& limits) {
  const auto prepared = runner::prepare(plain, resolve, limits, runner::kWithoutWarnings);
  return prepared && runner::has_valid_pod(*prepared);
}

SmallestDifference shrink(const Case& plain, const Difference& difference, const Pair& pair,
                          const webhooks::Resolve& resolve, const Limits& limits) {
  const bool stays_valid = is_valid(plain, resolve, limits);
  SmallestDifference best{plain, difference};
  std::size_t tries = 0;
  for (bool progress = true; progress && tries < limits.shrink_tries_max;) {
    progress = false;
    generators::reduce(best.plain, [&](const Case& candidate) {
      if (++tries > limits.shrink_tries_max) return false;
      auto still = find(compared(candidate, pair, resolve, limits).differences, difference.fingerprint);
      if (!still || (stays_valid && !is_valid(candidate, resolve, limits))) return false;
      best = {candidate, *std::move(still)};
      return progress = true;
    });
  }
  return best;
}

}  // namespace fixpoint::compare
