#include "harness/properties/path_values.h"

#include <gtest/gtest.h>

#include "generators/draw.h"
#include "harness/cases/kind.h"
#include "harness/document/json.h"
#include "harness/runner/examine.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::properties {
namespace {

std::string text_of(const std::vector<PathValue>& path_values) {
  std::string text;
  for (const PathValue& path_value : path_values)
    text.append(path_value.path).append(" = ").append(path_value.text()).append("\n");
  return text;
}

/// Compares `differing` with the model that takes all values of both Pods.
void expect_same_as_plain(const Value& a, const Value& b) {
  const auto all_of_a = path_values_of(a), all_of_b = path_values_of(b);
  const Differing two = differing(a, b);
  EXPECT_EQ(text_of(added(two.before, two.after)), text_of(added(all_of_a, all_of_b)));
  EXPECT_EQ(text_of(added(two.after, two.before)), text_of(added(all_of_b, all_of_a)));
  EXPECT_EQ(first_difference(two), first_difference(all_of_a, all_of_b));
  for (const PathValue& path_value : all_of_a) {
    const PathValue* there = find(all_of_b, path_value.path);
    EXPECT_EQ(agrees(two, path_value), there != nullptr && *there == path_value) << path_value.path;
  }
}

/// A ConfigMap has a table and no spec, a Role neither.
TEST(PathValues, AreThoseOfEveryKind) {
  for (const cases::Kind& kind : cases::built_in_kinds()) {
    Value before{{"apiVersion", kind.api_version()}, {"kind", kind.name}, {"metadata", {{"name", "a"}}}};
    before.edit("data").set("key", "1");
    Value after = before;
    after.edit("data").set("key", "2");
    after.edit("metadata").edit("labels").set("team", "data");
    expect_same_as_plain(before, after);
    EXPECT_NE(find(added(before, after), "metadata.labels.team"), nullptr) << kind.name;
  }
}

/// The Pod with its lists turned round: all that is keyed stays what it is, all that is not does not.
Value reversed(Value pod) {
  for (const char* list : {"containers", "volumes", "tolerations"}) {
    const document::Name name(list);
    if (pod["spec"][name].empty()) continue;
    auto& elements = pod.edit("spec").edit(name).edit_elements();
    std::reverse(elements.begin(), elements.end());
  }
  return pod;
}

TEST(PathValues, OfTheDifferingPartsAloneSayTheSame) {
  const generators::DrawContext draw_context({.subjects = injectors::newest(injectors::Role::subject),
                                              .peers = injectors::newest(injectors::Role::peer)});
  int compared = 0;
  for (std::uint64_t index = 0; index < 300; ++index) {
    runner::Choices choices(5, index);
    const auto prepared = runner::prepare(generators::draw(choices, draw_context), injectors::resolve, {});
    if (!prepared || prepared->admission.calls.empty()) continue;
    const Value& first = prepared->admission.first;
    Value last = first;
    for (const auto& event : prepared->admission.calls) {
      if (!event.result.applied || event.result.after["spec"].is_null()) continue;
      expect_same_as_plain(event.before, event.result.after);
      last = event.result.after;
    }
    expect_same_as_plain(first, last);
    expect_same_as_plain(last, reversed(last));
    expect_same_as_plain(last, reversed(first));
    ++compared;
  }
  EXPECT_GT(compared, 200);
}

}  // namespace
}  // namespace fixpoint::properties
