#include "harness/runner/diagnosis/title.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"

namespace fixpoint::runner {
namespace {

std::string title_for(const char* object) {
  cases::Finding finding{.property = "valid-spec", .webhook = "c/a.b.c"};
  finding.value.request.object = document::read_json(object).value();
  return title_of(finding, {.place = "spec.minReadySeconds", .symptom = "invalid"});
}

TEST(Title, NamesWhatTheServerRefuses) {
  EXPECT_EQ(title_for(R"({"metadata":{"name":"p"}})"),
            "writes spec.minReadySeconds so that the API server refuses the Pod");
  EXPECT_EQ(title_for(R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"}})"),
            "writes spec.minReadySeconds so that the API server refuses the object");
}

TEST(Title, CutsWhatWasDrawnAtItsGreatestLength) {
  cases::Finding finding{.property = "valid-spec", .webhook = "c/a.b.c"};
  const std::string place = "spec.volumes[c" + std::string(58, 'n') + "-data].name";
  EXPECT_EQ(title_of(finding, {.place = place, .symptom = "invalid"}),
            "writes spec.volumes[cnnnn…-data].name so that the API server refuses the Pod");
}

}  // namespace
}  // namespace fixpoint::runner
