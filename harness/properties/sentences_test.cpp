#include <gtest/gtest.h>

#include <cctype>
#include <string>

#include "harness/properties/one_webhook_test.h"

/// The sentence of a violation must be true of the Pods that it describes.
namespace fixpoint::properties {
namespace {

constexpr const char* kSmallPod =
    R"({"metadata":{"name":"p","annotations":{"log":"a"}},
        "spec":{"containers":[{"name":"main","image":"x"}]}})";

std::vector<Violation> reported_of(const char* property, void (*change)(Value& pod)) {
  return violations_of(property, of_one_webhook(cases::InjectorName{"a"}, kSmallPod),
                       changing([change](Value& pod, int) { change(pod); }));
}

void lengthen_text(Value& pod) {
  Value& annotations = pod.edit("metadata").edit("annotations");
  annotations.set("log", std::string(annotations["log"].text()) + ",x");
}

void add_volume(Value& pod) {
  Value& volumes = pod.edit("spec").edit("volumes");
  if (!volumes.is_array()) volumes = Value::empty_list();
  volumes.push_back({{"name", "logs"}, {"emptyDir", Value::empty_object()}});
}

TEST(Sentences, AGrowingTextIsMeasuredInCharacters) {
  const auto violations = reported_of("bounded-growth", lengthen_text);
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(
      violations[0].reason,
      "metadata.annotations.log grows with every call: 3 characters after the first, 5 characters after "
      "the second");
}

TEST(Sentences, AGrowingListIsMeasuredInElements) {
  const auto violations = reported_of("bounded-growth", add_volume);
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].reason,
            "spec.volumes grows with every call: 1 element after the first, 2 elements after the second");
}

TEST(Sentences, WhatNeverSettlesNamesTheFinalPod) {
  const auto violations = reported_of("converges", add_volume);
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].verdict, "growing");
  EXPECT_EQ(violations[0].reason, "after both passes a.b.c still changes spec.volumes[1]")
      << "the final Pod has one volume";
}

/// Two elements of one name, which no server takes, are not taken for each other.
TEST(Sentences, OfANamesakeAreNotReported) {
  constexpr const char* kTwoOfOneName = R"({"metadata":{"name":"p"},"spec":{"containers":[
      {"name":"a","image":"x","env":[{"name":"ONE","value":"1"},{"name":"TWO","value":"2"}]},
      {"name":"a","image":"x","env":[{"name":"TWO","value":"2"},{"name":"ONE","value":"1"}]}]}})";
  const auto violations =
      violations_of("preserves-order", of_one_webhook(cases::InjectorName{"a"}, kTwoOfOneName),
                    changing([](Value& pod, int) {
                      for (std::size_t i = 0; i < 2; ++i)
                        pod.edit("spec").edit("containers").edit(i).set("workingDir", "/w");
                    }));
  EXPECT_TRUE(violations.empty()) << violations[0].reason;
}

/// A value that lists the containers as they stand says nothing of places.
TEST(Sentences, OfAPlaceAreNotRepeatedForAList) {
  const auto reported = [](bool lists_all) {
    return violations_of("order-independent", of_one_webhook(cases::InjectorName{"a"}, kSmallPod),
                         changing([=](Value& pod, int) {
                           std::string names;
                           for (const Value& one : pod["spec"]["containers"].elements())
                             names += (names.empty() ? "" : ",") + std::string(one["name"].text());
                           if (!lists_all) names = names.substr(0, names.find(','));
                           pod.edit("metadata").edit("annotations").set("names", names);
                         }));
  };
  EXPECT_TRUE(reported(true).empty());
  EXPECT_EQ(reported(false).size(), 1U);
}

/// A text may be legal in the annotation and illegal in the label.
TEST(Sentences, OfATextThatCannotBeStoredNameThePlace) {
  const auto violations = reported_of("text-survives", [](Value& pod) {
    const std::string text(pod["metadata"]["annotations"]["log"].text());
    std::string slug;
    for (const char c : text) slug += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
    pod.edit("metadata").edit("labels").set("log", slug.substr(0, 63));
  });
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_TRUE(violations[0].reason.starts_with("metadata.labels is refused (")) << violations[0].reason;
  EXPECT_TRUE(reported_of("text-survives", [](Value& pod) {
                pod.edit("metadata").edit("labels").set("log", "on");
              }).empty());
}

/// A number that could not be read becomes a text that looks like one.
TEST(Sentences, OfAValueThatIsNoneAreAnObservation) {
  const auto judgement = judgement_of(
      "numbers-survive", of_one_webhook(cases::InjectorName{"a"}, kSmallPod),
      changing([](Value& pod, int) { pod.edit("metadata").edit("annotations").set("heap", "-XmxNaNm"); }));
  ASSERT_EQ(observations_of(judgement).size(), 1U);
  EXPECT_EQ(observations_of(judgement)[0].reason,
            "writes \"-XmxNaNm\" to metadata.annotations.heap: a value that it has not was made a text");
}

/// Elements that a hash map yields in another order are one place: their list.
TEST(Sentences, OfAnOrderNameTheList) {
  const auto value = of_one_webhook(cases::InjectorName{"a"}, kSmallPod);
  const auto shuffled = changing([](Value& pod, int call) {
    const bool is_even = call % 2 == 0;
    pod.edit("spec")
        .edit("containers")
        .edit(0)
        .set("args", Value::list({is_even ? "a" : "b", is_even ? "b" : "a"}));
  });
  const auto violations = violations_of("deterministic", value, shuffled);
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].path, "spec.containers[0].args");
}

/// A field that the Case's server drops, so that it refuses what is left, is no mistake on newer ones.
TEST(Sentences, OfANewerFieldAreAnObservation) {
  auto value = of_one_webhook(cases::InjectorName{"a"}, kSmallPod);
  const auto sleeps = changing([](Value& pod, int) {
    pod.edit("spec")
        .edit("containers")
        .edit(0)
        .set("lifecycle", {{"preStop", {{"sleep", {{"seconds", 5}}}}}});
  });
  EXPECT_TRUE(violations_of("valid-spec", value, sleeps).empty());
  value.cluster.version = "1.29";
  const Judgement judgement = judgement_of("valid-spec", value, sleeps);
  EXPECT_FALSE(std::holds_alternative<Violated>(judgement));
  ASSERT_EQ(observations_of(judgement).size(), 1U);
  EXPECT_EQ(observations_of(judgement)[0].kind, "newer-field");
  // A newer server may refuse the user's own Pod, of which the Case's server drops a part.
  value.request.object.edit("spec")
      .edit("containers")
      .edit(0)
      .set("resources", {{"claims", Value::list({Value::empty_object()})}});
  EXPECT_TRUE(violations_of("valid-spec", value, sleeps).empty());
}

}  // namespace
}  // namespace fixpoint::properties
