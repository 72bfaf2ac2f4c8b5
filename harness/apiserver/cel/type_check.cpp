#include "harness/apiserver/cel/type_check.h"

#include <algorithm>

#include "harness/apiserver/cel/unify.h"

namespace fixpoint::apiserver::cel {

namespace {

const TypePtr& dyn_type() {
  static const TypePtr type = read_type("dyn");
  return type;
}
const TypePtr& error_type() {
  static const TypePtr type = read_type("!error!");
  return type;
}
const TypePtr& bool_type() {
  static const TypePtr type = read_type("bool");
  return type;
}

/// `a.b.c` as one name, or empty if the node is no chain of names.
std::string qualified_name(const Node& node) {
  if (node.kind == Node::Kind::identifier) return node.name;
  if (node.kind != Node::Kind::select || node.is_test) return {};
  const std::string operand = qualified_name(*node.parts[0]);
  return operand.empty() ? operand : operand + "." + node.name;
}

std::string without_root(const std::string& name) {
  return name.substr(!name.empty() && name[0] == '.' ? 1 : 0);
}

/// The errors of an expression, in the words of cel-go's checker.
class TypeIssues {
 public:
  explicit TypeIssues(std::vector<Issue>& issues) : issues_(issues) {}

  void report(int at, std::string message) { issues_.push_back({at, std::move(message)}); }
  void mismatch(int at, const Type& wanted, const Type& is) {
    report(at, "expected type '" + type_text(wanted) + "' but found '" + type_text(is) + "'");
  }
  void undeclared(const Node& node, const std::string& name) {
    if (without_root(name).starts_with("google.")) return report(node.at, name + " is not supported yet");
    report(node.at, "undeclared reference to '" + name + "' (in container '')");
  }

 private:
  std::vector<Issue>& issues_;
};

/// The names that an expression may use: those of the environment, and the variables of the folds around.
class Names {
 public:
  explicit Names(const Environment& environment) : environment_(environment) {}

  std::size_t depth() const { return scopes_.size(); }
  void add(const std::string& name, const TypePtr& type) { scopes_.emplace_back(name, type); }
  void leave(std::size_t depth) { scopes_.resize(depth); }

  /// Looks a name up in the folds around, then among variables and types. `is_type` says what it is.
  TypePtr find_name(const std::string& name, bool& is_type) const {
    is_type = false;
    const std::string plain = without_root(name);
    if (plain == name) {
      for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
        if (scope->first == plain) return scope->second;
      }
    }
    if (TypePtr found = variable_type(environment_, plain)) return found;
    is_type = true;
    return named_type(environment_, plain);
  }

  const std::vector<Overload>* known_function(const std::string& name) const {
    const std::vector<Overload>* overloads = find_function(without_root(name));
    if (overloads == nullptr) return nullptr;
    for (const Overload& overload : *overloads) {
      if (environment_.knows(overload.row->library)) return overloads;
    }
    return nullptr;
  }

 private:
  const Environment& environment_;
  std::vector<std::pair<std::string, TypePtr>> scopes_ = {};
};

TypePtr literal_type(const Datum& value) {
  const std::string_view name = type_name(value);
  return read_type(name == "null_type" ? "null" : name);
}

class Checker {
 public:
  Checker(const Environment& environment, std::vector<Issue>& issues)
      : environment_(environment), issues_(issues), names_(environment) {}

  void check(Node& node) {
    node.type = type_of(node);
    if (node.type == nullptr) node.type = error_type();
  }

  /// Replaces parameters by what was found, everywhere.
  void close(Node& node) {
    node.type = substitute(known_, node.type, true);
    for (const NodePtr& part : node.parts) {
      if (part->type) close(*part);
    }
  }

 private:
  TypePtr type_of(Node& node) {
    switch (node.kind) {
      case Node::Kind::literal:
        return literal_type(node.literal);
      case Node::Kind::identifier:
        return identifier_type(node);
      case Node::Kind::select:
        return select_type(node);
      case Node::Kind::call:
        return node.name == operators::kOptionalSelect ? optional_select_type(node) : call_type(node);
      case Node::Kind::list:
        return list_literal_type(node);
      case Node::Kind::map:
        return map_literal_type(node);
      case Node::Kind::message:
        return message_literal_type(node);
      case Node::Kind::fold:
        return fold_type(node);
    }
    return error_type();
  }

  TypePtr identifier_type(Node& node) {
    const TypePtr found = names_.find_name(node.name, node.is_constant_type);
    if (found == nullptr) {
      issues_.undeclared(node, node.name);
      return error_type();
    }
    node.name = without_root(node.name);
    return found;
  }

  TypePtr select_type(Node& node) {
    const std::string name = qualified_name(node);
    if (!name.empty()) {
      bool is_type = false;
      if (const TypePtr found = names_.find_name(name, is_type)) {
        node.kind = Node::Kind::identifier;
        node.name = without_root(name);
        node.parts.clear();
        node.is_constant_type = is_type;
        return found;
      }
    }
    const TypePtr member = member_type(node, *node.parts[0], node.name, false);
    return node.is_test ? bool_type() : substitute(known_, member, false);
  }

  TypePtr optional_select_type(Node& node) {
    node.overloads = {"select_optional_field"};
    const TypePtr member =
        member_type(node, *node.parts[0], std::string(node.parts[1]->literal.text()), true);
    node.parts[1]->type = read_type("string");
    return substitute(known_, member, false);
  }

  TypePtr member_type(const Node& node, Node& operand, const std::string& name, bool is_optional);
  TypePtr message_field(int at, const std::string& message, const std::string& field) {
    if (!is_message_type(environment_, message)) {
      issues_.report(at, "unexpected failed resolution of '" + message + "'");
      return nullptr;
    }
    TypePtr found = field_type(environment_, message, field);
    if (found == nullptr) issues_.report(at, "undefined field '" + field + "'");
    return found;
  }

  TypePtr call_type(Node& node);
  TypePtr resolve(Node& node, const std::vector<Overload>& function);
  TypePtr logical_type(Node& node, const std::vector<Overload>& function) {
    node.overloads = {function[0].row->overload};
    bool fits = true;
    for (const NodePtr& part : node.parts) {
      if (unify(known_, part->type, bool_type())) continue;
      issues_.mismatch(part->at, *bool_type(), *part->type);
      fits = false;
    }
    return fits ? bool_type() : error_type();
  }

  TypePtr new_parameter() { return make_type(TypeKind::parameter, "_var" + std::to_string(parameters_++)); }

  TypePtr join(const TypePtr& before, const TypePtr& now) {
    if (before == nullptr) return now;
    if (unify(known_, before, now)) return most_general(before, now);
    return dyn_type();
  }

  /// The type of an element that is written with `?`.
  TypePtr unwrap(const Node& node, const TypePtr& type) {
    if (TypePtr inner = unwrapped_optional(type)) return inner;
    if (!is_dyn(*type)) issues_.mismatch(node.at, *optional_type(type), *type);
    return type;
  }

  TypePtr list_literal_type(Node& node) {
    TypePtr element;
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      Node& part = *node.parts[i];
      check(part);
      element = join(element, node.is_optional[i] ? unwrap(part, part.type) : part.type);
    }
    return list_type(element ? element : new_parameter());
  }

  TypePtr map_literal_type(Node& node) {
    TypePtr key, value;
    for (std::size_t i = 0; i < node.parts.size(); i += 2) {
      Node& key_part = *node.parts[i];
      Node& value_part = *node.parts[i + 1];
      check(key_part);
      key = join(key, key_part.type);
      check(value_part);
      value = join(value, node.is_optional[i / 2] ? unwrap(value_part, value_part.type) : value_part.type);
    }
    if (key == nullptr) key = new_parameter(), value = new_parameter();
    return map_type(key, value);
  }

  TypePtr message_literal_type(Node& node);
  void assert_type(const Node& node, const TypePtr& wanted) {
    if (!unify(known_, wanted, node.type)) issues_.mismatch(node.at, *wanted, *node.type);
  }

  TypePtr fold_type(Node& node);
  const Environment& environment_;
  TypeIssues issues_;
  Names names_;
  Substitution known_ = {};
  int parameters_ = 0;
};

TypePtr Checker::member_type(const Node& node, Node& operand, const std::string& name, bool is_optional) {
  check(operand);
  TypePtr of = substitute(known_, operand.type, false);
  const TypePtr unwrapped = unwrapped_optional(of);
  if (unwrapped) of = unwrapped, is_optional = true;
  TypePtr result = error_type();
  switch (of->kind) {
    case TypeKind::map:
      result = of->of[1];
      break;
    case TypeKind::message:
      if (TypePtr found = message_field(node.at, of->name, name)) result = found;
      break;
    case TypeKind::parameter:
      unify(known_, dyn_type(), of);
      result = dyn_type();
      break;
    default:
      if (!is_dyn_or_error(*of))
        issues_.report(node.at, "type '" + type_text(*of) + "' does not support field selection");
      result = dyn_type();
      break;
  }
  return is_optional ? optional_type(result) : result;
}

TypePtr Checker::call_type(Node& node) {
  for (std::size_t i = node.is_member ? 1 : 0; i < node.parts.size(); ++i) check(*node.parts[i]);
  if (!node.is_member) {
    const std::vector<Overload>* function = names_.known_function(node.name);
    if (function == nullptr) {
      issues_.undeclared(node, node.name);
      return error_type();
    }
    node.name = without_root(node.name);
    return resolve(node, *function);
  }
  const std::string prefix = qualified_name(*node.parts[0]);
  if (!prefix.empty()) {
    if (const std::vector<Overload>* function = names_.known_function(prefix + "." + node.name)) {
      node.name = without_root(prefix + "." + node.name);
      node.is_member = false;
      node.parts.erase(node.parts.begin());
      return resolve(node, *function);
    }
  }
  check(*node.parts[0]);
  if (const std::vector<Overload>* function = names_.known_function(node.name))
    return resolve(node, *function);
  issues_.undeclared(node, node.name);
  return error_type();
}

TypePtr Checker::resolve(Node& node, const std::vector<Overload>& function) {
  std::vector<TypePtr> arguments;
  for (const NodePtr& part : node.parts) arguments.push_back(part->type);
  if (node.name == operators::kAnd || node.name == operators::kOr) return logical_type(node, function);
  TypePtr result;
  node.overloads.clear();
  for (const Overload& overload : function) {
    if (!environment_.knows(overload.row->library) || overload.is_member != node.is_member) continue;
    Substitution fresh;
    for (const std::string& name : overload.parameters) fresh[name] = new_parameter();
    std::vector<TypePtr> wanted;
    for (const TypePtr& argument : overload.arguments) wanted.push_back(substitute(fresh, argument, false));
    if (!unify_all(known_, arguments, wanted)) continue;
    node.overloads.emplace_back(overload.row->overload);
    const TypePtr gives = substitute(known_, substitute(fresh, overload.result, false), false);
    if (result == nullptr) {
      result = gives;
    } else if (!is_dyn(*result) && !is_same_type(*gives, *result)) {
      result = dyn_type();
    }
  }
  if (result) return result;
  std::string signature;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string text = type_text(*substitute(known_, arguments[i], true));
    if (node.is_member && i == 0) {
      signature = text + ".(";
    } else {
      signature += (signature.empty() ? "(" : signature.back() == '(' ? "" : ", ") + text;
    }
  }
  if (signature.empty()) signature = "(";
  issues_.report(node.at,
                 "found no matching overload for '" + node.name + "' applied to '" + signature + ")'");
  return error_type();
}

TypePtr Checker::message_literal_type(Node& node) {
  bool is_type = false;
  const TypePtr found = names_.find_name(node.name, is_type);
  if (found == nullptr) {
    issues_.undeclared(node, node.name);
    return error_type();
  }
  node.name = without_root(node.name);
  TypePtr result = error_type();
  if (found->kind != TypeKind::type) {
    issues_.report(node.at, "'" + type_text(*found) + "' is not a type");
  } else if (found->of[0]->kind == TypeKind::message) {
    result = found->of[0];
  } else if (found->of[0]->kind == TypeKind::duration || found->of[0]->kind == TypeKind::timestamp ||
             found->of[0]->kind == TypeKind::dyn || found->of[0]->kind == TypeKind::null) {
    issues_.report(node.at, "constructing '" + found->of[0]->name + "' is not supported yet");
    return error_type();
  } else {
    issues_.report(node.at, "'" + type_text(*found->of[0]) + "' is not a message type");
  }
  for (std::size_t i = 0; i < node.parts.size(); ++i) {
    Node& value = *node.parts[i];
    check(value);
    TypePtr field = message_field(
        node.field_places[i], result->kind == TypeKind::message ? result->name : node.name, node.fields[i]);
    if (field == nullptr) field = error_type();
    const TypePtr type = node.is_optional[i] ? unwrap(value, value.type) : value.type;
    if (unify(known_, field, type)) continue;
    issues_.report(node.field_places[i], "expected type of field '" + node.fields[i] + "' is '" +
                                             type_text(*field) + "' but provided type is '" +
                                             type_text(*type) + "'");
  }
  return result;
}

TypePtr Checker::fold_type(Node& node) {
  Node& range = *node.parts[0];
  check(range);
  check(*node.parts[1]);
  const TypePtr of = substitute(known_, range.type, false);
  const TypePtr accumulator = node.parts[1]->type;
  const bool has_two = !node.second_variable.empty();
  TypePtr first = dyn_type(), second = dyn_type();
  switch (of->kind) {
    case TypeKind::list:
      first = has_two ? read_type("int") : of->of[0];
      second = of->of[0];
      break;
    case TypeKind::map:
      first = of->of[0];
      second = of->of[1];
      break;
    case TypeKind::dyn:
    case TypeKind::error:
    case TypeKind::parameter:
      unify(known_, dyn_type(), of);
      break;
    default:
      issues_.report(range.at, "expression of type '" + type_text(*of) +
                                   "' cannot be range of a comprehension (must be list, map, or dynamic)");
      first = second = error_type();
      break;
  }
  names_.add(node.accumulator, accumulator);
  const std::size_t outer = names_.depth();
  names_.add(node.variable, first);
  if (has_two) names_.add(node.second_variable, second);
  check(*node.parts[2]);
  assert_type(*node.parts[2], bool_type());
  check(*node.parts[3]);
  assert_type(*node.parts[3], accumulator);
  names_.leave(outer);
  check(*node.parts[4]);
  names_.leave(outer - 1);
  return substitute(known_, node.parts[4]->type, false);
}

}  // namespace

void check_types(Node& root, const Environment& environment, std::vector<Issue>& issues) {
  Checker checker(environment, issues);
  checker.check(root);
  checker.close(root);
}

}  // namespace fixpoint::apiserver::cel
