#include "harness/apiserver/cel/expression.h"

#include <map>
#include <mutex>

#include "harness/document/server_text.h"

namespace fixpoint::apiserver {

using document::Text;

namespace {

constexpr Text kOutOfBudget(
    "validation failed due to running out of cost budget, no further validation rules will be run");

/// Cases of one run share their conditions; a program is the same for all of them.
constexpr std::size_t kRememberedMax = 1024;

document::Result<std::shared_ptr<const Expression>> compile_now(std::string_view text, int minor) {
  cel::Environment environment;
  environment.minor = minor;
  environment.has_authorizer = true;
  static const cel::TypePtr kBool = cel::read_type("bool");
  cel::Compiled compiled = cel::compile(text, environment, kBool);
  if (!compiled.unsupported.empty())
    return document::Error{"unsupported expression: " + compiled.unsupported};
  return std::shared_ptr<const Expression>(std::make_shared<Expression>(
      Expression{std::string(text), std::move(compiled.program), std::move(compiled.error)}));
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

Judged evaluate(const Expression& expression, const cel::Activation& variables, long& budget) {
  if (!expression.program) return {Truth::error, Text("compilation error: {}").with({expression.error})};
  const cel::Evaluation evaluation = expression.program->evaluate(variables);
  if (static_cast<long>(evaluation.cost) > budget) return {Truth::exhausted, kOutOfBudget.with({})};
  budget -= static_cast<long>(evaluation.cost);
  if (!evaluation.value.is(cel::Kind::boolean)) {
    return {Truth::error,
            Text("expression '{}' resulted in error: {}").with({expression.source, evaluation.value.text()})};
  }
  return {evaluation.value.is_true() ? Truth::yes : Truth::no};
}

}  // namespace fixpoint::apiserver
