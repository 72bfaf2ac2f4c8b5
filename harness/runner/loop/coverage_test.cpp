#include "harness/runner/loop/coverage.h"

#include <gtest/gtest.h>

#include "generators/draw.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/json.h"
#include "harness/runner/loop/run.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::runner {
namespace {

using document::Value;

/// An admission in which one webhook sent this patch.
apiserver::Admission patched(const char* webhook, const char* patch) {
  apiserver::Admission admission;
  apiserver::ConfiguredWebhook configured;
  configured.key = webhook;
  configured.name = cases::webhook_ref({}, webhook).name;
  admission.webhooks.push_back(configured);
  apiserver::CallEvent event;
  event.result.answer.patch = document::read_json(patch).value();
  admission.calls.push_back(event);
  return admission;
}

TEST(Behaviour, IsTheSameWhateverIndicesAndValues) {
  const auto one = features_of(patched("0-c/a.b", R"([{"op":"add","path":"/spec/volumes/3","value":1}])"));
  EXPECT_EQ(one, features_of(patched("z-c/a.b", R"([{"op":"add","path":"/spec/volumes/12","value":{}}])")));
  EXPECT_EQ(one, features_of(patched("c/a.b", R"([{"op":"add","path":"/spec/volumes/0","value":{}}])")));
}

TEST(Behaviour, IsAnotherWithAnotherOperationPlaceOrAuthor) {
  const auto one = features_of(patched("c/a.b", R"([{"op":"add","path":"/spec/volumes/3"}])"));
  EXPECT_NE(one, features_of(patched("c/a.b", R"([{"op":"remove","path":"/spec/volumes/3"}])")));
  EXPECT_NE(one, features_of(patched("c/a.b", R"([{"op":"add","path":"/spec/volumes/-"}])")));
  EXPECT_NE(one, features_of(patched("c/d.b", R"([{"op":"add","path":"/spec/volumes/3"}])")));
  auto refused = patched("c/a.b", R"([{"op":"add","path":"/spec/volumes/3"}])");
  refused.status = cases::Status{.code = 422};
  EXPECT_NE(one, features_of(refused));
}

/// A webhook that overwrites sends the same operation to every Pod: what was there makes the difference.
TEST(Behaviour, IsAnotherWhereSomethingElseIsOverwritten) {
  const auto meeting = [](const char* spec, const char* operation) {
    auto admission = patched("c/a.b", operation);
    admission.calls[0].before = Value{{"spec", document::read_json(spec).value()}};
    return features_of(admission);
  };
  constexpr const char* kSets = R"([{"op":"add","path":"/spec/dnsConfig","value":{}}])";
  const auto nothing = meeting("{}", kSets);
  EXPECT_EQ(nothing, meeting(R"({"hostname":"a"})", kSets));
  const auto servers = meeting(R"({"dnsConfig":{"nameservers":["1.1.1.1"]}})", kSets);
  EXPECT_NE(nothing, servers);
  EXPECT_EQ(servers, meeting(R"({"dnsConfig":{"nameservers":["8.8.8.8"]}})", kSets));
  EXPECT_NE(servers, meeting(R"({"dnsConfig":{"searches":["a"]}})", kSets));
  constexpr const char* kInserts = R"([{"op":"add","path":"/spec/volumes/0","value":{}}])";
  EXPECT_EQ(meeting("{}", kInserts), meeting(R"({"volumes":[{"name":"a"}]})", kInserts))
      << "what is pushed aside is not overwritten";
}

TEST(Behaviour, IsNewOnce) {
  const auto features = features_of(patched("c/a.b", R"([{"op":"add","path":"/spec/volumes/3"}])"));
  CoverageMap known;
  EXPECT_TRUE(known.has_new(features));
  EXPECT_TRUE(known.add(features));
  EXPECT_FALSE(known.has_new(features));
  EXPECT_FALSE(known.add(features));
}

/// A Case that does something new is asked everything, whatever its number.
TEST(Behaviour, WhatIsNewIsAskedEverything) {
  const auto asked = [](bool asks_news) {
    const generators::DrawOptions chains{
        .subjects = {injectors::find_subject("kserve/modelcar@0.12.0").value()}};
    RunOptions options;
    options.drawing.seed = 4;
    options.effort.cases_max = 480;
    options.effort.seconds_max = 0;
    options.effort.asks_news = asks_news;
    options.drawing.draw = [&](Choices& choices, auto) { return generators::draw(choices, chains); };
    options.subjects.resolve = [](std::string_view injector) { return injectors::resolve(injector); };
    options.hooks.clock = [] { return 0.0; };
    Listener nobody;
    return run(options, nobody).all_properties;
  };
  EXPECT_EQ(asked(false), 480u / 16);
  EXPECT_GT(asked(true), 480u / 16 + 10);
  EXPECT_LT(asked(true), 480u);
}

}  // namespace
}  // namespace fixpoint::runner
