#include "harness/apiserver/cel/expression.h"

#include <map>
#include <mutex>

#include "harness/apiserver/cel/syntax.h"

namespace fixpoint::apiserver {

namespace {

/// Cases of one run share their conditions; a program is the same for all of them.
constexpr std::size_t kRememberedMax = 1024;

bool mentions(const cel::Node& node, std::string_view variable) {
  if (node.kind == cel::Node::Kind::identifier && node.name == variable) return true;
  for (const cel::NodePtr& part : node.parts) {
    if (mentions(*part, variable)) return true;
  }
  return false;
}

document::Result<std::shared_ptr<const Expression>> compile_now(std::string_view text, int minor) {
  cel::Environment environment;
  environment.minor = minor;
  environment.has_authorizer = true;
  const cel::Parsed parsed = cel::parse(text, environment.dialect(), false);
  if (parsed.root && mentions(*parsed.root, "authorizer")) {
    return document::Error{"unsupported expression: the variable authorizer"};
  }
  static const cel::TypePtr kBool = cel::read_type("bool");
  cel::Compiled compiled = cel::compile(text, environment, kBool);
  if (!compiled.unsupported.empty())
    return document::Error{"unsupported expression: " + compiled.unsupported};
  return std::shared_ptr<const Expression>(
      std::make_shared<Expression>(Expression{std::move(compiled.program), std::move(compiled.error)}));
}

}  // namespace

document::Result<std::shared_ptr<const Expression>> compile_expression(std::string_view text, int minor) {
  static std::mutex guard;
  static std::map<std::pair<int, std::string>, std::shared_ptr<const Expression>> remembered;
  std::pair<int, std::string> key(minor, text);
  {
    const std::lock_guard lock(guard);
    if (const auto known = remembered.find(key); known != remembered.end()) return known->second;
  }
  auto compiled = compile_now(text, minor);
  if (!compiled) return compiled;
  const std::lock_guard lock(guard);
  if (remembered.size() >= kRememberedMax) remembered.clear();
  remembered.emplace(std::move(key), *compiled);
  return compiled;
}

Truth evaluate(const Expression& expression, const ExpressionInput& input, long& budget) {
  if (!expression.program) return Truth::error;
  cel::Activation activation;
  activation[cel::Variable::object] = cel::Datum::of(input.object);
  activation[cel::Variable::old_object] = cel::Datum::of(input.old_object);
  activation[cel::Variable::request] = cel::Datum::of(input.request);
  const cel::Evaluation evaluation = expression.program->evaluate(activation);
  if (static_cast<long>(evaluation.cost) > budget) return Truth::exhausted;
  budget -= static_cast<long>(evaluation.cost);
  if (!evaluation.value.is(cel::Kind::boolean)) return Truth::error;
  return evaluation.value.is_true() ? Truth::yes : Truth::no;
}

}  // namespace fixpoint::apiserver
