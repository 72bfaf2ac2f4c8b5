#include "generators/object_case.h"

#include <algorithm>
#include <utility>

#include "generators/draw_workload.h"
#include "generators/object_edits.h"
#include "generators/pod/draw_pod.h"
#include "generators/pod/draw_triggers.h"
#include "generators/put_trigger.h"
#include "generators/read_objects.h"
#include "generators/schema_values.h"
#include "harness/apiserver/admission/admission.h"
#include "harness/apiserver/custom/structural_schema.h"
#include "harness/apiserver/custom/whole_object.h"
#include "harness/apiserver/registry/strategies.h"
#include "harness/cases/kind.h"
#include "harness/cases/request_user.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/external/manifests/selected_kinds.h"
#include "harness/runner/learning/plain_schemas.h"

namespace fixpoint::generators {

namespace {

using cases::Kind;
using document::Member;

/// So many edits leave an object of a table mostly valid.
constexpr std::uint64_t kOneInEdited = 4;
/// One Case in this many is drawn from the schema although there are examples.
constexpr std::uint64_t kOneInWithoutExample = 4;
constexpr int kEditsMax = 3;

bool is_of_kind(const Value& object, const runner::DrawnKind& kind) {
  return object["kind"].text() == kind.name && object["apiVersion"].text() == kind.api_version;
}

const Case* example_of(Choices& choices, const PreparedSubject& subject, const runner::DrawnKind& kind) {
  std::vector<const Case*> known;
  for (const Case& example : subject.subject.examples)
    if (is_of_kind(example.request.object, kind)) known.push_back(&example);
  return known.empty() || choices.one_in(kOneInWithoutExample) ? nullptr : choices.pick(known);
}

void edit_some(Choices& choices, Value& object, const Kind& kind, int minor) {
  if (apiserver::makes_pods(kind)) {
    if (choices.one_in(kOneInEdited)) edit_workload(choices, kind, minor, object);
    return;
  }
  const Value& schema = runner::drawn_schema_of(kind);
  for (auto left = choices.below(kEditsMax + 1); left > 0; --left) {
    Value edited = object;
    edit_member(choices, edited, schema);
    // Nothing here validates a plain kind, so that most of its objects must be right.
    const bool is_kept = kind.is_custom() || apiserver::custom::is_valid(edited, schema, minor);
    if (is_kept || choices.one_in(kOneInEdited)) object = std::move(edited);
  }
}

void draw_metadata(Choices& choices, Value& object, const PreparedVocabulary& words) {
  Value& metadata = object.edit("metadata");
  const auto into = [&](const char* map) {
    return [&metadata, map](const PreparedVocabulary::KeyedValues& key, const Value& text) {
      metadata.edit(map).set(key.key, text);
    };
  };
  draw_common(choices, words.labels, quarters_of_labels(choices), into("labels"));
  draw_common(choices, words.annotations, quarters_of_annotations(choices), into("annotations"));
  const std::uint64_t rarity = draw_rarity(choices);
  draw_rare(choices, words.rare_labels, rarity, into("labels"));
  draw_rare(choices, words.rare_annotations, rarity, into("annotations"));
  if (choices.one_in(8)) metadata.edit("annotations").set("note.example.io/text", "say \"hello\"");
  if (choices.one_in(8)) metadata.edit("labels").set("app", "web");
  if (choices.one_in(16)) metadata.edit("finalizers").push_back("example.io/keep");
  if (choices.one_in(16)) {
    metadata.remove("name");
    metadata.set("generateName", "example-");
  }
}

using HandlerMap = std::map<std::string, webhooks::Handler>;

/// Returns the object as the cluster stores it after its creation through these webhooks; null if it is
/// refused.
Value stored(const Case& value, const PreparedSubject& subject, const HandlerMap& handlers) {
  Case alone{.request = value.request, .cluster = value.cluster};
  alone.request.dry_run = false;
  std::erase_if(alone.cluster.objects, [](const Value& object) {
    return cases::is_of_webhooks(object) || cases::is_of_policies(object);
  });
  if (!handlers.empty()) alone.cluster.objects.push_back(subject.subject.configuration);
  const auto admission = apiserver::admit(alone, handlers);
  return admission && admission->allowed ? admission->stored : Value();
}

/// Draws an object of the kind: around a Pod for the subject's webhook, or by its schema.
Value draw_new_object(Case& value, Choices& choices, const PreparedSubject& subject, const Kind& kind) {
  if (!apiserver::makes_pods(kind))
    return draw_valid_object(choices, kind, cases::minor_of(value.cluster), &subject.subject.vocabulary);
  const std::vector<const PreparedVocabulary*> vocabularies{&subject.vocabulary};
  PodBuilder builder{
      .c = choices, .vocabularies = vocabularies, .namespace_name = value.request.namespace_name};
  draw_into(builder);
  for (Value& object : builder.objects) value.cluster.objects.push_back(std::move(object));
  return draw_workload(choices, kind, pod_of(builder));
}

/// A change of a stored object that clients and controllers make. `now` starts as a copy of `old`.
struct ObjectChange {
  std::string_view name;
  void (*make)(Choices& choices, Case& value, const Kind& kind, Value& old, Value& now);
};

void unchanged(Choices&, Case&, const Kind&, Value&, Value&) {}

void relabelled(Choices& choices, Case&, const Kind&, Value&, Value& now) {
  now.edit("metadata").edit(choices.coin() ? "labels" : "annotations").set("touched.example.io/by", "hand");
}

void content_changed(Choices& choices, Case&, const Kind& kind, Value&, Value& now) {
  if (apiserver::makes_pods(kind)) return choices.pick(workload_changes()).make(choices, kind, now);
  edit_member(choices, now, runner::drawn_schema_of(kind));
}

/// The controller writes the status, by its subresource where there is one.
void status_written(Choices& choices, Case& value, const Kind& kind, Value&, Value& now) {
  if (kind.has_subresource("status")) value.request.sub_resource = "status";
  const Value& schema = apiserver::custom::schema_of(kind)["properties"]["status"];
  if (apiserver::makes_pods(kind)) return now.edit("status").set("observedGeneration", 1);
  now.set("status", schema.is_object() ? draw_schema_value(choices, schema) : Value{{"phase", "Ready"}});
}

void finalizer_removed(Choices&, Case&, const Kind&, Value& old, Value& now) {
  for (Value* object : {&old, &now}) {
    object->edit("metadata").set("deletionTimestamp", "2026-01-01T00:00:00Z");
    object->edit("metadata").set("deletionGracePeriodSeconds", 0);
  }
  old.edit("metadata").set("finalizers", Value::list({"example.io/keep"}));
  now.edit("metadata").remove("finalizers");
}

/// Another client takes away what it never sent: part of what was defaulted.
void applied_again(Choices&, Case& value, const Kind&, Value& old, Value& now) {
  const Value sent = value.request.object;
  now = sent;
  now.edit("metadata").set("name", old["metadata"]["name"]);
  for (const char* own : {"uid", "resourceVersion"})
    if (!old["metadata"][own].is_null()) now.edit("metadata").set(own, old["metadata"][own]);
}

constexpr ObjectChange kObjectChanges[] = {{"unchanged", unchanged},
                                           {"metadata only", relabelled},
                                           {"content changed", content_changed},
                                           {"status written", status_written},
                                           {"finalizer removed", finalizer_removed},
                                           {"applied again", applied_again}};

/// Gives an object the status that its controller writes later, in a third of the Cases: the server drops it
/// when the object is created, and a webhook sees it in updates.
void draw_status(Value& object, Choices& choices, const PreparedSubject& subject, const Kind& kind) {
  const Value& schema = apiserver::custom::schema_of(kind)["properties"]["status"];
  if (!kind.has_subresource("status") || !schema.is_object() || !choices.one_in(3)) return;
  object.set("status", draw_schema_value(choices, schema, {.words = &subject.subject.vocabulary}));
}

Value with_status(Value object, const Value& status) {
  object.set("status", status);
  return object;
}

/// Changes the Case into an update of an object that was stored before the webhook existed, or with it, or
/// with an earlier release of it.
void make_update_of(Case& value, Choices& choices, const PreparedSubject& subject, const Kind& kind) {
  static const HandlerMap kNobody;
  const auto before = choices.below(subject.injected_by.size() + 1);
  Value old = stored(value, subject, before == 0 ? kNobody : subject.injected_by[before - 1]);
  if (old.is_null()) return;
  old.edit("metadata").remove("managedFields");
  if (const Value& status = value.request.object["status"];
      kind.has_subresource("status") && status.is_object())
    old = apiserver::custom::with_defaults(with_status(old, status), apiserver::custom::schema_of(kind));
  Value now = old;
  // Clients change the content of a workload more often than anything else.
  if (apiserver::makes_pods(kind) && choices.coin())
    content_changed(choices, value, kind, old, now);
  else
    choices.pick(kObjectChanges).make(choices, value, kind, old, now);
  value.request.operation = "UPDATE";
  value.request.object = std::move(now);
  value.request.old_object = std::move(old);
}

void steer(Case& value, Choices& choices, const PreparedSubject& subject, const runner::Steering& steering) {
  const auto way = steering.draw_way(choices);
  if (way == runner::Steering::Way::free) return;
  const std::vector<std::size_t> options = steering.draw_options(choices, subject.triggers, way);
  for (std::size_t i = 0; i < options.size(); ++i) put_trigger(value, subject.triggers[i], options[i]);
}

/// Adds, in half of the Cases, a neighbour that writes into the metadata of the same objects: before the
/// subject, or behind it, where the server calls the subject again.
void join_neighbour_of_objects(Case& value, Choices& choices, const DrawContext::Prepared& prepared,
                               const PreparedSubject& subject) {
  if (!choices.coin()) return;
  std::vector<const PreparedSubject*> known;
  for (const PreparedSubject& peer : prepared.peers)
    if (peer.subject.name == "script/label" || peer.subject.name == "script/annotation")
      known.push_back(&peer);
  const std::vector<Value> rules = external::rules_of(subject.subject.configuration);
  if (known.empty() || rules.empty()) return;
  const PreparedSubject& peer = *choices.pick(known);
  Value configuration = peer.subject.configuration;
  configuration.edit("webhooks").edit(0).set("rules", rules);
  join(value, peer, std::move(configuration), choices.coin() ? "z-" : "0-");
}

/// The members of the request beside its object.
void draw_request_around(Case& value, Choices& choices) {
  if (choices.one_in(12)) value.request.dry_run = true;
  if (choices.one_in(12)) value.request.managed_fields = false;
  if (choices.one_in(12)) value.request.user_info = cases::user_named("alice");
  if (choices.one_in(5))
    value.cluster.version = cases::version_of(choices.between(cases::kOldestMinor, cases::kNewestMinor - 1));
}

}  // namespace

const runner::DrawnKind* draw_kind(Choices& choices, const PreparedSubject& subject) {
  const auto& kinds = subject.subject.kinds;
  if (kinds.empty()) return nullptr;
  const runner::DrawnKind& kind = kinds.size() == 1 ? kinds.front() : choices.pick(kinds);
  return kind.is_pod() ? nullptr : &kind;
}

Case draw_object_case(Choices& choices, const DrawContext& draw_context, const PreparedSubject& subject,
                      const runner::DrawnKind& drawn, const runner::Steering* steering) {
  Case value;
  value.neighbours.emplace();
  draw_plain_namespace(value, subject, choices);
  join_subject(value, subject, choices);
  const Case* example = example_of(choices, subject, drawn);
  if (example != nullptr) {
    put_example(value, *example, keeps_namespace(value, choices));
    prefer_chart_objects(value, subject);
  } else {
    if (value.request.namespace_name == "default" && choices.one_in(6))
      value.request.namespace_name = "team-a";
    draw_namespace(value, subject.vocabulary, choices);
  }
  join_neighbour_of_objects(value, choices, *draw_context, subject);
  const cases::Cluster known = value.cluster;  // the kind refers to its definition
  const auto kind = cases::find_kind(drawn.api_version, drawn.name, known);
  if (!kind) return value;
  if (example == nullptr) value.request.object = draw_new_object(value, choices, subject, *kind);
  edit_some(choices, value.request.object, *kind, cases::minor_of(known));
  if (kind->is_custom()) draw_status(value.request.object, choices, subject, *kind);
  draw_metadata(choices, value.request.object, subject.vocabulary);
  draw_request_around(value, choices);
  draw_user(value, subject.vocabulary, choices);
  if (steering != nullptr) steer(value, choices, subject, *steering);
  try_trigger(value, subject, beginnings(draw_context), choices);
  runner::put_own_names(value.request.object);
  draw_read_objects(value, subject, choices, example != nullptr);
  if (draw_context->options.has_updates && choices.below(5) < 2)
    make_update_of(value, choices, subject, *kind);
  if (draw_context->options.has_faults) {
    draw_read_fault(value, subject, choices);
    draw_faults(value, choices);
  }
  return value;
}

}  // namespace fixpoint::generators
