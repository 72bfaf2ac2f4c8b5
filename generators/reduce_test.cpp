#include "generators/reduce.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "generators/draw.h"
#include "generators/weight.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/json.h"
#include "harness/properties/packs/pack.h"
#include "harness/runner/shrink_finding.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::generators {
namespace {

using CaseTest = std::function<bool(const Case&)>;

DrawContext draw_context() {
  DrawOptions options;
  options.subjects = {injectors::find_subject("kserve/modelcar@0.12.0").value(),
                      injectors::find_subject("kserve/metrics-aggregator@0.12.0").value()};
  options.peers = injectors::newest(injectors::Role::peer);
  options.resolve = injectors::resolve;
  return DrawContext(options);
}

Case drawn(const DrawContext& from, std::uint64_t index) {
  Choices choices(4, index);
  return draw(choices, from);
}

/// Shrinks the Case as the runner does, with an arbitrary test.
Case shrunk(Case value, const CaseTest& test, std::size_t* tries = nullptr) {
  for (bool progress = true; progress;) {
    progress = false;
    reduce(value, [&](const Case& candidate) {
      if (tries != nullptr) ++*tries;
      if (!test(candidate)) return false;
      value = candidate;
      return progress = true;
    });
  }
  return value;
}

/// Tests of different kinds, so that reductions are accepted and rejected in many mixtures.
const std::vector<CaseTest>& tests() {
  static const std::vector<CaseTest> all{
      [](const Case&) { return true; },
      [](const Case&) { return false; },
      [](const Case& value) { return value.webhooks.size() > 1; },
      [](const Case& value) { return runner::scalar_count(value.request.object) % 3 == 1; },
      [](const Case& value) {
        return document::write_json(value.request.object).find('1') != std::string::npos;
      },
      [](const Case& value) { return cases::canonical_text(value).size() % 2 == 0; },
      [](const Case& value) {
        return value.request.object["spec"]["containers"].size() > 0 || value.request.dry_run;
      }};
  return all;
}

TEST(Reduce, OffersOnlyLighterCasesThatReadBack) {
  const DrawContext from = draw_context();
  for (std::uint64_t i = 0; i < 60; ++i) {
    const Case value = drawn(from, i);
    Weight last = weight_of(value);
    const CaseTest& test = tests()[i % tests().size()];
    reduce(value, [&](const Case& candidate) {
      EXPECT_EQ(case_weight_of(candidate, value, case_weight_of(value)).whole, weight_of(candidate));
      EXPECT_LT(weight_of(candidate), last);
      const auto read = cases::read_case(cases::write_case(candidate));
      EXPECT_TRUE(read.ok()) << read.error().text() << cases::canonical_text(candidate);
      if (!test(candidate)) return false;
      last = weight_of(candidate);
      return true;
    });
  }
}

TEST(Reduce, TwiceIsOnce) {
  const DrawContext from = draw_context();
  for (std::uint64_t i = 0; i < 40; ++i) {
    const CaseTest& test = tests()[i % tests().size()];
    const Case value = drawn(from, i);
    if (!test(value)) continue;
    const Case once = shrunk(value, test);
    EXPECT_EQ(cases::canonical_text(once), cases::canonical_text(shrunk(value, test)));
    EXPECT_EQ(cases::canonical_text(once), cases::canonical_text(shrunk(once, test)));
  }
}

TEST(Reduce, NothingNeededLeavesNothing) {
  const Case least = shrunk(drawn(draw_context(), 3), [](const Case&) { return true; });
  EXPECT_EQ(runner::scalar_count(least.request.object), 0u) << cases::canonical_text(least);
  EXPECT_EQ(least.webhooks.size(), 1u);
  EXPECT_TRUE(least.cluster.admission_plugins.empty());
  EXPECT_TRUE(least.faults.empty());
}

TEST(Reduce, KeepsWhatIsNeeded) {
  Case value = drawn(draw_context(), 5);
  value.request.object.edit("spec")
      .edit("containers")
      .push_back({{"name", "needed-name"},
                  {"image", "a/b:1"},
                  {"env", Value::list({Value{{"name", "NEEDED"}, {"value", "long text"}}})}});
  const Case least = shrunk(value, [](const Case& candidate) {
    const std::string text = document::write_json(candidate.request.object);
    return text.find("NEEDED") != std::string::npos && text.find("needed-name") != std::string::npos;
  });
  EXPECT_EQ(runner::scalar_count(least.request.object), 2u) << cases::canonical_text(least);
}

/// A value of the subject's vocabulary is kept whole or removed.
TEST(Reduce, KeepsWordsThatMeanSomething) {
  Case value = drawn(draw_context(), 5);
  value.request.object.edit("metadata")
      .set("annotations",
           {{"model", "s3://bucket/model"}, {"other", "s3://bucket/other"}, {"more", "words"}});
  Case least = value;
  const auto is_needed = [](const Case& candidate) {
    const Value& annotations = candidate.request.object["metadata"]["annotations"];
    return annotations["model"].is_string() && annotations["other"].is_string();
  };
  const auto reduction = reduction_keeping({.values = {"s3://bucket/model", "words"}});
  for (bool progress = true; progress;) {
    progress = false;
    reduction(least, [&](const Case& candidate) {
      if (!is_needed(candidate)) return false;
      least = candidate;
      return progress = true;
    });
  }
  EXPECT_EQ(document::write_json(least.request.object["metadata"]["annotations"]),
            R"({"model":"s3://bucket/model","other":""})");
}

/// Whichever neighbour a finding needs, the smallest Case has the simplest one that shows the finding.
TEST(Reduce, NeighboursBecomePlain) {
  const DrawContext from = draw_context();
  std::set<std::string> ends;
  for (std::uint64_t i = 0; i < 60; ++i) {
    const Case value = drawn(from, i);
    if (value.webhooks.size() < 2) continue;
    const auto names = cases::configured_webhooks(value.cluster);
    const auto subject = *std::find_if(names.begin(), names.end(), [](const std::string& name) {
      return name.find("pod-mutator") != std::string::npos;
    });
    const Case least = shrunk(value, [&](const Case& candidate) {
      return candidate.webhooks.size() > 1 && candidate.webhooks.contains(subject);
    });
    ASSERT_EQ(least.webhooks.size(), 2u);
    for (const auto& [key, backend] : least.webhooks) {
      if (key != subject) ends.insert(key);
    }
  }
  EXPECT_EQ(ends, (std::set<std::string>{"container-behind/container-behind.example.io"}));
}

TEST(Reduce, APluginIsPlainerThanANeighbour) {
  Case value = drawn(draw_context(), 2);
  ASSERT_GT(value.webhooks.size(), 1u);
  const Case least = shrunk(value, [](const Case& candidate) {
    return candidate.webhooks.size() > 1 || candidate.cluster.has_plugin("ServiceAccount");
  });
  EXPECT_EQ(least.webhooks.size(), 1u);
  EXPECT_EQ(least.cluster.admission_plugins, std::vector<std::string>{"ServiceAccount"});
}

/// A program that dies of a Pod without containers would be restarted for each try.
TEST(Reduce, KeepsAContainerForAWebhookOutsideOfTheProcess) {
  Case value = drawn(draw_context(), 3);
  ASSERT_FALSE(value.request.object["spec"]["containers"].empty());
  for (auto& [key, backend] : value.webhooks) backend = cases::Command{{"hook"}};
  const Case least = shrunk(value, [](const Case&) { return true; });
  EXPECT_EQ(document::write_json(least.request.object), R"({"spec":{"containers":[{}]}})");
}

TEST(Reduce, ANameIsPlainerThanItsBeginning) {
  Case value = drawn(draw_context(), 4);
  value.request.object.edit("metadata").remove("name");
  value.request.object.edit("metadata").set("generateName", "web-");
  const Case least = shrunk(value, [](const Case& candidate) {
    const Value& metadata = candidate.request.object["metadata"];
    return metadata["name"].is_string() || metadata["generateName"].is_string();
  });
  EXPECT_EQ(document::write_json(least.request.object), R"({"metadata":{"name":""}})");
}

TEST(Reduce, ANameInSeveralPlacesIsChangedInAll) {
  Case value = drawn(draw_context(), 4);
  value.request.object = {
      {"spec",
       {{"volumes", Value::list({Value{{"name", "env-files"}}})},
        {"containers",
         Value::list(
             {Value{{"name", "web"}, {"volumeMounts", Value::list({Value{{"name", "env-files"}}})}}})}}}};
  const Case least = shrunk(value, [](const Case& candidate) {
    const Value& spec = candidate.request.object["spec"];
    const Value& name = spec["volumes"].at(0)["name"];
    return !name.text().empty() && name == spec["containers"].at(0)["volumeMounts"].at(0)["name"];
  });
  EXPECT_EQ(least.request.object, document::read_json(R"({"spec":{
      "containers":[{"volumeMounts":[{"name":"a"}]}],"volumes":[{"name":"a"}]}})")
                                      .value())
      << document::write_json(least.request.object);
}

TEST(Reduce, KeepsTheBeginningOfATextThatIsNeeded) {
  Case value = drawn(draw_context(), 4);
  value.request.object = {{"metadata", {{"annotations", {{"uri", "oci://registry.example/model'name"}}}}}};
  const auto least_with = [&](std::string_view beginning) {
    const Case least = shrunk(value, [&](const Case& candidate) {
      return candidate.request.object["metadata"]["annotations"]["uri"].text().starts_with(beginning);
    });
    return std::string(least.request.object["metadata"]["annotations"]["uri"].text());
  };
  EXPECT_EQ(least_with("oci://"), "oci://");
  EXPECT_EQ(least_with("oci://registry.example/m"), "oci://registry.example/m");
  value.request.object = {{"metadata", {{"annotations", {{"uri", "x\u00e4\u00e4\u00e4\u00e4\u00e4"}}}}}};
  EXPECT_EQ(least_with("x\u00e4"), "x\u00e4") << "no letter is cut in two";
}

/// Both Pods of an UPDATE lose the same parts, or no update would stay legal.
TEST(Reduce, UpdatesStayPairs) {
  Case value = drawn(draw_context(), 1);
  value.request.object = {
      {"metadata", {{"name", "web"}, {"labels", {{"a", "b"}}}}},
      {"spec", {{"containers", Value::list({Value{{"name", "x"}}, Value{{"name", "y"}}})}}}};
  value.request.old_object = value.request.object;
  value.request.operation = "UPDATE";
  const Case least = shrunk(value, [](const Case& candidate) {
    return candidate.request.is_update() && candidate.request.object["spec"]["containers"].size() == 1 &&
           candidate.request.object == candidate.request.old_object;
  });
  EXPECT_EQ(document::write_json(least.request.old_object["metadata"]), "null");
  EXPECT_EQ(least.request.old_object, least.request.object);
}

/// The figures of the published bugs: their smallest Pods are small, and take few tries.
TEST(Reduce, PublishedBugsEndSmall) {
  const DrawContext from = draw_context();
  std::map<std::string, Case> found;
  std::map<std::string, std::size_t> tries;
  std::size_t count = 0, total = 0;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const auto prepared = runner::prepare(drawn(from, i), injectors::resolve, {});
    if (!prepared) continue;
    for (const auto& asked :
         runner::ask(*prepared, properties::Catalog().of_cases(), {.only_cheap = true}, {})) {
      const auto* violated = std::get_if<properties::Violated>(&asked.judgement);
      if (violated == nullptr) continue;
      const std::string print =
          runner::fingerprint(prepared->value, asked.property->name, violated->violations.front());
      if (found.contains(print)) continue;
      auto result = runner::shrink(prepared->value, *asked.property, print, injectors::resolve, reduce, {});
      ASSERT_TRUE(result.has_value());
      EXPECT_LE(runner::scalar_count(result->value.request.object), 12u)
          << cases::canonical_text(result->value);
      EXPECT_LE(result->value.webhooks.size(), 2u) << cases::canonical_text(result->value);
      EXPECT_LE(result->tries, 1000u);
      total += result->tries, ++count;
      found.emplace(print, result->value);
    }
  }
  EXPECT_GE(found.size(), 4u);
  RecordProperty("tries_mean", static_cast<int>(total / std::max<std::size_t>(count, 1)));
}

TEST(Reduce, DropsAValidatingWebhookWithItsBackend) {
  Case value;
  for (const char* name : {"one", "two"}) {
    value.cluster.objects.push_back({{"apiVersion", "admissionregistration.k8s.io/v1"},
                                     {"kind", "ValidatingWebhookConfiguration"},
                                     {"metadata", {{"name", name}}},
                                     {"webhooks", Value::list({Value{{"name", "v.b.c"}}})}});
    value.webhooks.emplace(std::string(name) + "/v.b.c", cases::Script());
  }
  Case least = value;
  reduction_keeping({})(value, [&](const Case& candidate) {
    EXPECT_EQ(candidate.webhooks.size(), candidate.cluster.objects.size());
    if (!candidate.webhooks.contains("two/v.b.c")) return false;
    least = candidate;
    return true;
  });
  EXPECT_EQ(least.webhooks.size(), 1U);
}

TEST(Reduce, KeepsTheObjectsOfAChart) {
  const Value settings{{"apiVersion", "v1"},
                       {"kind", "ConfigMap"},
                       {"metadata", {{"name", "settings"}, {"namespace", "a"}}},
                       {"data", {{"x", "y"}}}};
  Value other = settings;
  other.edit("metadata").set("name", "other");
  Case value;
  value.cluster.objects = {settings, other};
  Case least = value;
  reduction_keeping({.objects = {settings}})(value, [&](const Case& candidate) {
    least = candidate;
    return true;
  });
  EXPECT_EQ(least.cluster.objects, std::vector<Value>{settings});
}

TEST(Reduce, RestoresAChangedObjectOfAChartOrLeavesItWhole) {
  const Value settings{{"apiVersion", "v1"},
                       {"kind", "ConfigMap"},
                       {"metadata", {{"name", "settings"}, {"namespace", "a"}}},
                       {"data", {{"mode", "strict"}, {"size", "1"}}}};
  Value changed = settings;
  changed.edit("data").set("mode", "");
  const auto least_with = [&](const auto& fails) {
    Case value;
    value.cluster.objects = {changed};
    Case least = value;
    reduction_keeping({.objects = {settings}})(value, [&](const Case& candidate) {
      if (fails(candidate)) least = candidate;
      return fails(candidate);
    });
    return least.cluster.objects;
  };
  EXPECT_EQ(least_with([](const Case&) { return true; }), std::vector<Value>{settings});
  EXPECT_EQ(least_with([&](const Case& value) {
              return !value.cluster.objects.empty() &&
                     value.cluster.objects[0]["data"]["mode"].text().empty();
            }),
            std::vector<Value>{changed});
}

}  // namespace
}  // namespace fixpoint::generators
