#include "generators/draw.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "generators/draw_context.h"
#include "generators/pod/draw_pod.h"
#include "generators/pod/feature.h"
#include "generators/requests.h"
#include "harness/apiserver/admission/admission.h"
#include "harness/apiserver/registrations/validate_configuration.h"
#include "harness/cases/minors.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/json.h"
#include "harness/runner/examine.h"
#include "harness/runner/shrink_finding.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::generators {
namespace {

DrawOptions everything() {
  DrawOptions options;
  options.subjects = injectors::newest(injectors::Role::subject);
  options.peers = injectors::newest(injectors::Role::peer);
  options.resolve = injectors::resolve;
  options.earlier = {"kserve/modelcar@0.12.0", "kserve/metrics-aggregator@0.11.2"};
  return options;
}

Case nth(const DrawContext& draw_context, std::uint64_t index) {
  Choices choices(2026, index);
  return draw(choices, draw_context);
}

TEST(Draw, EqualDecisionsGiveEqualBytes) {
  const DrawContext first(everything()), second(everything());
  for (std::uint64_t i = 0; i < 200; ++i) {
    EXPECT_EQ(cases::canonical_text(nth(first, i)), cases::canonical_text(nth(second, i))) << i;
  }
}

/// A server must be able to store what is drawn: Cases with other configurations are refused when they are
/// read.
TEST(Draw, EveryConfigurationIsStoredByAServer) {
  const DrawContext draw_context(everything());
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Case value = nth(draw_context, i);
    for (const Value& object : value.cluster.objects) {
      if (!cases::is_webhook_configuration(object)) continue;
      const auto refused = apiserver::refusal_of_configuration(object, apiserver::minor_of(value.cluster));
      ASSERT_FALSE(refused) << refused->text();
    }
  }
}

TEST(Draw, EveryCaseReadsBackAndRuns) {
  const DrawContext draw_context(everything());
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Case value = nth(draw_context, i);
    const std::string text = cases::canonical_text(value);
    const auto document = document::read_json(text);
    ASSERT_TRUE(document.ok()) << text;
    const auto read = cases::read_case(*document);
    ASSERT_TRUE(read.ok()) << read.error().text() << "\n" << text;
    ASSERT_EQ(cases::canonical_text(*read), text);
    const auto prepared = runner::prepare(value, injectors::resolve, {});
    ASSERT_TRUE(prepared.ok()) << prepared.error().text() << "\n" << text;
  }
}

/// A policy that fails or never settles would be reported as a note of every run.
TEST(Draw, PoliciesAmongTheNeighboursAreRightForEveryPod) {
  const DrawContext draw_context(everything());
  std::map<std::string, int> changed;
  int with_policies = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const Case value = nth(draw_context, i);
    const auto policies = cases::bound_policies(value.cluster);
    if (policies.empty()) continue;
    ++with_policies;
    Case alone = value;
    for (const std::string& webhook : cases::configured_webhooks(value.cluster))
      if (alone.webhooks.contains(webhook)) alone = cases::without_webhook(std::move(alone), webhook);
    const auto admission = apiserver::admit(alone, {});
    ASSERT_TRUE(admission.ok()) << admission.error().text();
    for (const auto& event : admission->calls) {
      const auto& policy = admission->webhooks[static_cast<std::size_t>(event.index)];
      ASSERT_EQ(event.result.error, apiserver::CallError::none)
          << policy.key << ": " << event.result.said << "\n"
          << cases::canonical_text(alone);
      if (event.pass == 1 && event.result.changed) ++changed[policy.configuration];
      EXPECT_FALSE(event.pass == 2 && event.result.changed) << policy.key << "\n"
                                                            << cases::canonical_text(alone);
    }
  }
  EXPECT_GT(with_policies, 500);
  for (const Subject& policy : policy_neighbours())
    EXPECT_GT(changed[std::string(policy.configuration["metadata"]["name"].text())], 0) << policy.name;
}

TEST(Draw, NoDecisionsGiveTheSimplestCase) {
  Choices zeros(std::vector<std::uint64_t>{});
  const Case value = draw(zeros, everything());
  EXPECT_EQ(value.webhooks.size(), 1u);
  EXPECT_TRUE(value.faults.empty());
  EXPECT_EQ(value.request.object["spec"]["containers"].size(), 1u);
  EXPECT_EQ(value.request.operation, "CREATE");
}

/// Returns true if the server accepts the Pod of the Case. Removes the webhooks first, so that only the Pod
/// is judged.
bool is_valid(Case value) {
  value.webhooks.clear();
  value.faults.clear();
  std::erase_if(value.cluster.objects,
                [](const Value& object) { return object["kind"].text() == "MutatingWebhookConfiguration"; });
  const auto admission = apiserver::admit(value, {});
  return admission.ok() && admission->allowed && admission->invalid.empty();
}

TEST(Draw, MostCreatedPodsAreValid) {
  const DrawContext draw_context(everything());
  int created = 0, valid = 0, updates = 0;
  std::size_t scalars = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const Case value = nth(draw_context, i);
    if (value.request.is_update()) {
      ++updates;
      continue;
    }
    ++created;
    valid += is_valid(value) ? 1 : 0;
    scalars += runner::scalar_count(value.request.object);
  }
  RecordProperty("valid_per_mille", valid * 1000 / created);
  RecordProperty("leaves_mean", static_cast<int>(scalars / static_cast<std::size_t>(created)));
  EXPECT_GE(valid * 100, created * 85);
  EXPECT_LT(valid, created) << "defects occur";
  EXPECT_GT(updates, 100);
}

TEST(Draw, WhatStandsAroundAPodVaries) {
  const DrawContext draw_context(everything());
  std::map<std::string, int> seen;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const Case value = nth(draw_context, i);
    ++seen[value.request.operation];
    ++seen["sub " + value.request.sub_resource];
    ++seen["version " + value.cluster.version];
    ++seen["webhooks " + std::to_string(value.webhooks.size())];
    for (const auto& fault : value.faults) ++seen[fault.fault];
    std::map<std::string, int> ranges;
    for (const Value& object : value.cluster.objects) {
      ++seen[std::string(object["kind"].text())];
      if (object["kind"].text() == "LimitRange") {
        EXPECT_EQ(++ranges[std::string(object["metadata"]["namespace"].text())], 1)
            << cases::canonical_text(value);
      }
    }
    if (value.request.dry_run) ++seen["dry run"];
    if (!value.request.managed_fields) ++seen["untracked"];
  }
  for (const std::string& version : {cases::versions().front(), cases::versions().back()})
    EXPECT_GT(seen["version " + version], 0) << version;
  for (const char* expected :
       {"CREATE", "UPDATE", "sub ephemeralcontainers", "sub resize", "webhooks 1", "webhooks 4", "timeout",
        "deny-0", "retry-after-429", "LimitRange", "ServiceAccount", "PriorityClass", "RuntimeClass",
        "Namespace", "ConfigMap", "dry run", "untracked"}) {
    EXPECT_GT(seen[expected], 0) << expected;
  }
}

/// In half of the Cases several subjects form a chain, each under its own name; a cluster has one
/// configuration of a name.
TEST(Draw, SubjectsThatFormAChain) {
  DrawOptions options{.has_chains = true};
  for (const char* name : {"defects/mount-without-guard@fixed", "peers/sidecar-guarded",
                           "kserve/agent@0.20.0", "kserve/modelcar@0.20.0"})
    options.subjects.push_back(injectors::find_subject(name).value());
  const DrawContext draw_context(options);
  std::map<std::size_t, int> seen;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Case value = nth(draw_context, i);
    std::set<std::string> judged;
    for (const auto& [key, backend] : value.webhooks) {
      const cases::WebhookRef webhook = cases::webhook_ref(value, key);
      if (webhook.is_subject) judged.insert(webhook.configuration);
    }
    ++seen[judged.size()];
  }
  EXPECT_EQ(seen.size(), 2u);
  EXPECT_GT(seen[1], 60);
  EXPECT_GT(seen[3], 60);
}

/// A user's Pod has an element with the key of one that a webhook adds, with the same content or another.
TEST(Draw, NearMatchesOfLearnedElements) {
  const Value constraint{
      {"topologyKey", "zone"}, {"whenUnsatisfiable", "ScheduleAnyway"}, {"maxSkew", 1}, {"minDomains", 2}};
  const runner::Vocabulary prepared_vocabulary{.elements = {{"topologySpreadConstraints", constraint}}};
  int same = 0, other = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    Choices choices(9, i);
    const Value pod = draw_pod(choices, {&prepared_vocabulary});
    for (const Value& one : pod["spec"]["topologySpreadConstraints"].elements()) {
      if (one["topologyKey"] != constraint["topologyKey"] ||
          one["whenUnsatisfiable"].text() != "ScheduleAnyway")
        continue;
      ++(one == constraint ? same : other);
    }
  }
  EXPECT_GE(same, 10);
  EXPECT_GE(other, 10);
}

TEST(Draw, PodsHaveWhatAWebhookWrites) {
  const auto share = [](const runner::Vocabulary& prepared_vocabulary) {
    int there = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
      Choices choices(9, i);
      there += draw_pod(choices, {&prepared_vocabulary})["spec"]["dnsConfig"].empty() ? 0 : 1;
    }
    return there;
  };
  EXPECT_LT(share({.names = {{runner::NameKind::volume, {"v"}}}}), 100);
  EXPECT_GT(share({.members = {"dnsConfig"}}), 200);
}

TEST(Draw, PodsSelectNodesByWhatAWebhookWrites) {
  const runner::Vocabulary prepared_vocabulary{.elements = {{"nodeSelector", {{"pool", "general"}}}}};
  int same = 0, other = 0;
  for (std::uint64_t i = 0; i < 300; ++i) {
    Choices choices(9, i);
    const Value pool = draw_pod(choices, {&prepared_vocabulary})["spec"]["nodeSelector"]["pool"];
    same += pool.text() == "general" ? 1 : 0;
    other += !pool.is_null() && pool.text() != "general" ? 1 : 0;
  }
  EXPECT_GT(same, 10);
  EXPECT_GT(other, 5);
}

/// A webhook that rewrites images looks for the registry in their names.
TEST(Draw, ImagesComeFromAPublicRegistryToo) {
  const runner::Vocabulary nothing;
  int there = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    Choices choices(9, i);
    there += document::write_json(draw_pod(choices, {&nothing})).find("\"docker.io/") != std::string::npos;
  }
  EXPECT_GT(there, 10);
}

TEST(Draw, PathsAloneAreWordsToo) {
  runner::Subject subject = injectors::find_subject("peers/sidecar-guarded").value();
  subject.vocabulary = {.names = {{runner::NameKind::mount_path, {"/var/mine"}}}};
  const DrawContext chains({.subjects = {std::move(subject)}});
  int there = 0;
  for (std::uint64_t i = 0; i < 600; ++i) {
    Choices choices(3, i);
    there +=
        document::write_json(draw(choices, chains).request.object).find("/var/mine") != std::string::npos;
  }
  EXPECT_GT(there, 5);
}

TEST(Features, NamesAreDistinct) {
  std::map<std::string_view, int> names;
  for (const Feature* feature : all_features()) EXPECT_EQ(++names[feature->name], 1) << feature->name;
}

TEST(Features, EveryRowIsDrawn) {
  static const std::vector<const PreparedVocabulary*> nobody;
  std::map<std::string_view, int> drawn;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    Choices choices(8, i);
    PodBuilder builder{.c = choices, .vocabularies = nobody};
    draw_into(builder);
    for (std::string_view name : builder.features) ++drawn[name];
  }
  for (const Feature* feature : all_features()) EXPECT_GT(drawn[feature->name], 0) << feature->name;
}

/// Returns true if a Pod with two containers and that feature is valid.
bool is_valid_with(const Feature& feature, std::uint64_t index) {
  static const std::vector<const PreparedVocabulary*> nobody;
  Choices choices(7, index);
  PodBuilder builder{.c = choices, .vocabularies = nobody};
  builder.metadata.set("name", "web");
  for (const char* name : {"main", "other"})
    builder.spec.edit("containers").push_back({{"name", name}, {"image", "x:1"}});
  put(feature, builder);
  Case value;
  value.request.object = pod_of(builder);
  value.cluster.objects = builder.objects;
  return is_valid(value);
}

TEST(Features, AreValidUnlessTheyAreDefects) {
  for (const Feature* feature : all_features()) {
    int valid = 0;
    constexpr int kDraws = 60;
    for (int i = 0; i < kDraws; ++i) valid += is_valid_with(*feature, static_cast<std::uint64_t>(i)) ? 1 : 0;
    if (feature->tier == Tier::defect)
      EXPECT_EQ(valid, 0) << feature->name;
    else
      EXPECT_GE(valid * 10, kDraws * 8) << feature->name;
  }
}

void collect_spellings(const Value& value, std::vector<std::string_view>& spellings) {
  if (value.is_string()) spellings.push_back(value.spelling());
  for (const Value& element : value.elements()) collect_spellings(element, spellings);
  for (const auto& member : value.members()) collect_spellings(member.value, spellings);
}

/// Otherwise a stored Case would behave unlike the drawn one: `test` compares the raw text of a value.
TEST(HostileCases, SpellTheirScriptsAsTheirTextDoes) {
  std::ptrdiff_t spelled = 0;
  for (std::uint64_t index = 0; index < 4000; ++index) {
    Choices choices(2026, index);
    const Case value = draw_adversarial_case(choices, apiserver::kNewestMinor);
    for (const auto& [webhook, backend] : value.webhooks) {
      const auto* script = std::get_if<cases::Script>(&backend);
      if (script == nullptr) continue;
      const Value reread =
          *document::read_json(document::write_json(script->source), {}, document::Strictness::foreign);
      std::vector<std::string_view> drawn, stored;
      collect_spellings(script->source, drawn);
      collect_spellings(reread, stored);
      ASSERT_EQ(drawn, stored) << document::write_json(script->source);
      spelled += std::count(drawn.begin(), drawn.end(), R"("<&>")");
    }
  }
  EXPECT_GT(spelled, 10);
}

}  // namespace
}  // namespace fixpoint::generators
