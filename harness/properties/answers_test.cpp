#include <gtest/gtest.h>

#include "harness/document/json.h"
#include "harness/properties/one_webhook_test.h"

namespace fixpoint::properties {
namespace {

constexpr const char* kValidPod =
    R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main","image":"x"}]}})";
constexpr const char* kInvalidPod =
    R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"Main!","image":"x"}]}})";

webhooks::Handler refusing(int code, std::string message) {
  return [code, message = std::move(message)](const webhooks::Call&) {
    return webhooks::deny(code, "InternalError", message);
  };
}

std::vector<Violation> reported(const char* pod, int code, const std::string& message) {
  return violations_of("answers", of_one_webhook(cases::InjectorName{"a"}, pod), refusing(code, message));
}

TEST(Answers, ARefusalWith500OfAValidPodIsAFailure) {
  const auto violations = reported(kValidPod, 500, "invalid literal: '1k'");
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].severity, Severity::error);
  EXPECT_EQ(violations[0].reason,
            "c/a.b.c refuses a valid Pod with 500 (invalid literal: '1k'): it failed, and the Pod is lost");
  EXPECT_EQ(violations[0].shape, reported(kValidPod, 500, "invalid literal: '2Ki'").at(0).shape)
      << "one failure, whatever value it quotes";
}

TEST(Answers, ARefusalOnPurposeIsNone) {
  EXPECT_TRUE(reported(kValidPod, 403, "no").empty());
  EXPECT_TRUE(
      reported(kValidPod, 500, "no matches for kind \"App\" in version \"spark.apache.org/v1\"").empty())
      << "the run lacks the definition";
  EXPECT_TRUE(reported(kInvalidPod, 500, "no").empty()) << "the server would not take that Pod either";
}

TEST(Answers, ANumberThatADoubleRoundedIsOneOfNumbers) {
  const auto seconds = [](const char* sent) {
    return violations_of(
        "answers", of_one_webhook(cases::InjectorName{"a"}, kValidPod), changing([=](Value& pod, int) {
          pod.edit("spec").set("terminationGracePeriodSeconds", document::read_json(sent).value());
        }));
  };
  const auto rounded = seconds("9223372036854776000"), wrong = seconds("1.5");
  ASSERT_EQ(rounded.size(), 1U);
  EXPECT_EQ(rounded[0].symptom, "numbers");
  EXPECT_EQ(rounded[0].severity, Severity::warning);
  ASSERT_EQ(wrong.size(), 1U);
  EXPECT_EQ(wrong[0].severity, Severity::error);
}

/// A removal that is refused on purpose has another code than one that was not understood.
TEST(Answers, ToRemovalsThatHaveNoObject) {
  const auto violations_on_removal = [](int code) {
    cases::Case value = of_one_webhook(cases::InjectorName{"a"}, kValidPod);
    return violations_of("protocol", value, [code](const webhooks::Call& call) {
      return call.request.operation == "DELETE"
                 ? webhooks::deny(code, "BadRequest", "there is no content to decode")
                 : webhooks::allow();
    });
  };
  const auto violations = violations_on_removal(400);
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].reason,
            "the answer to a removal is a refusal with 400 (there is no content to decode): no object of the "
            "kind can be deleted");
  EXPECT_TRUE(violations_on_removal(403).empty());
}

}  // namespace
}  // namespace fixpoint::properties
