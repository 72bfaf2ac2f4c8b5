#include "harness/apiserver/cel/cel.h"

#include <algorithm>

#include "harness/apiserver/cel/meter.h"
#include "harness/apiserver/cel/plan.h"
#include "harness/apiserver/cel/type_check.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver::cel {

namespace {

constexpr const char* kNotSupported = "not supported yet";

/// An issue that says that fixpoint cannot tell, or nullptr.
const Issue* unsupported_issue(const std::vector<Issue>& issues) {
  for (const Issue& issue : issues) {
    if (issue.message.find(kNotSupported) != std::string::npos) return &issue;
  }
  return nullptr;
}

Compiled refused(const std::vector<Issue>& issues, std::string_view source) {
  if (const Issue* issue = unsupported_issue(issues)) return {.unsupported = issue->message};
  return {.error = "compilation failed: " + issue_text(issues, source)};
}

bool names_old_self(const Node& node) {
  return (node.kind == Node::Kind::identifier && node.name == "oldSelf") ||
         std::any_of(node.parts.begin(), node.parts.end(),
                     [](const NodePtr& part) { return part && names_old_self(*part); });
}

/// Notes the places of a node and of those below it, by their ids.
void note_places(const Node& node, std::vector<int>& places) {
  if (static_cast<std::size_t>(node.id) < places.size()) places[static_cast<std::size_t>(node.id)] = node.at;
  for (const NodePtr& part : node.parts)
    if (part) note_places(*part, places);
}

}  // namespace

Program::Program(std::unique_ptr<const Plan> plan) : plan_(std::move(plan)) {}
Program::~Program() = default;

const TypePtr& Program::type() const { return plan_->type; }
bool Program::reads_old_self() const { return plan_->reads_old_self; }

Evaluation Program::evaluate(const Activation& activation, std::uint64_t cost_max) const {
  const Metered metered;
  Frame frame{activation, CostTracker(cost_max, plan_->ids), std::vector<Datum>(plan_->slots),
              std::vector<char>(plan_->slots, 0)};
  Evaluation evaluation;
  evaluation.value = plan_->root->run(frame);
  evaluation.cost = frame.tracker.cost();
  if (frame.tracker.is_exhausted()) {
    evaluation.value = Datum::error(frame.tracker.message());
  } else if (evaluation.value.is_error()) {
    const int origin = frame.tracker.origin_of(evaluation.value);
    if (origin != 0) evaluation.error_at = plan_->places[static_cast<std::size_t>(origin)];
  }
  return evaluation;
}

Evaluation evaluate_variable(std::string_view name, const Program* program, std::string_view compile_error,
                             const Activation& activation) {
  using document::go_quoted;
  using document::Text;
  if (program == nullptr)
    return {Datum::error(Text("composited variable {} fails to compile: {}")
                             .with({go_quoted(name), std::string(compile_error)}))};
  Evaluation evaluation = program->evaluate(activation);
  if (evaluation.value.is_error())
    evaluation.value = Datum::error(Text("composited variable {} fails to evaluate: {}")
                                        .with({go_quoted(name), evaluation.value.text()}));
  return evaluation;
}

Compiled compile(std::string_view source, const Environment& environment, const TypePtr& returns) {
  Parsed parsed = parse(source, environment.dialect());
  if (!parsed.issues.empty()) return refused(parsed.issues, source);
  std::vector<Issue> issues;
  check_types(*parsed.root, environment, issues);
  if (issues.empty()) check_literals(*parsed.root, environment, issues);
  if (!issues.empty()) return refused(issues, source);
  auto plan = std::make_unique<Program::Plan>();
  plan->type = parsed.root->type;
  if (returns && !is_same_type(*plan->type, *returns)) {
    return {.error =
                "must evaluate to " + long_type_text(*returns) + " but got " + long_type_text(*plan->type)};
  }
  std::string error, unsupported;
  plan->ids = static_cast<std::size_t>(parsed.next_id);
  plan->places.assign(plan->ids, kNowhere);
  note_places(*parsed.root, plan->places);
  plan->reads_old_self = names_old_self(*parsed.root);
  plan->root = plan_steps(*parsed.root, plan->ids, plan->slots, error, unsupported);
  if (!unsupported.empty()) return {.unsupported = unsupported};
  if (!error.empty()) return {.error = "program instantiation failed: " + error};
  return {.program = std::make_shared<const Program>(std::move(plan))};
}

}  // namespace fixpoint::apiserver::cel
