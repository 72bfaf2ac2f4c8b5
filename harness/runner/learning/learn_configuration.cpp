#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/document/json.h"
#include "harness/runner/learning/condition_outline.h"
#include "harness/runner/learning/field_path.h"
#include "harness/runner/learning/learn.h"
#include "harness/runner/learning/pattern_text.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::runner {

namespace {

using Op = Outline::Op;
using Where = Trigger::Where;

/// A part of the request on which an expression shows that the webhook decides.
struct Place {
  Where where;
  std::string key;
};

bool range_is_map(const FieldPath& path) { return path.back().member == "nodeSelector"; }

bool is_map_of_metadata(const FieldPath& path) {
  return path.size() == 3 && path[1].member == "metadata" &&
         (path[2].member == "labels" || path[2].member == "annotations");
}

/// Returns the trigger at the path from a variable.
std::optional<Place> named(const FieldPath& path) {
  const std::string& root = path.front().member;
  const bool is_object = root == "object", is_namespace = root == "namespaceObject";
  const std::string rest = write_field_path({path.begin() + 1, path.end()});
  if ((root == "request" && rest == "namespace") || (is_object && rest == kNamespaceField) ||
      (is_namespace && rest == "metadata.name"))
    return Place{Where::field, kNamespaceField};
  if (root == "request" && rest == "userInfo.username") return Place{Where::user, kUserName};
  if (root == "request" && rest == "userInfo.groups[*]") return Place{Where::user, kUserGroups};
  if (root == "request" && rest == "name") return Place{Where::field, "metadata.name"};
  if (path.size() == 4 && is_map_of_metadata({path.begin(), path.begin() + 3})) {
    const bool is_label = path[2].member == "labels";
    if (is_object) return Place{is_label ? Where::label : Where::annotation, path[3].member};
    if (!is_namespace) return std::nullopt;
    return Place{is_label ? Where::namespace_label : Where::namespace_annotation, path[3].member};
  }
  const bool is_deep = path.size() > 2 && (path[1].member == "spec" || path[1].member == "metadata");
  if (!is_object || !is_deep || is_map_of_metadata(path)) return std::nullopt;
  return Place{Where::field, rest};
}

void learn_field(Vocabulary& words, const std::string& key, const Value& value, bool is_wanted) {
  learn_trigger(words, Where::field, key, document::write_json(value), !is_wanted);
  if (key == "spec.containers[*].name") learn_container_name(words, NameKind::container, value);
}

void learn(Vocabulary& words, const Place& place, const Value& value, bool is_wanted) {
  if (place.where == Where::namespace_label && place.key == kNameOfNamespace)
    return learn(words, {Where::field, kNamespaceField}, value, is_wanted);
  if (place.where == Where::field && !value.is_null()) return learn_field(words, place.key, value, is_wanted);
  const auto text = value.is_string() ? std::optional(value.text()) : std::nullopt;
  learn_trigger(words, place.where, place.key, text, !is_wanted);
}

class Conditions {
 public:
  explicit Conditions(Vocabulary& words) : words_(words) {}

  void learn_expression(std::string_view text) {
    if (const auto expression = outline_of(text)) return read(**expression, true);
    // An expression that cannot be parsed as a whole still quotes keys.
    learn_from_program(words_, text);
  }

 private:
  /// The value of a quantifier's variable: an element at the path, or each key of a map.
  struct Bound {
    std::string name;
    FieldPath path;
    bool is_key;
  };

  /// Learns values that make the expression true, or false if that is wanted.
  void read(const Outline& node, bool is_wanted) {
    switch (node.op) {
      case Op::logical_and:
      case Op::logical_or:
        for (const auto& part : node.parts) read(*part, is_wanted);
        return;
      case Op::negate:
        return read(*node.parts[0], !is_wanted);
      case Op::equal:
        return compare(*node.parts[0], *node.parts[1], is_wanted);
      case Op::unequal:
        return compare(*node.parts[0], *node.parts[1], !is_wanted);
      case Op::exists:
      case Op::all:
      case Op::exists_one:
        return quantify(node, is_wanted);
      case Op::in:
        return read_in(*node.parts[0], *node.parts[1], is_wanted);
      case Op::has:
        return learn_presence(node, is_wanted);
      case Op::select:
      case Op::index:
        if (const auto place = place_of(node)) learn(words_, *place, true, is_wanted);
        return;
      case Op::less:
      case Op::less_or_equal:
      case Op::greater:
      case Op::greater_or_equal:
        return order(*node.parts[0], *node.parts[1], is_wanted);
      case Op::starts_with:
      case Op::ends_with:
      case Op::contains:
        return read_text(*node.parts[0], *node.parts[1], is_wanted);
      default:
        return;
    }
  }

  void compare(const Outline& left, const Outline& right, bool is_wanted) {
    if (left.op == Op::literal && right.op != Op::literal) return compare(right, left, is_wanted);
    if (right.op != Op::literal) return;
    if (left.op == Op::size) return learn_presence(*left.parts[0], is_wanted);
    if (right.literal.is_null()) return learn_presence(left, !is_wanted);
    if (is_key(left)) return learn_key(left, right.literal, is_wanted);
    if (const auto place = place_of(left)) learn(words_, *place, right.literal, is_wanted);
  }

  /// Learns the numbers next to the bound, on both sides of it.
  void order(const Outline& left, const Outline& right, bool is_wanted) {
    if (left.op == Op::size) return learn_presence(*left.parts[0], is_wanted);
    const auto bound = right.literal.integer();
    const auto place = place_of(left);
    if (!bound || !place) return;
    for (const std::int64_t value : {*bound, *bound - 1, *bound + 1}) learn(words_, *place, value, true);
  }

  void read_in(const Outline& needle, const Outline& range, bool is_wanted) {
    for (const auto& element : range.parts) {
      if (range.op == Op::list) compare(needle, *element, is_wanted);
    }
    if (range.op == Op::list || needle.op != Op::literal || !needle.literal.is_string()) return;
    auto path = path_of(range);
    if (!path) return;
    FieldPath member = *path;
    member.push_back({.member = std::string(needle.literal.text())});
    // Maps and lists look the same here; those of labels and annotations are maps.
    const auto key = named(member);
    if (key && (key->where != Where::field || range_is_map(*path))) return learn(words_, *key, {}, is_wanted);
    path->push_back({.is_element = true});
    if (const auto place = named(*path)) learn(words_, *place, needle.literal, is_wanted);
  }

  /// Learns a text that begins, ends or continues like the literal: the literal itself, made a legal value.
  /// Of a regular expression, a text that it matches.
  void read_text(const Outline& left, const Outline& right, bool is_wanted) {
    if (!right.literal.is_string() || right.literal.text().empty()) return;
    std::string text(right.literal.text());
    if (left.op == Op::literal) return;
    if (text.find_first_of("*+?()[]{}|\\") != std::string::npos) {
      const auto matching = text_matching(text);
      if (!matching) return;
      text = *matching;
    }
    if (text.front() == '^') text.erase(0, 1);
    if (text.ends_with('$')) text.pop_back();
    if (text.empty()) return;
    const auto is_open = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; };
    if (is_open(text.back())) text += 'a';
    if (is_open(text.front())) text = 'a' + text;
    if (is_key(left)) return learn_key(left, text, is_wanted);
    if (const auto place = place_of(left)) learn(words_, *place, text, is_wanted);
  }

  void quantify(const Outline& node, bool is_wanted) {
    auto path = path_of(*node.parts[0]);
    if (!path) return;
    const bool is_of_keys = is_map_of_metadata(*path);
    if (!is_of_keys) path->push_back({.is_element = true});
    bound_.push_back({node.name, *std::move(path), is_of_keys});
    read(*node.parts[1], is_wanted);
    bound_.pop_back();
  }

  const Bound* bound(const Outline& node) const {
    if (node.op != Op::name) return nullptr;
    for (auto one = bound_.rbegin(); one != bound_.rend(); ++one) {
      if (one->name == node.name) return &*one;
    }
    return nullptr;
  }
  bool is_key(const Outline& node) const {
    const Bound* variable = bound(node);
    return variable != nullptr && variable->is_key;
  }
  void learn_key(const Outline& node, const Value& key, bool is_wanted) {
    FieldPath path = bound(node)->path;
    path.push_back({.member = std::string(key.text())});
    if (const auto place = named(path)) learn(words_, *place, {}, is_wanted);
  }

  void learn_presence(const Outline& node, bool is_wanted) {
    if (const auto place = place_of(node)) learn(words_, *place, {}, is_wanted);
  }

  /// Returns the path from the root that a chain of selections takes; the first step is the variable.
  std::optional<FieldPath> path_of(const Outline& node) const {
    if (node.op == Op::name) {
      if (const Bound* variable = bound(node))
        return variable->is_key ? std::nullopt : std::optional(variable->path);
      return FieldPath{{.member = node.name}};
    }
    if (node.op != Op::select && node.op != Op::has && node.op != Op::index) return std::nullopt;
    auto path = path_of(*node.parts[0]);
    if (!path) return std::nullopt;
    if (node.op != Op::index) {
      path->push_back({.member = node.name});
    } else if (is_key(*node.parts[1])) {
      return std::nullopt;
    } else if (const Value& index = node.parts[1]->literal; index.is_string()) {
      path->push_back({.member = std::string(index.text())});
    } else {
      path->push_back({.is_element = true});
    }
    return path;
  }

  std::optional<Place> place_of(const Outline& node) const {
    const auto path = path_of(node);
    return path ? named(*path) : std::nullopt;
  }

  Vocabulary& words_;
  std::vector<Bound> bound_ = {};
};

}  // namespace

void learn_selector(Vocabulary& words, const Value& selector, Where where) {
  for (const auto& member : selector["matchLabels"].members())
    learn(words, {where, std::string(member.key.text())}, member.value, true);
  for (const Value& expression : selector["matchExpressions"].elements()) {
    const std::string_view is = expression["operator"].text();
    const bool is_wanted = is != "DoesNotExist" && is != "NotIn";
    const Place place{where, std::string(expression["key"].text())};
    if (expression["values"].empty()) learn(words, place, {}, is_wanted);
    for (const Value& value : expression["values"].elements()) learn(words, place, value, is_wanted);
  }
}

void learn_from_configuration(Vocabulary& words, const Value& configuration) {
  Conditions conditions(words);
  for (const Value& webhook : configuration["webhooks"].elements()) {
    learn_selector(words, webhook["objectSelector"], Where::label);
    learn_selector(words, webhook["namespaceSelector"], Where::namespace_label);
    for (const Value& condition : webhook["matchConditions"].elements())
      conditions.learn_expression(condition["expression"].text());
  }
}

}  // namespace fixpoint::runner
