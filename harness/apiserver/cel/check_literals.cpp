#include <array>

#include "harness/apiserver/cel/format.h"
#include "harness/apiserver/cel/functions.h"
#include "harness/apiserver/cel/times.h"
#include "harness/apiserver/cel/type_check.h"
#include "harness/apiserver/cel/unify.h"

namespace fixpoint::apiserver::cel {

namespace {

using Walk = void (*)(const Node& node, bool is_in_format, std::vector<Issue>& issues);

void walk_nodes(const Node& node, bool is_in_format, std::vector<Issue>& issues, Walk visit) {
  visit(node, is_in_format, issues);
  const bool is_format = node.kind == Node::Kind::call && node.name == "format";
  for (const NodePtr& part : node.parts) walk_nodes(*part, is_in_format || is_format, issues, visit);
}

/// The literal that is the first argument of a call of the function, or nullptr.
const Node* first_literal(const Node& node, const char* function) {
  if (node.kind != Node::Kind::call || node.name != function) return nullptr;
  const std::size_t first = node.is_member ? 1 : 0;
  if (node.parts.size() <= first || node.parts[first]->kind != Node::Kind::literal) return nullptr;
  return node.parts[first].get();
}

void invalid_argument(const Node& literal, const char* function, std::vector<Issue>& issues) {
  issues.push_back({literal.at, std::string("invalid ") + function + " argument"});
}

void visit_duration(const Node& node, bool, std::vector<Issue>& issues) {
  const Node* literal = first_literal(node, "duration");
  if (literal == nullptr || (literal->literal.is(Kind::text) && read_duration(literal->literal.text())))
    return;
  invalid_argument(*literal, "duration", issues);
}

void visit_timestamp(const Node& node, bool, std::vector<Issue>& issues) {
  const Node* literal = first_literal(node, "timestamp");
  if (literal == nullptr) return;
  const Datum& value = literal->literal;
  if (value.is(Kind::integer) && is_in_range({value.integer(), 0, 0})) return;
  if (value.is(Kind::text)) {
    const auto time = read_timestamp(value.text());
    if (time && is_in_range(*time)) return;
  }
  invalid_argument(*literal, "timestamp", issues);
}

void visit_pattern(const Node& node, bool, std::vector<Issue>& issues) {
  const Node* literal = first_literal(node, "matches");
  if (literal == nullptr || !literal->literal.is(Kind::text)) return;
  std::string error;
  if (!compile_pattern(literal->literal.text(), error)) invalid_argument(*literal, "matches", issues);
}

bool is_equivalent(const Type& a, const Type& b) {
  if (a.kind != b.kind || a.of.size() != b.of.size()) return false;
  if (a.kind != Type::Kind::parameter && a.name != b.name) return false;
  for (std::size_t i = 0; i < a.of.size(); ++i) {
    if (!is_equivalent(*a.of[i], *b.of[i])) return false;
  }
  return true;
}

void mixed_types(const Node& node, const Type& wanted, const Type& is, std::vector<Issue>& issues) {
  issues.push_back({node.at, "expected type '" + type_text(wanted) + "' but found '" + type_text(is) + "'"});
}

TypePtr element_type(const Node& node, bool is_optional) {
  if (!is_optional || node.type->of.empty()) return node.type;
  return node.type->of[0];
}

void visit_list(const Node& node, bool is_in_format, std::vector<Issue>& issues) {
  if (node.kind != Node::Kind::list || is_in_format || node.parts.empty()) return;
  const TypePtr first = element_type(*node.parts[0], node.is_optional[0]);
  for (std::size_t i = 1; i < node.parts.size(); ++i) {
    const TypePtr type = element_type(*node.parts[i], node.is_optional[i]);
    if (is_equivalent(*first, *type)) continue;
    mixed_types(*node.parts[i], *first, *type, issues);
    return;
  }
}

void visit_map(const Node& node, bool is_in_format, std::vector<Issue>& issues) {
  if (node.kind != Node::Kind::map || is_in_format || node.parts.empty()) return;
  const TypePtr key = node.parts[0]->type, value = element_type(*node.parts[1], node.is_optional[0]);
  for (std::size_t i = 2; i < node.parts.size(); i += 2) {
    const TypePtr type = element_type(*node.parts[i + 1], node.is_optional[i / 2]);
    if (!is_equivalent(*key, *node.parts[i]->type))
      mixed_types(*node.parts[i], *key, *node.parts[i]->type, issues);
    if (!is_equivalent(*value, *type)) mixed_types(*node.parts[i + 1], *value, *type, issues);
  }
}

/// The types that a clause takes, by what the checker knows.
bool takes(char letter, const Type& type) {
  using K = Type::Kind;
  const K kind = type.kind;
  const bool is_integer = kind == K::integer || kind == K::unsigned_integer;
  if (kind == K::dyn) return true;
  switch (letter) {
    case 'd':
    case 'o':
      return is_integer;
    case 'f':
    case 'e':
      return kind == K::real || kind == K::text;
    case 'b':
      return is_integer || kind == K::boolean;
    case 'x':
    case 'X':
      return is_integer || kind == K::text || kind == K::bytes;
    default:
      return kind != K::opaque && kind != K::message && kind != K::parameter && kind != K::error &&
             kind != K::unknown;
  }
}

/// The first node within lists and maps that `%s` does not take, or nullptr.
const Node* unprintable(const Node& node) {
  if (!takes('s', *node.type)) return &node;
  if (node.kind != Node::Kind::list && node.kind != Node::Kind::map) return nullptr;
  for (const NodePtr& part : node.parts) {
    if (const Node* found = unprintable(*part)) return found;
  }
  return nullptr;
}

void visit_format(const Node& node, bool, std::vector<Issue>& issues) {
  if (node.kind != Node::Kind::call || node.name != "format" || !node.is_member || node.parts.size() != 2)
    return;
  const Node& format = *node.parts[0];
  const Node& list = *node.parts[1];
  if (format.kind != Node::Kind::literal || !format.literal.is(Kind::text) || list.kind != Node::Kind::list)
    return;
  const Node* culprit = &node;
  std::size_t seen = 0;
  std::string ignored;
  const std::string error =
      walk_format(format.literal.text(), list.parts.size(), ignored,
                  [&](std::size_t index, const FormatClause& clause, std::string&) -> std::string {
                    ++seen;
                    const Node& argument = *list.parts[index];
                    const Node* bad = clause.letter == 's'                   ? unprintable(argument)
                                      : takes(clause.letter, *argument.type) ? nullptr
                                                                             : &argument;
                    if (bad == nullptr) return {};
                    culprit = bad;
                    return "error during formatting: " + format_type_error(clause.letter, bad->type->name);
                  });
  if (!error.empty()) {
    issues.push_back({culprit->at, error});
  } else if (list.parts.size() > seen) {
    issues.push_back({node.at, "too many arguments supplied to string.format (expected " +
                                   std::to_string(seen) + ", got " + std::to_string(list.parts.size()) +
                                   ")"});
  }
}

}  // namespace

void check_literals(const Node& root, const Environment& environment, std::vector<Issue>& issues) {
  if (environment.knows(Library::validators)) {
    for (Walk visit : {visit_duration, visit_timestamp, visit_pattern})
      walk_nodes(root, false, issues, visit);
  }
  for (Walk visit : {visit_list, visit_map}) walk_nodes(root, false, issues, visit);
  if (environment.knows(Library::strings_2)) walk_nodes(root, false, issues, visit_format);
}

}  // namespace fixpoint::apiserver::cel
