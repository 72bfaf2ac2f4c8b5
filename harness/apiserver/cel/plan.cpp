#include "harness/apiserver/cel/plan.h"

#include <algorithm>
#include <array>

#include "harness/apiserver/cel/steps.h"

namespace fixpoint::apiserver::cel {

namespace {

/// In the order of Variable.
constexpr std::array<std::string_view, kVariableCount> kVariableNames = {"object",
                                                                         "oldObject",
                                                                         "namespaceObject",
                                                                         "request",
                                                                         "params",
                                                                         "authorizer",
                                                                         "authorizer.requestResource",
                                                                         "variables",
                                                                         "self",
                                                                         "oldSelf"};

/// Functions that are evaluated once if their argument is a constant.
constexpr std::array<std::string_view, 10> kConversions = {"bool", "bytes",  "double",    "duration", "dyn",
                                                           "int",  "string", "timestamp", "type",     "uint"};

/// Functions whose arguments are not compared with the types of their overloads.
constexpr std::array<std::string_view, 4> kUnguarded = {"contains", "endsWith", "startsWith", "flatten"};

template <class Names>
bool is_one_of(std::string_view name, const Names& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The step as an attribute to which members can be added.
std::shared_ptr<AttributeStep> as_attribute(const StepPtr& step) {
  if (auto attribute = std::dynamic_pointer_cast<AttributeStep>(step)) return attribute;
  auto attribute = std::make_shared<Attribute>();
  attribute->base = Attribute::Base::step;
  attribute->base_id = step->value_id();
  attribute->step = step;
  return std::make_shared<AttributeStep>(std::move(attribute));
}

StepPtr plan_choice(const Node& node, const std::vector<StepPtr>& parts) {
  auto choice = std::make_shared<Attribute>();
  choice->base = Attribute::Base::choice;
  choice->base_id = node.id;
  choice->step = parts[0];
  choice->yes = as_attribute(parts[1])->attribute;
  choice->no = as_attribute(parts[2])->attribute;
  return std::make_shared<AttributeStep>(std::move(choice));
}

bool is_primitive(const Datum& value) {
  switch (value.kind()) {
    case Kind::boolean:
    case Kind::integer:
    case Kind::unsigned_integer:
    case Kind::real:
    case Kind::text:
      return true;
    default:
      return false;
  }
}

StepPtr plan_membership(const Node& node, const std::vector<StepPtr>& parts) {
  const Datum* list = parts[1]->constant();
  if (list == nullptr) return nullptr;
  if (list->size() == 0) return std::make_shared<ConstantStep>(node.id, Datum::of(false));
  for (std::size_t i = 0; i < list->size(); ++i) {
    if (!is_primitive(list->element(i))) return nullptr;
  }
  return std::make_shared<MembershipStep>(node.id, parts[0], *list);
}

/// Returns why the pattern of a call cannot be compiled, if it is a constant.
std::string compile_constant_pattern(CallStep& call) {
  const int index = pattern_argument(call.name);
  if (index < 0 || static_cast<std::size_t>(index) >= call.arguments.size()) return {};
  const Datum* constant = call.arguments[static_cast<std::size_t>(index)]->constant();
  if (constant == nullptr || !constant->is(Kind::text)) return {};
  std::string error;
  call.pattern = compile_pattern(constant->text(), error);
  return call.pattern ? std::string() : error;
}

/// Makes steps of a checked syntax tree (cel-go/interpreter/planner.go and decorators.go).
class Planner {
 public:
  Planner(std::size_t ids, std::size_t& slots, std::string& error, std::string& unsupported)
      : ids_(ids), slots_(slots), error_(error), unsupported_(unsupported) {}

  StepPtr plan(const Node& node) {
    switch (node.kind) {
      case Node::Kind::literal:
        return std::make_shared<ConstantStep>(node.id, node.literal);
      case Node::Kind::identifier:
        return plan_identifier(node);
      case Node::Kind::select:
        return plan_select(node);
      case Node::Kind::call:
        return plan_call(node);
      case Node::Kind::list:
      case Node::Kind::map:
      case Node::Kind::message:
        return plan_construction(node);
      case Node::Kind::fold:
        return plan_fold(node);
    }
    return nullptr;
  }

 private:
  struct Scope {
    std::string name;
    std::size_t slot;
    StepPtr initial;  ///< of an accumulator
  };

  void fail(std::string& into, std::string message) {
    if (error_.empty() && unsupported_.empty()) into = std::move(message);
  }

  StepPtr plan_identifier(const Node& node) {
    if (node.is_constant_type) {
      if (node.type->of[0]->kind == Type::Kind::message) {
        fail(error_, "reference to undefined type: " + node.name);
      }
      return std::make_shared<ConstantStep>(node.id, Datum::type(node.name));
    }
    auto attribute = std::make_shared<Attribute>();
    attribute->base_id = node.id;
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (scope->name != node.name) continue;
      attribute->base = scope->initial ? Attribute::Base::accumulator : Attribute::Base::slot;
      attribute->index = scope->slot;
      attribute->step = scope->initial;
      return std::make_shared<AttributeStep>(std::move(attribute));
    }
    const auto found = std::find(kVariableNames.begin(), kVariableNames.end(), node.name);
    attribute->index = static_cast<std::size_t>(found - kVariableNames.begin());
    if (found == kVariableNames.end()) fail(error_, "no such attribute(s): " + node.name);
    return std::make_shared<AttributeStep>(std::move(attribute));
  }

  StepPtr plan_select(const Node& node) {
    std::shared_ptr<AttributeStep> operand = as_attribute(plan(*node.parts[0]));
    auto qualifier = std::make_shared<Qualifier>();
    qualifier->id = node.id;
    qualifier->key = Datum::of(node.name);
    qualifier->is_test = node.is_test;
    operand->attribute->add(qualifier);
    if (!node.is_test) return operand;
    auto test = std::make_shared<AttributeStep>(operand->attribute);
    test->is_test = true;
    test->id = node.id;
    return test;
  }

  StepPtr plan_index(const Node& node, bool is_optional) {
    std::shared_ptr<AttributeStep> operand = as_attribute(plan(*node.parts[0]));
    const StepPtr index = plan(*node.parts[1]);
    auto qualifier = std::make_shared<Qualifier>();
    qualifier->id = node.id;
    qualifier->is_optional = is_optional;
    if (const Datum* constant = index->constant()) {
      qualifier->key = *constant;
      if (!constant->is(Kind::text) && !constant->is(Kind::boolean) && !constant->is(Kind::integer) &&
          !constant->is(Kind::unsigned_integer) && !constant->is(Kind::real)) {
        fail(error_, "invalid qualifier type: " + go_type_name(*constant));
      }
    } else {
      qualifier->computed = as_attribute(index)->attribute;
    }
    operand->attribute->add(qualifier);
    return operand;
  }

  StepPtr plan_call(const Node& node) {
    if (node.name == operators::kIndex) return plan_index(node, false);
    if (node.name == operators::kOptionalIndex || node.name == operators::kOptionalSelect) {
      return plan_index(node, true);
    }
    std::vector<StepPtr> parts;
    for (const NodePtr& part : node.parts) parts.push_back(plan(*part));
    if (node.name == operators::kAnd || node.name == operators::kOr) {
      return std::make_shared<LogicalStep>(node.id, node.name == operators::kOr, std::move(parts));
    }
    if (node.name == operators::kConditional) return plan_choice(node, parts);
    if (node.name == operators::kEqual || node.name == operators::kUnequal) {
      return std::make_shared<EqualityStep>(node.id, node.name == operators::kEqual, parts[0], parts[1]);
    }
    if (node.is_member && (node.name == "or" || node.name == "orValue")) {
      return std::make_shared<OptionalOrStep>(node.id, node.name == "orValue", parts[0], parts[1]);
    }
    return plan_function(node, std::move(parts));
  }

  StepPtr plan_function(const Node& node, std::vector<StepPtr> parts) {
    const std::string overload = node.overloads.size() == 1 ? node.overloads[0] : "";
    if (overload == "in_list") {
      if (StepPtr membership = plan_membership(node, parts)) return membership;
    }
    auto call = std::make_shared<CallStep>(node.id);
    call->name = node.name;
    call->arguments = std::move(parts);
    for (const StepPtr& part : call->arguments) call->argument_ids.push_back(part->value_id());
    call->rule = cost_rule(node.name, overload);
    call->is_strict = node.name != operators::kNotStrictlyFalse;
    call->is_guarded = !is_one_of(node.name, kUnguarded);
    bind(node, overload, *call);
    if (std::string error = compile_constant_pattern(*call); !error.empty()) fail(error_, error);
    call->is_guarded = call->is_guarded && call->pattern == nullptr;
    call->stops_at_error = call->arguments.size() != 2 || call->pattern != nullptr ||
                           call->candidates.size() > 1 || node.name == "findAll";
    if (is_one_of(node.name, kConversions) && call->arguments.size() == 1) {
      if (const Datum* constant = call->arguments[0]->constant();
          constant && error_.empty() && unsupported_.empty()) {
        Datum value = call->call({constant, 1});
        if (value.is_error()) fail(error_, std::string(value.text()));
        return std::make_shared<ConstantStep>(node.id, std::move(value));
      }
    }
    return call;
  }

  void bind(const Node& node, const std::string& overload, CallStep& call) {
    if (Function single = find_binding(node.name)) {
      call.candidates = {{nullptr, single}};
      return;
    }
    // A call that may mean several overloads looks through all of the function.
    const std::vector<Overload>* all = find_function(node.name);
    for (const Overload& one : *all) {
      if (!overload.empty() && overload != one.row->overload) continue;
      const Function function = find_binding(one.row->overload);
      if (function == nullptr) {
        fail(unsupported_, "the function " + node.name + " is not supported yet");
        return;
      }
      call.candidates.push_back({&one, function});
    }
  }

  StepPtr plan_construction(const Node& node) {
    auto made = std::make_shared<ConstructStep>(node.id, node.kind);
    made->type = node.name;
    made->fields = node.fields;
    made->is_optional = node.is_optional;
    bool is_constant = node.kind != Node::Kind::message;
    for (const NodePtr& part : node.parts) {
      made->parts.push_back(plan(*part));
      made->part_ids.push_back(made->parts.back()->value_id());
      is_constant = is_constant && made->parts.back()->constant() != nullptr;
    }
    if (!is_constant) return made;
    const Activation nothing;
    Frame frame{nothing, CostTracker(kCallCostMax, ids_), {}, {}};
    return std::make_shared<ConstantStep>(node.id, made->make(frame));
  }

  StepPtr plan_fold(const Node& node) {
    auto fold = std::make_shared<FoldStep>(node.id);
    fold->initial = plan(*node.parts[1]);
    fold->range = plan(*node.parts[0]);
    fold->accumulator_slot = slots_++;
    fold->first_slot = slots_++;
    fold->has_two = !node.second_variable.empty();
    if (fold->has_two) fold->second_slot = slots_++;
    scopes_.push_back({node.accumulator, fold->accumulator_slot, fold->initial});
    const std::size_t outer = scopes_.size();
    scopes_.push_back({node.variable, fold->first_slot, nullptr});
    if (fold->has_two) scopes_.push_back({node.second_variable, fold->second_slot, nullptr});
    fold->condition = plan(*node.parts[2]);
    fold->step = plan(*node.parts[3]);
    scopes_.resize(outer);
    fold->result = plan(*node.parts[4]);
    scopes_.pop_back();
    return fold;
  }

  std::size_t ids_;
  std::size_t& slots_;
  std::string& error_;
  std::string& unsupported_;
  std::vector<Scope> scopes_ = {};
};

}  // namespace

StepPtr plan_steps(const Node& root, std::size_t ids, std::size_t& slots, std::string& error,
                   std::string& unsupported) {
  StepPtr step = Planner(ids, slots, error, unsupported).plan(root);
  return error.empty() && unsupported.empty() ? step : nullptr;
}

}  // namespace fixpoint::apiserver::cel
