#include "harness/apiserver/matching/expression.h"

#include <map>
#include <mutex>

#include "harness/document/server_text.h"

namespace fixpoint::apiserver {

using document::Text;

namespace {

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

Evaluated evaluate(const Expression& expression, const cel::Activation& variables, long& budget) {
  if (!expression.program) {
    return {.error = Text("compilation error: {}").with({expression.error}), .reason = "compilation error"};
  }
  cel::Evaluation evaluation = expression.program->evaluate(variables);
  if (static_cast<long>(evaluation.cost) > budget) return out_of_budget();
  budget -= static_cast<long>(evaluation.cost);
  if (evaluation.value.is(cel::Kind::boolean))
    return {.value = std::move(evaluation.value), .cost = evaluation.cost};
  constexpr Text kFailed("expression '{}' resulted in error: {}");
  return {.error = kFailed.with({expression.source, evaluation.value.text()}),
          .reason = kFailed.with({"", evaluation.value.text()}),
          .excerpt = cel::excerpt(expression.source, evaluation.error_at),
          .cost = evaluation.cost};
}

}  // namespace fixpoint::apiserver
