#include "harness/api/nlohmann.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "harness/api/rapidcheck.h"
#include "harness/document/json.h"
#include "harness/document/random_document_model.h"

namespace fixpoint {
namespace {

using Lines = std::vector<std::string>;

TEST(Nlohmann, SaysWhatAConversionLoses) {
  EXPECT_EQ(conversion_losses(R"({"a":[1,-2,0.5,18446744073709551615,"1.50"],"b":null})"), Lines{});
  EXPECT_EQ(conversion_losses(R"({"a/b":[1,1.50]})"), Lines{"/a~1b/1: the number 1.50 becomes 1.5"});
  EXPECT_EQ(conversion_losses(R"({"a":1e400})"),
            Lines{"/a: the number 1e400 becomes an error: it is out of range"});
  EXPECT_EQ(conversion_losses(R"({"a":36893488147419103232,"b":-0})"),
            (Lines{"/a: the number 36893488147419103232 becomes 3.6893488147419103e+19",
                   "/b: the number -0 becomes 0"}));
  EXPECT_EQ(conversion_losses(R"({"a":{"b":1,"c":2,"b":3}})"),
            Lines{"/a/b: the member occurs again, and the last one is kept"});
  EXPECT_THROW(conversion_losses("{"), std::invalid_argument);
}

/// Of random documents: what is said to survive does, and what is said to be lost is.
RC_GTEST_PROP(Nlohmann, LosesWhatItSaysAndNothingElse, ()) {
  const document::Value value = document::random_document(
      [](std::uint32_t bound) { return *rc::gen::inRange<std::uint32_t>(0, bound); }, 4, true);
  const std::string text = document::write_json(value);
  const Lines losses = conversion_losses(text);
  nlohmann::json converted;
  try {
    converted = nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception&) {
    RC_ASSERT(!losses.empty());
    return;
  }
  RC_ASSERT((document::read_json(converted.dump()).value() == value) == losses.empty());
}

RC_GTEST_PROP(Nlohmann, CasesConvertBothWays, (const Case& value)) {
  const nlohmann::json converted = value;
  if (conversion_losses(value.text()).empty()) {
    RC_ASSERT(converted.get<Case>() == value);
  } else {
    RC_ASSERT(nlohmann::json(converted.get<Case>()) == converted);
  }
}

RC_GTEST_PROP(Nlohmann, SequencesConvertBothWays, (const Sequence& value)) {
  RC_ASSERT(nlohmann::json(value).get<Sequence>() == value);
}

RC_GTEST_PROP(Nlohmann, PartsConvert, (const Pod& pod, const Policies& policies)) {
  RC_ASSERT(nlohmann::json(pod).dump() == nlohmann::json::parse(pod.text()).dump());
  RC_ASSERT(nlohmann::json(policies).contains("cluster"));
}

std::string review_of(const std::string& pod) {
  return R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u","object":)" +
         pod + "}}";
}
nlohmann::json response_to(const ReviewHandler& handler, const std::string& pod) {
  return nlohmann::json::parse(handler(review_of(pod))).at("response");
}

TEST(Nlohmann, AnObjectHandlerChangesWhatItChangesAlone) {
  const std::string pod = R"({"metadata":{"name":"a","name":"b"},"spec":{"x":1.50,"y":1e3}})";
  const auto nothing = on_json_object([](const nlohmann::json& same) { return same; });
  EXPECT_EQ(response_to(nothing, pod), (nlohmann::json{{"uid", "u"}, {"allowed", true}}));
  const auto label = on_json_object([](nlohmann::json changed) {
    changed["metadata"]["labels"]["team"] = "a";
    return changed;
  });
  const nlohmann::json response = response_to(label, pod);
  EXPECT_EQ(response["patchType"], "JSONPatch");
  EXPECT_EQ(
      response["patch"],
      response_to(
          on_object([](const std::string&) {
            return R"({"metadata":{"labels":{"team":"a"},"name":"a","name":"b"},"spec":{"x":1.50,"y":1e3}})";
          }),
          pod)["patch"]);
  const auto refused = response_to(
      on_json_object([](const nlohmann::json&) -> nlohmann::json { throw Denied("no such team", 422); }),
      pod);
  EXPECT_EQ(refused["allowed"], false);
  EXPECT_EQ(refused["status"], (nlohmann::json{{"code", 422}, {"message", "no such team"}}));
  EXPECT_THROW(on_json_object([](const nlohmann::json&) { return nlohmann::json(1); })(review_of(pod)),
               std::invalid_argument);
  EXPECT_THROW(on_json_object([](nlohmann::json same) { return same; })("{}"), std::invalid_argument);
}

TEST(Nlohmann, WholeReviewsAndReportsConvert) {
  const Webhook own = on_json_review([](const nlohmann::json& review) {
    nlohmann::json pod = review.at("request").at("object");
    pod["spec"]["containers"].push_back({{"name", "own"}, {"image", "own:1"}});
    return nlohmann::json::parse(
        allow(review.dump(), json_patch(review.at("request").at("object").dump(), pod.dump())));
  });
  const CheckReport report = check(own, {.cases = 100});
  ASSERT_FALSE(report.findings.empty()) << report.text;
  const nlohmann::json converted = report;
  EXPECT_EQ(converted["findings"][0]["kind"], "Finding");
  const auto back = converted.get<CheckReport>();
  EXPECT_EQ(nlohmann::json(back), converted);
  EXPECT_EQ(back.findings.front().fingerprint, report.findings.front().fingerprint);
  const nlohmann::json outcome = admit(draw_case(1, 1, own), own);
  EXPECT_EQ(outcome["kind"], "Outcome");
}

TEST(Nlohmann, AReconcilerIsAFunctionOfJson) {
  const Reconciler idle("own/hpa",
                        on_json_reconcile([](const auto&, const auto&) { return nlohmann::json::array(); }));
  const Sequence once = Sequence(idle).with_step(R"({"reconcile":{}})");
  EXPECT_TRUE(violations(once, idle).empty());
  EXPECT_EQ(nlohmann::json(once)["subject"], "own/hpa");
}

}  // namespace
}  // namespace fixpoint
