#include <algorithm>

#include "generators/draw_context.h"
#include "generators/subjects.h"
#include "harness/cases/object_name.h"
#include "harness/cases/plain_namespace.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/runner/learning/named_objects.h"

namespace fixpoint::generators {

namespace {

/// If there are examples, one Case in this many is drawn around one of them.
constexpr std::uint64_t kOneInOfExamples = 4;

}  // namespace

std::uint64_t beginnings(const DrawContext& draw_context) {
  std::uint64_t count = 0;
  for (const PreparedSubject& prepared_subject : draw_context->subjects)
    count += prepared_subject.subject.examples.size();
  return count;
}

void draw_plain_namespace(Case& value, const PreparedSubject& prepared_subject, const Choices& choices) {
  if (choices.index() && prepared_subject.reads_served())
    value.request.namespace_name = cases::plain_namespace(*choices.index());
}

void put_example(Case& value, const Case& from, bool keeps_namespace) {
  // The name of an example in the namespace `default` does not matter.
  const std::string space = value.request.namespace_name;
  const bool moves =
      cases::is_plain_namespace(space) && (from.request.namespace_name == "default" || !keeps_namespace);
  const Case example = moves ? cases::in_namespace(from, space) : from;
  value.request = example.request;
  for (const Value& object : example.cluster.objects) {
    if (!cases::is_webhook_configuration(object) && !cases::is_validating_configuration(object))
      value.cluster.objects.push_back(object);
  }
  runner::add_named_objects(value);
}

bool keeps_namespace(const Case& value, Choices& choices) {
  constexpr std::uint64_t kOneInKept = 4;
  return !cases::is_plain_namespace(value.request.namespace_name) || choices.one_in(kOneInKept);
}

void prefer_chart_objects(Case& value, const PreparedSubject& prepared_subject) {
  const Subject& subject = prepared_subject.subject;
  if (is_bundled(subject)) return;
  for (const Value& own : subject.objects) {
    std::erase_if(value.cluster.objects, [&](const Value& object) {
      return cases::have_same_name(object, own) && !(object == own);
    });
  }
}

std::optional<Case> draw_beginning(const Choices& choices, const DrawContext& draw_context) {
  std::uint64_t number = choices.index().value_or(beginnings(draw_context));
  for (const PreparedSubject& prepared_subject : draw_context->subjects) {
    const auto& examples = prepared_subject.subject.examples;
    if (number >= examples.size()) {
      number -= examples.size();
      continue;
    }
    Case value;
    value.neighbours.emplace();
    put_example(value, examples[number]);
    join(value, prepared_subject, prepared_subject.subject.configuration);
    prefer_chart_objects(value, prepared_subject);
    return value;
  }
  return std::nullopt;
}

const Case* some_example(Choices& choices, const PreparedSubject& subject) {
  const auto& examples = subject.subject.examples;
  if (examples.empty() || !choices.one_in(kOneInOfExamples)) return nullptr;
  const Case& example = choices.pick(examples);
  const Value& pod = example.request.object;
  const bool takes_features = pod["metadata"].is_object() && pod["spec"]["containers"].at(0).is_object();
  return takes_features && !example.request.is_update() ? &example : nullptr;
}

}  // namespace fixpoint::generators
