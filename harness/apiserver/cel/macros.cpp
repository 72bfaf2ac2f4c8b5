#include "harness/apiserver/cel/macros.h"

#include <array>

namespace fixpoint::apiserver::cel {

namespace {

constexpr const char* kResult = "__result__";
constexpr const char* kUnused = "#unused";

/// The input of an expansion.
struct MacroCall {
  NodeMaker& maker;
  const NodePtr& receiver;
  const std::vector<NodePtr>& arguments;
  int at;
  std::vector<Issue>& issues;

  NodePtr result() const { return maker.identifier(kResult, at); }
  NodePtr literal(bool value) const { return maker.literal(Datum::of(value), at); }
  NodePtr integer(std::int64_t value) const { return maker.literal(Datum::of(value), at); }
  NodePtr call(const char* function, std::vector<NodePtr> parts) const {
    return maker.call(function, std::move(parts), at);
  }
  NodePtr failure(const Node& node, std::string message) const {
    issues.push_back({node.at, std::move(message)});
    return maker.make(Node::Kind::literal, at);
  }
  NodePtr fold(std::vector<NodePtr> parts, std::string variable, std::string second,
               std::string accumulator = kResult) const {
    NodePtr node = maker.make(Node::Kind::fold, at);
    node->parts = std::move(parts);
    node->variable = std::move(variable);
    node->second_variable = std::move(second);
    node->accumulator = std::move(accumulator);
    return node;
  }
};

/// The names that a fold binds: one or two identifiers in front of its arguments.
bool read_names(const MacroCall& call, std::size_t count, const char* complaint, std::string& first,
                std::string& second, NodePtr& failure) {
  for (std::size_t i = 0; i < count; ++i) {
    if (call.arguments[i]->kind == Node::Kind::identifier) continue;
    return failure = call.failure(*call.arguments[i], complaint), false;
  }
  first = call.arguments[0]->name;
  if (count == 2) second = call.arguments[1]->name;
  if (count == 2 && first == second) {
    return failure = call.failure(*call.arguments[1], "duplicate variable name: " + first), false;
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (call.arguments[i]->name != kResult) continue;
    failure = call.failure(*call.arguments[i], "iteration variable overwrites accumulator variable");
    return false;
  }
  return true;
}

using namespace operators;

constexpr const char* kSimpleName = "argument must be a simple name";
constexpr const char* kNoIdentifier = "argument is not an identifier";

template <std::size_t kNames>
NodePtr expand_all(const MacroCall& call) {
  std::string first, second;
  NodePtr failure;
  if (!read_names(call, kNames, kSimpleName, first, second, failure)) return failure;
  NodePtr initial = call.literal(true);
  NodePtr condition = call.call(kNotStrictlyFalse, {call.result()});
  NodePtr step = call.call(kAnd, {call.result(), call.arguments[kNames]});
  return call.fold({call.receiver, initial, condition, step, call.result()}, first, second);
}

template <std::size_t kNames>
NodePtr expand_exists(const MacroCall& call) {
  std::string first, second;
  NodePtr failure;
  if (!read_names(call, kNames, kSimpleName, first, second, failure)) return failure;
  NodePtr initial = call.literal(false);
  NodePtr condition = call.call(kNotStrictlyFalse, {call.call(kNot, {call.result()})});
  NodePtr step = call.call(kOr, {call.result(), call.arguments[kNames]});
  return call.fold({call.receiver, initial, condition, step, call.result()}, first, second);
}

template <std::size_t kNames>
NodePtr expand_exists_one(const MacroCall& call) {
  std::string first, second;
  NodePtr failure;
  if (!read_names(call, kNames, kSimpleName, first, second, failure)) return failure;
  NodePtr more = call.call(kAdd, {call.result(), call.integer(1)});
  NodePtr step = call.call(kConditional, {call.arguments[kNames], more, call.result()});
  NodePtr result = call.call(kEqual, {call.result(), call.integer(1)});
  return call.fold({call.receiver, call.integer(0), call.literal(true), step, result}, first, second);
}

/// map(x, f), map(x, p, f), transformList(i, x, f), transformList(i, x, p, f)
NodePtr expand_list(const MacroCall& call, std::size_t names, const char* complaint) {
  std::string first, second;
  NodePtr failure;
  if (!read_names(call, names, complaint, first, second, failure)) return failure;
  const bool filters = call.arguments.size() == names + 2;
  NodePtr step = call.call(kAdd, {call.result(), call.maker.list({call.arguments.back()}, call.at)});
  if (filters) step = call.call(kConditional, {call.arguments[names], step, call.result()});
  return call.fold({call.receiver, call.maker.list({}, call.at), call.literal(true), step, call.result()},
                   first, second);
}
NodePtr expand_map(const MacroCall& call) { return expand_list(call, 1, kNoIdentifier); }
NodePtr expand_transform_list(const MacroCall& call) { return expand_list(call, 2, kSimpleName); }

NodePtr expand_filter(const MacroCall& call) {
  std::string first, second;
  NodePtr failure;
  if (!read_names(call, 1, kNoIdentifier, first, second, failure)) return failure;
  NodePtr step = call.call(kAdd, {call.result(), call.maker.list({call.arguments[0]}, call.at)});
  step = call.call(kConditional, {call.arguments[1], step, call.result()});
  return call.fold({call.receiver, call.maker.list({}, call.at), call.literal(true), step, call.result()},
                   first, second);
}

/// transformMap(k, v, f), and transformMapEntry(k, v, f), whose f is a map with the new entry; with a filter
/// in front of f.
NodePtr expand_map_insert(const MacroCall& call, bool is_entry) {
  std::string first, second;
  NodePtr failure;
  if (!read_names(call, 2, kSimpleName, first, second, failure)) return failure;
  std::vector<NodePtr> inserted = {call.result()};
  if (!is_entry) inserted.push_back(call.maker.identifier(first, call.at));
  inserted.push_back(call.arguments.back());
  NodePtr step = call.call(kMapInsert, std::move(inserted));
  if (call.arguments.size() == 4) step = call.call(kConditional, {call.arguments[2], step, call.result()});
  return call.fold(
      {call.receiver, call.maker.make(Node::Kind::map, call.at), call.literal(true), step, call.result()},
      first, second);
}
NodePtr expand_transform_map(const MacroCall& call) { return expand_map_insert(call, false); }
NodePtr expand_transform_map_entry(const MacroCall& call) { return expand_map_insert(call, true); }

NodePtr expand_has(const MacroCall& call) {
  const Node& of = *call.arguments[0];
  if (of.kind != Node::Kind::select) return call.failure(of, "invalid argument to has() macro");
  NodePtr test = call.maker.make(Node::Kind::select, call.at);
  test->name = of.name;
  test->parts = of.parts;
  test->is_test = true;
  return test;
}

/// A fold over nothing, which only binds the name to the value of the optional.
NodePtr bind_value(const MacroCall& call) {
  const std::string& name = call.arguments[0]->name;
  NodePtr value = call.maker.member_call("value", call.maker.copy(*call.receiver), {}, call.at);
  return call.fold({call.maker.list({}, call.at), value, call.literal(false),
                    call.maker.identifier(name, call.at), call.arguments[1]},
                   kUnused, "", name);
}

NodePtr expand_optional(const MacroCall& call, bool is_flat) {
  if (call.arguments[0]->kind != Node::Kind::identifier) {
    return call.failure(*call.arguments[0], std::string(is_flat ? "optFlatMap" : "optMap") +
                                                "() variable name must be a simple identifier");
  }
  NodePtr has = call.maker.member_call("hasValue", call.receiver, {}, call.at);
  NodePtr bound = bind_value(call);
  if (!is_flat) bound = call.call("optional.of", {bound});
  return call.call(kConditional, {has, bound, call.call("optional.none", {})});
}
NodePtr expand_opt_map(const MacroCall& call) { return expand_optional(call, false); }
NodePtr expand_opt_flat_map(const MacroCall& call) { return expand_optional(call, true); }

/// sortBy(x, key): the list is bound once, and sorted by the keys of its elements.
NodePtr expand_sort_by(const MacroCall& call) {
  constexpr const char* kInput = "@__sortBy_input__";
  if (call.receiver->kind != Node::Kind::list && call.receiver->kind != Node::Kind::select &&
      call.receiver->kind != Node::Kind::identifier && call.receiver->kind != Node::Kind::fold &&
      call.receiver->kind != Node::Kind::call) {
    return call.failure(
        *call.receiver,
        "sortBy can only be applied to a list, identifier, comprehension, call or select expression");
  }
  std::string first, second;
  NodePtr failure;
  NodePtr input = call.maker.identifier(kInput, call.at);
  const MacroCall inner{call.maker, input, call.arguments, call.at, call.issues};
  NodePtr keys = expand_list(inner, 1, kNoIdentifier);
  NodePtr sorted = call.maker.member_call("@sortByAssociatedKeys", call.maker.identifier(kInput, call.at),
                                          {keys}, call.at);
  return call.fold({call.maker.list({}, call.at), call.receiver, call.literal(false),
                    call.maker.identifier(kInput, call.at), sorted},
                   kUnused, "", kInput);
}

enum class Since { always, optionals, two_variables, sort_by };

struct Macro {
  const char* name;
  std::size_t arguments;
  bool has_receiver;
  Since since;
  NodePtr (*expand)(const MacroCall& call);
};

constexpr std::array kMacros = {
    Macro{"has", 1, false, Since::always, expand_has},
    Macro{"all", 2, true, Since::always, expand_all<1>},
    Macro{"exists", 2, true, Since::always, expand_exists<1>},
    Macro{"exists_one", 2, true, Since::always, expand_exists_one<1>},
    Macro{"map", 2, true, Since::always, expand_map},
    Macro{"map", 3, true, Since::always, expand_map},
    Macro{"filter", 2, true, Since::always, expand_filter},
    Macro{"optMap", 2, true, Since::optionals, expand_opt_map},
    Macro{"optFlatMap", 2, true, Since::optionals, expand_opt_flat_map},
    Macro{"all", 3, true, Since::two_variables, expand_all<2>},
    Macro{"exists", 3, true, Since::two_variables, expand_exists<2>},
    Macro{"existsOne", 3, true, Since::two_variables, expand_exists_one<2>},
    Macro{"exists_one", 3, true, Since::two_variables, expand_exists_one<2>},
    Macro{"transformList", 3, true, Since::two_variables, expand_transform_list},
    Macro{"transformList", 4, true, Since::two_variables, expand_transform_list},
    Macro{"transformMap", 3, true, Since::two_variables, expand_transform_map},
    Macro{"transformMap", 4, true, Since::two_variables, expand_transform_map},
    Macro{"transformMapEntry", 3, true, Since::two_variables, expand_transform_map_entry},
    Macro{"transformMapEntry", 4, true, Since::two_variables, expand_transform_map_entry},
    Macro{"sortBy", 2, true, Since::sort_by, expand_sort_by},
};

bool knows(const Dialect& dialect, Since since) {
  switch (since) {
    case Since::always:
      return true;
    case Since::optionals:
      return dialect.optionals;
    case Since::two_variables:
      return dialect.two_variable_folds;
    case Since::sort_by:
      return dialect.sort_by;
  }
  return false;
}

}  // namespace

NodePtr NodeMaker::make(Node::Kind kind, int at) {
  auto node = std::make_shared<Node>();
  node->kind = kind;
  node->id = next_id++;
  node->at = at;
  return node;
}

NodePtr NodeMaker::literal(Datum value, int at) {
  NodePtr node = make(Node::Kind::literal, at);
  node->literal = std::move(value);
  return node;
}

NodePtr NodeMaker::identifier(const std::string& name, int at) {
  NodePtr node = make(Node::Kind::identifier, at);
  node->name = name;
  return node;
}

NodePtr NodeMaker::call(const std::string& function, std::vector<NodePtr> arguments, int at) {
  NodePtr node = make(Node::Kind::call, at);
  node->name = function;
  node->parts = std::move(arguments);
  return node;
}

NodePtr NodeMaker::member_call(const std::string& function, NodePtr receiver, std::vector<NodePtr> arguments,
                               int at) {
  arguments.insert(arguments.begin(), std::move(receiver));
  NodePtr node = call(function, std::move(arguments), at);
  node->is_member = true;
  return node;
}

NodePtr NodeMaker::list(std::vector<NodePtr> elements, int at) {
  NodePtr node = make(Node::Kind::list, at);
  node->is_optional.assign(elements.size(), false);
  node->parts = std::move(elements);
  return node;
}

NodePtr NodeMaker::copy(const Node& node) {
  NodePtr same = std::make_shared<Node>(node);
  same->id = next_id++;
  for (NodePtr& part : same->parts) part = copy(*part);
  return same;
}

NodePtr expand_macro(NodeMaker& maker, const Dialect& dialect, const std::string& name,
                     const NodePtr& receiver, const std::vector<NodePtr>& arguments, int at,
                     std::vector<Issue>& issues) {
  for (const Macro& macro : kMacros) {
    if (macro.arguments != arguments.size() || macro.has_receiver != (receiver != nullptr) ||
        name != macro.name || !knows(dialect, macro.since)) {
      continue;
    }
    return macro.expand({maker, receiver, arguments, at, issues});
  }
  return nullptr;
}

}  // namespace fixpoint::apiserver::cel
