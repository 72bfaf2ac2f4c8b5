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

constexpr const char* kPolicyFiles[] = {"policy",        "policy-rules",  "policy-values",
                                        "versions/1.32", "versions/1.33", "versions/1.34",
                                        "versions/1.35"};

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

/// What an Outcome and the oracle say of the runs of policies.
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
    EXPECT_EQ(Json(found.code), oracle::in(outcome, {"status", "code"})) << id;
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

/// What the reference model does not have, with the number of times.
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
      for (const std::string& difference : differential.differences()) ADD_FAILURE() << id << ": " << difference;
      expect_recorded(id, line["outcome"], differential.reference());
      ++compared;
    } catch (const oracle::Unsupported& reason) {
      left_out.note(reason.what());
    } catch (const std::exception& problem) {
      ADD_FAILURE() << id << ": the reference model fails: " << problem.what();
    }
  }
  const int unsupported = left_out.print();
  std::printf("%d recorded admissions, %d outside the reference model\n", compared + unsupported, unsupported);
  EXPECT_GT(compared, 1000);
  EXPECT_LT(unsupported * 10, compared);
}

}  // namespace
}  // namespace fixpoint::apiserver
