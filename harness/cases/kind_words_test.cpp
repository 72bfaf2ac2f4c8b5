#include "harness/cases/kind_words.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"

namespace fixpoint::cases {
namespace {

Request request_of(const char* object) { return {.object = document::read_json(object).value()}; }

TEST(KindWords, SayObjectOfWhatIsNoPod) {
  const Request widget = request_of(R"({"apiVersion":"example.io/v1","kind":"Widget"})");
  EXPECT_EQ(said_of(widget, "writes it so that the server refuses the Pod"),
            "writes it so that the server refuses the object");
  EXPECT_EQ(said_of(widget, "A Pod of Pods: a Pod, PodSecurity, Pod"),
            "An object of objects: an object, PodSecurity, object");
}

TEST(KindWords, LeaveSentencesAboutPodsAlone) {
  for (const char* pod : {R"({"apiVersion":"v1","kind":"Pod"})", R"({"metadata":{}})"})
    EXPECT_EQ(said_of(request_of(pod), "a Pod and Pods"), "a Pod and Pods");
}

}  // namespace
}  // namespace fixpoint::cases
