#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "generators/draw.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/differential/differential_model.h"
#include "harness/document/json.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::apiserver {
namespace {

using oracle::Json;

constexpr const char* kPolicyFiles[] = {"policy",        "policy-rules",  "policy-values", "versions/1.32",
                                        "versions/1.33", "versions/1.34", "versions/1.35"};

/// The recorded admissions with policies, as text.
std::vector<std::string> recorded_policies() {
  std::vector<std::string> lines;
  for (const char* name : kPolicyFiles) {
    std::ifstream in(std::string(FIXPOINT_SOURCE "/corpus/conformance/kubernetes/") + name + ".ndjson");
    for (std::string text; std::getline(in, text);) {
      if (text.find("\"MutatingAdmissionPolicyBinding\"") != std::string::npos &&
          text.find("\"kind\":\"admit\"") != std::string::npos)
        lines.push_back(text);
    }
  }
  return lines;
}

cases::Case case_of(const Json& line) {
  return cases::read_case(
             *document::read_json(oracle::write(line["case"]), {}, document::Strictness::foreign))
      .value();
}

/// The runs of policies as an Outcome has them, and as the oracle has them.
Json runs_of(const Json& outcome) {
  Json runs = Json::array();
  for (const Json& run : oracle::each(oracle::at(outcome, "policies")))
    runs.push_back({run["pass"], run["policy"], run["binding"], run["param"], run["changed"],
                    oracle::each(oracle::at(run, "errors")).size()});
  return runs;
}
Json runs_of(const oracle::Admission& found) {
  Json runs = Json::array();
  for (const oracle::PolicyRun& run : found.policies)
    runs.push_back({run.pass, run.policy, run.binding, run.param, run.changed, run.errors});
  return runs;
}

void expect_recorded(const std::string& id, const Json& outcome, const oracle::Admission& found) {
  const bool passed = !oracle::at(outcome, "object").is_null();
  EXPECT_EQ(found.passes, oracle::at(outcome, "passes")) << id;
  EXPECT_EQ(found.allowed, passed) << id;
  if (!passed) {
    const Json code = oracle::in(outcome, {"status", "code"});  // null: the server panicked
    EXPECT_EQ(Json(found.code), code.is_null() ? Json(0) : code) << id;
    EXPECT_EQ(found.reason, oracle::text_at(oracle::at(outcome, "status"), "reason")) << id;
  }
  if (oracle::at(outcome, "object") != found.object) {
    ADD_FAILURE() << id << " "
                  << Json::diff(oracle::at(outcome, "object"), found.object).dump().substr(0, 500);
  }
  if (!found.crashed) {
    EXPECT_EQ(runs_of(found), runs_of(outcome)) << id;
  }
}

/// Features that the reference model lacks, with the number of times that each was met.
class LeftOut {
 public:
  void note(const std::string& reason) { ++reasons_[reason]; }
  int print() const {
    int all = 0;
    for (const auto& [reason, times] : reasons_) {
      std::printf("%5d %s\n", times, reason.c_str());
      all += times;
    }
    return all;
  }

 private:
  std::map<std::string, int> reasons_ = {};
};

TEST(PolicyOracle, AdmitsAsRecorded) {
  LeftOut left_out;
  int compared = 0;
  for (const std::string& text : recorded_policies()) {
    std::string id;
    try {
      const Json line = oracle::read(text);
      id = oracle::text_at(line, "id");
      const cases::Case value = case_of(line);
      const auto handlers = webhooks::handlers(value, injectors::resolve);
      ASSERT_TRUE(handlers.ok()) << id;
      const auto with_faults = webhooks::with_all_faults(*handlers, value.faults);
      Differential differential(value, with_faults);
      for (const std::string& difference : differential.differences())
        ADD_FAILURE() << id << ": " << difference;
      expect_recorded(id, line["outcome"], differential.reference());
      ++compared;
    } catch (const oracle::Unsupported& reason) {
      left_out.note(reason.what());
    } catch (const std::exception& problem) {
      ADD_FAILURE() << id << ": the reference model fails: " << problem.what();
    }
  }
  const int unsupported = left_out.print();
  std::printf("%d recorded admissions, %d outside the reference model\n", compared + unsupported,
              unsupported);
  EXPECT_GT(compared, 1000);
  EXPECT_LT(unsupported * 40, compared);
}

/// Draws Cases whose subjects are the planted policies, right and wrong, with policies among the neighbours.
/// Half of them also get the policies of one to three recorded admissions of their minor, with the params, in
/// an order, with other failure and reinvocation policies.
class PolicyCases {
 public:
  PolicyCases() : context_(options()) {
    for (const std::string& text : recorded_policies()) {
      try {
        cases::Cluster cluster = case_of(oracle::read(text)).cluster;
        clusters_[cluster.version].push_back(std::move(cluster));
      } catch (const oracle::Unsupported&) {
      }
    }
  }

  cases::Case draw(std::uint64_t seed, std::uint64_t number) const {
    runner::Choices choices(seed, number);
    cases::Case value = generators::draw(choices, context_);
    const auto recorded = clusters_.find(value.cluster.version);
    if (recorded == clusters_.end() || !choices.one_in(2)) return value;
    for (auto times = choices.below(3); times < 3; ++times)
      join(value.cluster, choices.pick(recorded->second), "-" + std::to_string(times), choices);
    return value;
  }

 private:
  /// Adds the policies of another cluster, and what they read, under names of their own.
  static void join(cases::Cluster& cluster, const cases::Cluster& other, const std::string& suffix,
                   runner::Choices& choices) {
    for (document::Value object : other.objects) {
      const std::string kind(object["kind"].text());
      if (kind.starts_with("MutatingAdmissionPolicy")) {
        object.edit("metadata").set("name", std::string(object["metadata"]["name"].text()) + suffix);
        document::Value& spec = object.edit("spec");
        if (kind == "MutatingAdmissionPolicyBinding")
          spec.set("policyName", std::string(spec["policyName"].text()) + suffix);
        else if (choices.one_in(2))
          spec.set("failurePolicy", choices.one_in(4) ? "Fail" : "Ignore");
        if (kind == "MutatingAdmissionPolicy" && choices.one_in(2))
          spec.set("reinvocationPolicy", "IfNeeded");
        cluster.objects.push_back(std::move(object));
      } else if (cluster.find(cases::ObjectName(object)) == nullptr &&
                 kind != "MutatingWebhookConfiguration" && kind != "Namespace" && kind != "LimitRange") {
        cluster.objects.push_back(std::move(object));
      }
    }
    cluster.feature_gates = other.feature_gates;
    for (const std::string& name : other.policy_order)
      cluster.policy_order.insert(cluster.policy_order.begin(), name + suffix);
  }

  static generators::DrawOptions options() {
    generators::DrawOptions options{.peers = injectors::newest(injectors::Role::peer),
                                    .resolve = injectors::resolve};
    for (const auto& injector : injectors::all()) {
      if (!injector.name.starts_with("defects/policy-")) continue;
      for (const auto release : injector.releases) options.subjects.push_back(injector.subject(release));
    }
    return options;
  }

  generators::DrawContext context_;
  std::map<std::string, std::vector<cases::Cluster>> clusters_ = {};  ///< by version
};

const PolicyCases& policy_cases() {
  static const PolicyCases all;
  return all;
}

/// Returns the differences on a Case, if the reference model has it.
std::vector<std::string> policy_differences(const cases::Case& value, oracle::Forgotten forgotten, int& runs,
                                            int& changes) {
  const auto handlers = webhooks::handlers(value, injectors::resolve);
  if (!handlers) return {"no handlers: " + handlers.error().text()};
  const auto with_faults = webhooks::with_all_faults(*handlers, value.faults);
  Differential differential(value, with_faults, forgotten);
  auto differences = differential.differences();
  for (const oracle::PolicyRun& run : differential.reference().policies) {
    ++runs;
    changes += run.changed ? 1 : 0;
  }
  return differences;
}

long setting(const char* variable, long otherwise) {
  const char* said = std::getenv(variable);
  return said == nullptr ? otherwise : std::atol(said);
}

/// FIXPOINT_ORACLE_CASES of them (default 1,200), from FIXPOINT_ORACLE_SEED (default 2026) on.
TEST(PolicyOracle, AgreesWithTheSimulatorOnRandomPolicies) {
  const auto seed = static_cast<std::uint64_t>(setting("FIXPOINT_ORACLE_SEED", 2026));
  const long wanted = setting("FIXPOINT_ORACLE_CASES", 1200);
  LeftOut left_out;
  int runs = 0, changes = 0, differing = 0;
  for (long drawn = 0; drawn < wanted && differing < 10; ++drawn) {
    const cases::Case value = policy_cases().draw(seed, static_cast<std::uint64_t>(drawn));
    std::string text;
    try {
      for (const std::string& difference :
           policy_differences(value, oracle::Forgotten::nothing, runs, changes))
        text += difference + "\n";
    } catch (const oracle::Unsupported& reason) {
      left_out.note(reason.what());
    } catch (const std::exception& problem) {
      text = std::string("the reference model fails: ") + problem.what();
    }
    if (text.empty()) continue;
    ++differing;
    ADD_FAILURE() << "Case " << drawn << " of seed " << seed << "\n"
                  << text
                  << (std::getenv("FIXPOINT_ORACLE_SHOW") == nullptr ? "" : cases::canonical_text(value));
  }
  const int unsupported = left_out.print();
  std::printf("%ld Cases, %d outside the reference model, %d runs of policies, %d changes\n", wanted,
              unsupported, runs, changes);
  EXPECT_LT(unsupported * 25, wanted + 25);
  EXPECT_GT(runs, wanted);
  EXPECT_GT(changes * 3, wanted);
}

/// Each rule that the reference model forgets must be noticed in the same Cases.
TEST(PolicyOracle, NoticesAForgottenRule) {
  using oracle::Forgotten;
  for (const Forgotten forgotten :
       {Forgotten::second_pass, Forgotten::own_run, Forgotten::guard, Forgotten::constraints,
        Forgotten::order, Forgotten::failure_policy, Forgotten::failed_test, Forgotten::defaults}) {
    int runs = 0, changes = 0, cases = 0;
    bool is_noticed = false;
    for (; !is_noticed && cases < 1500; ++cases) {
      try {
        const cases::Case value = policy_cases().draw(2026, static_cast<std::uint64_t>(cases));
        is_noticed = !policy_differences(value, forgotten, runs, changes).empty();
      } catch (const oracle::Unsupported&) {
      }
    }
    std::printf("rule %d is missed in Case %d\n", static_cast<int>(forgotten), cases);
    EXPECT_TRUE(is_noticed) << "rule " << static_cast<int>(forgotten);
  }
}

}  // namespace
}  // namespace fixpoint::apiserver
