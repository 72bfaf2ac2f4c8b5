#include "harness/runner/learning/condition_outline.h"

#include <array>

#include "harness/apiserver/cel/syntax.h"

namespace fixpoint::runner {

namespace {

using apiserver::cel::Datum;
using apiserver::cel::Node;
using Op = Outline::Op;
using OutlinePtr = std::unique_ptr<Outline>;

struct OutlineRow {
  const char* function;
  bool is_member;
  std::size_t parts;
  Op op;
};
/// The functions that say something, by the number of their parts with the receiver.
constexpr std::array kOutlineRows = {
    OutlineRow{"_||_", false, 2, Op::logical_or},
    OutlineRow{"_&&_", false, 2, Op::logical_and},
    OutlineRow{"!_", false, 1, Op::negate},
    OutlineRow{"_==_", false, 2, Op::equal},
    OutlineRow{"_!=_", false, 2, Op::unequal},
    OutlineRow{"_<_", false, 2, Op::less},
    OutlineRow{"_<=_", false, 2, Op::less_or_equal},
    OutlineRow{"_>_", false, 2, Op::greater},
    OutlineRow{"_>=_", false, 2, Op::greater_or_equal},
    OutlineRow{"@in", false, 2, Op::in},
    OutlineRow{"_[_]", false, 2, Op::index},
    OutlineRow{"_[?_]", false, 2, Op::index},
    OutlineRow{"size", false, 1, Op::size},
    OutlineRow{"size", true, 1, Op::size},
    OutlineRow{"startsWith", true, 2, Op::starts_with},
    OutlineRow{"endsWith", true, 2, Op::ends_with},
    OutlineRow{"contains", true, 2, Op::contains},
    OutlineRow{"matches", true, 2, Op::contains},
    OutlineRow{"exists", true, 3, Op::exists},
    OutlineRow{"all", true, 3, Op::all},
    OutlineRow{"exists_one", true, 3, Op::exists_one},
};

OutlinePtr make_outline(Op op, std::vector<OutlinePtr> parts = {}) {
  auto made = std::make_unique<Outline>();
  made->op = op;
  made->parts = std::move(parts);
  return made;
}

document::Value literal_value(const Datum& value) {
  using apiserver::cel::Kind;
  switch (value.kind()) {
    case Kind::boolean:
      return value.is_true();
    case Kind::integer:
      return value.integer();
    case Kind::text:
      return value.text();
    default:
      return {};
  }
}

OutlinePtr convert(const Node& node);

std::vector<OutlinePtr> convert_all(const Node& node) {
  std::vector<OutlinePtr> parts;
  for (const auto& part : node.parts) parts.push_back(convert(*part));
  return parts;
}

OutlinePtr convert_quantifier(const Node& node, Op op) {
  std::vector<OutlinePtr> parts;
  parts.push_back(convert(*node.parts[0]));
  parts.push_back(convert(*node.parts[2]));
  OutlinePtr made = make_outline(op, std::move(parts));
  made->name = node.parts[1]->name;
  return made;
}

OutlinePtr convert_selection(const Node& node, const std::string& member) {
  std::vector<OutlinePtr> parts;
  parts.push_back(convert(*node.parts[0]));
  OutlinePtr made = make_outline(Op::select, std::move(parts));
  made->name = member;
  return made;
}

OutlinePtr convert_choice(const Node& node) {
  std::vector<OutlinePtr> both, either;
  both.push_back(convert(*node.parts[0]));
  both.push_back(convert(*node.parts[1]));
  either.push_back(make_outline(Op::logical_and, std::move(both)));
  either.push_back(convert(*node.parts[2]));
  return make_outline(Op::logical_or, std::move(either));
}

OutlinePtr convert_call(const Node& node) {
  namespace operators = apiserver::cel::operators;
  if (node.name == operators::kConditional) return convert_choice(node);
  if (node.name == operators::kOptionalSelect) {
    return convert_selection(node, std::string(node.parts[1]->literal.text()));
  }
  const bool is_has = node.name == "has" && !node.is_member && node.parts.size() == 1;
  if (is_has || (node.name == "hasValue" && node.is_member)) {
    OutlinePtr made = convert(*node.parts[0]);
    if (made->op == Op::select) made->op = Op::has;
    return made;
  }
  for (const OutlineRow& row : kOutlineRows) {
    if (node.name != row.function || node.is_member != row.is_member || node.parts.size() != row.parts)
      continue;
    if (row.parts == 3) return convert_quantifier(node, row.op);
    return make_outline(row.op, convert_all(node));
  }
  if (node.is_member) return convert(*node.parts[0]);
  return make_outline(Op::list, convert_all(node));
}

OutlinePtr convert(const Node& node) {
  switch (node.kind) {
    case Node::Kind::literal: {
      OutlinePtr made = make_outline(Op::literal);
      made->literal = literal_value(node.literal);
      return made;
    }
    case Node::Kind::identifier: {
      OutlinePtr made = make_outline(Op::name);
      made->name = node.name;
      return made;
    }
    case Node::Kind::select:
      return convert_selection(node, node.name);
    case Node::Kind::call:
      return convert_call(node);
    default:
      return make_outline(Op::list, convert_all(node));
  }
}

}  // namespace

document::Result<std::unique_ptr<Outline>> outline_of(std::string_view expression) {
  const apiserver::cel::Parsed parsed = apiserver::cel::parse(expression, {}, false);
  if (!parsed.root)
    return document::Error{parsed.issues.empty() ? "no expression" : parsed.issues[0].message};
  return convert(*parsed.root);
}

}  // namespace fixpoint::runner
