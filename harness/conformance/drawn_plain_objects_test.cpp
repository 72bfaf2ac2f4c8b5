#include <gtest/gtest.h>

#include <string>

#include "generators/schema_values.h"
#include "harness/cases/kind.h"
#include "harness/cases/minors.h"
#include "harness/conformance/real_server_test.h"
#include "harness/document/json.h"
#include "harness/runner/learning/plain_schemas.h"

namespace fixpoint::conformance {
namespace {

/// The path at which an object of the kind is created in the namespace default.
std::string collection_of(const cases::Kind& kind) {
  std::string path = kind.group.empty() ? "/api/v1" : "/apis/" + kind.api_version();
  if (kind.is_namespaced) path += "/namespaces/default";
  return path.append("/").append(kind.plural);
}

/// Of the kinds whose content the simulator does not validate, a real server takes what is drawn.
TEST_F(RealServer, TakesThePlainObjectsThatAreDrawn) {
  constexpr std::uint64_t kOfEach = 12;
  webhooks::Rest rest(read_kubeconfig((folder_ / "state/kubeconfig").string()).value());
  for (const cases::Kind& kind : cases::built_in_kinds()) {
    if (runner::drawn_schema_of(kind).is_null()) continue;
    std::uint64_t taken = 0;
    std::string said;
    for (std::uint64_t i = 0; i < kOfEach; ++i) {
      runner::Choices choices(9, i);
      Value object = generators::draw_valid_object(choices, kind, cases::kNewestMinor);
      const auto answer = rest.send("POST", collection_of(kind) + "?dryRun=All", object);
      ASSERT_TRUE(answer) << kind.name;
      taken += answer->status == 201 ? 1 : 0;
      if (answer->status != 201) said += std::string(answer->body["message"].text()) + "\n";
    }
    EXPECT_GE(taken, kOfEach - 1) << kind.name << ": " << said;
  }
}

}  // namespace
}  // namespace fixpoint::conformance
