#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/apiserver/cel/expression.h"

namespace fixpoint::apiserver {

namespace {

using Op = Expression::Op;

/// The static type that the server's compiler gives a value. `any` is the element type of an empty list.
enum class Kind { dyn, any, null, boolean, integer, text, list, map, request, kind, resource, user };

/// A kind, followed by the element type for lists and maps: {list, text} is a list of strings.
using CelType = std::vector<Kind>;
using Checked = std::optional<CelType>;  ///< empty for an expression that does not compile

struct RequestField {
  Kind of;
  std::string_view name;
  std::array<Kind, 3> type;
  std::size_t depth = 1;
};
/// The fields of `request` and of its members (BuildRequestType in
/// k8s.io/apiserver/pkg/admission/plugin/cel/compile.go).
constexpr RequestField kRequestFields[] = {
    {Kind::request, "kind", {Kind::kind}},
    {Kind::request, "resource", {Kind::resource}},
    {Kind::request, "subResource", {Kind::text}},
    {Kind::request, "requestKind", {Kind::kind}},
    {Kind::request, "requestResource", {Kind::resource}},
    {Kind::request, "requestSubResource", {Kind::text}},
    {Kind::request, "name", {Kind::text}},
    {Kind::request, "namespace", {Kind::text}},
    {Kind::request, "operation", {Kind::text}},
    {Kind::request, "userInfo", {Kind::user}},
    {Kind::request, "dryRun", {Kind::boolean}},
    {Kind::request, "options", {Kind::dyn}},
    {Kind::kind, "group", {Kind::text}},
    {Kind::kind, "version", {Kind::text}},
    {Kind::kind, "kind", {Kind::text}},
    {Kind::resource, "group", {Kind::text}},
    {Kind::resource, "version", {Kind::text}},
    {Kind::resource, "resource", {Kind::text}},
    {Kind::user, "username", {Kind::text}},
    {Kind::user, "uid", {Kind::text}},
    {Kind::user, "groups", {Kind::list, Kind::text}, 2},
    {Kind::user, "extra", {Kind::map, Kind::list, Kind::text}, 3},
};

bool is_open(const CelType& type) { return type.front() == Kind::dyn || type.front() == Kind::any; }
bool is(const CelType& type, Kind kind) { return is_open(type) || type.front() == kind; }
bool is_struct(const CelType& type) { return type.front() >= Kind::request; }
CelType inside(const CelType& type) { return {type.begin() + 1, type.end()}; }

/// Returns true if some value could have both types.
bool unify(const CelType& a, const CelType& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i] <= Kind::any || b[i] <= Kind::any) return true;
    if (a[i] == b[i]) continue;
    return i == 0 && ((a[0] == Kind::null && is_struct(b)) || (b[0] == Kind::null && is_struct(a)));
  }
  return true;
}

/// Returns true if both types are equal, or can be made equal by choosing the element type of an empty list.
bool is_same(const CelType& a, const CelType& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i] == Kind::any || b[i] == Kind::any) return true;
    if (a[i] != b[i]) return false;
  }
  return a.size() == b.size();
}

/// The rules of CEL's checker for the operators of the subset, and those of the API server for literals of
/// lists: all elements have one type (cel.ValidateHomogeneousAggregateLiterals, base environment of
/// k8s.io/apiserver/pkg/cel/environment).
class TypeChecker {
 public:
  Checked check(const Expression& node) {
    if (node.op == Op::literal) return literal(node.literal);
    if (node.op == Op::name) return variable(node.name);
    std::vector<CelType> parts;
    const bool binds = node.op == Op::exists || node.op == Op::all || node.op == Op::exists_one;
    for (const auto& part : node.parts) {
      if (binds && parts.size() == 1) return quantified(node, parts.front());
      auto type = check(*part);
      if (!type) return std::nullopt;
      parts.push_back(*std::move(type));
    }
    return combined(node, parts);
  }

 private:
  static Checked literal(const document::Value& value) {
    if (value.is_string()) return CelType{Kind::text};
    if (value.is_boolean()) return CelType{Kind::boolean};
    return CelType{value.is_null() ? Kind::null : Kind::integer};
  }
  Checked variable(std::string_view name) const {
    for (std::size_t i = bound_.size(); i-- > 0;) {
      if (bound_[i].first == name) return bound_[i].second;
    }
    return CelType{name == "request" ? Kind::request : Kind::dyn};
  }
  Checked quantified(const Expression& node, const CelType& range) {
    CelType element{Kind::dyn};
    if (range.front() == Kind::list) {
      element = inside(range);
    } else if (range.front() == Kind::map) {
      element = {Kind::text};
    } else if (!is_open(range)) {
      return std::nullopt;
    }
    bound_.emplace_back(node.name, std::move(element));
    const Checked body = check(*node.parts[1]);
    bound_.pop_back();
    return body && is(*body, Kind::boolean) ? Checked(CelType{Kind::boolean}) : std::nullopt;
  }
  static Checked selected(const CelType& base, std::string_view name) {
    if (is_open(base)) return CelType{Kind::dyn};
    if (base.front() == Kind::map) return inside(base);
    for (const RequestField& field : kRequestFields) {
      if (field.of != base.front() || field.name != name) continue;
      return CelType(field.type.begin(), field.type.begin() + static_cast<std::ptrdiff_t>(field.depth));
    }
    return std::nullopt;
  }
  static Checked indexed(const CelType& base, const CelType& index) {
    if (is_open(base)) return CelType{Kind::dyn};
    const bool is_list = base.front() == Kind::list, is_map = base.front() == Kind::map;
    if ((!is_list && !is_map) || !is(index, is_list ? Kind::integer : Kind::text)) return std::nullopt;
    return inside(base);
  }
  static Checked list_of(const std::vector<CelType>& elements) {
    CelType type{Kind::list};
    if (elements.empty()) {
      type.push_back(Kind::any);
      return type;
    }
    const CelType* known = &elements.front();
    for (const CelType& element : elements) {
      if (!is_same(*known, element)) return std::nullopt;
      if (known->back() == Kind::any) known = &element;
    }
    type.insert(type.end(), known->begin(), known->end());
    return type;
  }
  static bool are_ordered(const CelType& a, const CelType& b) {
    const auto has_order = [](Kind kind) {
      return kind <= Kind::any || kind == Kind::boolean || kind == Kind::integer || kind == Kind::text;
    };
    return has_order(a.front()) && has_order(b.front()) && unify(a, b);
  }
  static bool may_be_in(const CelType& needle, const CelType& range) {
    if (range.front() == Kind::list) return unify(needle, inside(range));
    return is_open(range) || (range.front() == Kind::map && is(needle, Kind::text));
  }
  static Checked combined(const Expression& node, const std::vector<CelType>& parts) {
    const auto when = [](bool is_right, Kind kind) {
      return is_right ? Checked(CelType{kind}) : std::nullopt;
    };
    const auto all = [&](Kind kind) {
      return std::all_of(parts.begin(), parts.end(), [&](const CelType& part) { return is(part, kind); });
    };
    switch (node.op) {
      case Op::select:
        return selected(parts[0], node.name);
      case Op::has:
        return when(selected(parts[0], node.name).has_value(), Kind::boolean);
      case Op::index:
        return indexed(parts[0], parts[1]);
      case Op::list:
        return list_of(parts);
      case Op::size:
        return when(is(parts[0], Kind::text) || is(parts[0], Kind::list) || is(parts[0], Kind::map),
                    Kind::integer);
      case Op::negate:
      case Op::logical_or:
      case Op::logical_and:
        return when(all(Kind::boolean), Kind::boolean);
      case Op::equal:
      case Op::unequal:
        return when(unify(parts[0], parts[1]), Kind::boolean);
      case Op::in:
        return when(may_be_in(parts[0], parts[1]), Kind::boolean);
      case Op::starts_with:
      case Op::ends_with:
      case Op::contains:
        return when(all(Kind::text), Kind::boolean);
      default:
        return when(are_ordered(parts[0], parts[1]), Kind::boolean);
    }
  }

  std::vector<std::pair<std::string_view, CelType>> bound_;
};

}  // namespace

bool is_condition(const Expression& expression) {
  const Checked type = TypeChecker().check(expression);
  return type && type->front() == Kind::boolean;
}

}  // namespace fixpoint::apiserver
