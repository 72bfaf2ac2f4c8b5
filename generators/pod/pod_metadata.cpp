#include "generators/pod/feature.h"

namespace fixpoint::generators {

namespace {

using enum Tier;

/// Text that breaks template engines, shells, patches and JSON writers.
constexpr std::string_view kHardTexts = R"JSON([
  {"annotations": {"note.example.io/text": "say \"hello\""}},
  {"annotations": {"note.example.io/text": "first\nsecond\r\n\tthird"}},
  {"annotations": {"note.example.io/text": "C:\\path\\to \\u0041 \\\\"}},
  {"annotations": {"note.example.io/text": "\uD83D\uDE80 \u2028 \u00E9 \u4E2D"}},
  {"annotations": {"note.example.io/text": "{{ .Name }} ${HOME} $(HOME) %s %d"}},
  {"annotations": {"note.example.io/text": "<a href='x'>&amp;</a>"}},
  {"annotations": {"note.example.io/text": "\u0001\u001B[31m\u007F"}},
  {"annotations": {"note.example.io/text": "- yes: no\n# comment\n...\n---"}},
  {"annotations": {"note.example.io/text": " "}}])JSON";

void in_request_namespace(PodBuilder& builder, Value& metadata) {
  metadata.set("namespace", builder.namespace_name);
}

void generated_name(PodBuilder& builder, Value& metadata) {
  metadata.remove("name");
  metadata.set("generateName", builder.c.coin() ? "job-" : "web-7d4b9c-");
}

void owned(PodBuilder& builder, Value& metadata) {
  generated_name(builder, metadata);
  metadata.edit("labels").set("pod-template-hash", "7d4b9c");
}

/// Adds an annotation whose value is JSON that belongs to several writers.
void shared_json(PodBuilder&, Value& metadata) {
  metadata.edit("annotations").set("shared.example.io/state", R"({"mine":{"list":[1,2,3]},"theirs":"keep"})");
}

void long_value(PodBuilder&, Value& metadata) {
  metadata.edit("annotations").set("note.example.io/long", std::string(2000, 'x'));
}

void name_of_another_namespace(PodBuilder& builder, Value& metadata) {
  if (builder.c.coin())
    metadata.set("name", "web.with.dots");
  else
    metadata.set("name", std::string(60, 'a') + "-0");
}

constexpr Feature kMetadataFeatures[] = {
    {"metadata/labels", common, Place::metadata, R"({"labels": {"app": "web"}})"},
    {"metadata/several-labels", common, Place::metadata,
     R"({"labels": {"app.kubernetes.io/name": "web", "app.kubernetes.io/part-of": "shop",
         "version": "v1"}})"},
    {"metadata/annotations", common, Place::metadata,
     R"({"annotations": {"team.example.io/owner": "data"}})"},
    {"metadata/generate-name", common, Place::metadata, {}, generated_name},
    {"metadata/owner", common, Place::metadata,
     R"({"ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web-7d4b9c", "uid": "1",
                              "controller": true, "blockOwnerDeletion": true}]})",
     owned},
    {"metadata/empty-labels", exotic, Place::metadata, R"({"labels": {}})"},
    {"metadata/empty-annotations", exotic, Place::metadata, R"({"annotations": {}})"},
    {"metadata/null-annotations", exotic, Place::metadata, R"({"annotations": null})"},
    {"metadata/empty-label-value", exotic, Place::metadata, R"({"labels": {"empty": ""}})"},
    {"metadata/empty-annotation-value", exotic, Place::metadata, R"({"annotations": {"empty": ""}})"},
    {"metadata/key-without-prefix", exotic, Place::metadata,
     R"({"annotations": {"plain": "1"}, "labels": {"plain": "1"}})"},
    {"metadata/keys-that-sort-oddly", exotic, Place::metadata,
     R"({"annotations": {"a.io/b": "1", "a.io/B": "2", "a.io/b.c": "3", "A": "4"}})"},
    {"metadata/hard-text", exotic, Place::metadata, kHardTexts},
    {"metadata/shared-json", exotic, Place::metadata, {}, shared_json},
    {"metadata/long-annotation", exotic, Place::metadata, {}, long_value},
    {"metadata/number-as-text", exotic, Place::metadata,
     R"({"annotations": {"n.example.io/a": "9007199254740993", "n.example.io/b": "007",
         "n.example.io/c": "true"}})"},
    {"metadata/in-request-namespace", exotic, Place::metadata, {}, in_request_namespace},
    {"metadata/long-name", exotic, Place::metadata, {}, name_of_another_namespace},
    {"metadata/finalizer", exotic, Place::metadata, R"({"finalizers": ["example.io/keep"]})"},
    {"metadata/two-owners", exotic, Place::metadata,
     R"({"ownerReferences": [{"apiVersion": "v1", "kind": "Node", "name": "a", "uid": "1"},
                             {"apiVersion": "v1", "kind": "Node", "name": "b", "uid": "2"}]})"},
    {"metadata/last-applied", exotic, Place::metadata,
     R"({"annotations": {"kubectl.kubernetes.io/last-applied-configuration":
         "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"spec\":{\"containers\":[{\"name\":\"main\"}]}}\n"}})"},
    {"metadata/generate-name-beside-name", exotic, Place::metadata, R"({"generateName": "web-"})"},
    {"metadata/creation-time-null", exotic, Place::metadata, R"({"creationTimestamp": null})"},
    {"metadata/key-with-tilde", defect, Place::metadata, R"({"annotations": {"a.io/x~1y": "1", "~": "2"}})"},
    {"metadata/key-with-two-slashes", defect, Place::metadata, R"({"annotations": {"a.io/b/c": "1"}})"},
    {"metadata/label-value-with-blank", defect, Place::metadata, R"({"labels": {"app": "my web"}})"},
    {"metadata/bad-finalizer", defect, Place::metadata, R"({"finalizers": ["keep"]})"},
};

}  // namespace

std::span<const Feature> metadata_features() { return kMetadataFeatures; }

}  // namespace fixpoint::generators
