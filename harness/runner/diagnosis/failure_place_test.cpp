#include "harness/runner/diagnosis/failure_place.h"

#include <gtest/gtest.h>

namespace fixpoint::runner {
namespace {

std::string place(std::string_view message) {
  const document::Value pod{
      {"metadata", {{"labels", {{"app", "CREATE"}}}, {"namespace", "default"}}},
      {"spec", {{"containers", document::Value::list({{{"name", "c"}, {"image", "web"}}})}}}};
  return place_of_failure(message, pod);
}

TEST(FailurePlace, IsWhatAMessageSaysOfEveryObject) {
  EXPECT_EQ(place("failed to get Application default/CREATE: not found"),
            "webhook: failed to get Application");
  EXPECT_EQ(place("no such image web"), "webhook: no such image");
  EXPECT_EQ(place("no such image c"), "webhook: no such image");
  EXPECT_EQ(place("no such image webserver"), "webhook: no such image webserver");
  EXPECT_EQ(place("unknown level \"x\""), "webhook: unknown level");
  EXPECT_EQ(place("web: not ready"), "webhook: web: not ready") << "a word alone says nothing";
  EXPECT_EQ(place("\"x\""), "webhook");
}

}  // namespace
}  // namespace fixpoint::runner
