#include "reports/telling_finding.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/cases/redaction.h"
#include "harness/document/yaml.h"

namespace fixpoint::reports {
namespace {

using cases::Finding;
using document::Value;

constexpr const char* kSidecar = "hooks/sidecar.example.io";
constexpr const char* kOther = "others/volume.example.io";

Finding finding_of(const std::string& name, const std::string& pod) {
  Finding finding{.property = "idempotent", .severity = "error", .webhook = kSidecar, .fingerprint = name};
  finding.value.request.object = *document::read_yaml(pod);
  finding.value.webhooks[kSidecar] = cases::Script{};
  finding.evidence = {.path = "spec.containers[2]",
                      .reason = "a second call on its own output changes spec.containers[2]",
                      .calls = {{.webhook = kSidecar, .effect = {"+ container proxy"}},
                                {.pass = 2, .webhook = kSidecar, .effect = {"+ container proxy"}}}};
  return finding;
}

constexpr const char* kPod = "{metadata: {name: a}, spec: {containers: [{image: a, name: a}]}}";

TEST(TellingFinding, ShowsTheObjectTheCallsAndWhatCameOfThem) {
  EXPECT_EQ(example_lines(finding_of("a", kPod), 100),
            "       Pod: {metadata: {name: a}, spec: {containers: [{name: a, image: a}]}}\n"
            "       call 1: + container proxy\n"
            "       call 2: + container proxy   <- again\n"
            "       then: a second call on its own output changes spec.containers[2]\n");
}

TEST(TellingFinding, NamesTheWebhooksIfThereAreSeveral) {
  Finding finding = finding_of("a", kPod);
  finding.evidence.calls.insert(finding.evidence.calls.begin() + 1,
                                {.webhook = kOther, .effect = {"+ volume v", "+ container proxy"}});
  finding.evidence.reason = "duplicate \"proxy\": the API server rejects the Pod (422)";
  finding.value.request.operation = "UPDATE";
  finding.value.request.old_object = *document::read_yaml("{kind: Pod, metadata: {name: b}}");
  EXPECT_EQ(example_lines(finding, 100),
            "       old Pod: {metadata: {name: b}}\n"
            "       Pod: {metadata: {name: a}, spec: {containers: [{name: a, image: a}]}}\n"
            "       call 1 of sidecar.example.io: + container proxy\n"
            "       call 1 of volume.example.io: + volume v, + container proxy\n"
            "       call 2 of sidecar.example.io: + container proxy   <- again\n"
            "       server (422): duplicate \"proxy\": the API server rejects the Pod (422)\n");
}

/// Neither a large Pod, nor many calls, nor a control character takes the screen.
TEST(TellingFinding, IsBoundedWhateverWasFound) {
  Finding finding = finding_of("a", "{metadata: {name: \"a\\x1b[31m\"}}");
  for (int i = 0; i < 200; ++i) {
    finding.value.request.object.edit("metadata").edit("labels").set("key" + std::to_string(i), "some value");
    finding.evidence.calls.push_back(
        {.webhook = kSidecar, .effect = std::vector<std::string>(40, "+ container a")});
  }
  finding.evidence.reason = std::string(5000, 'x') + "\n" + std::string(5000, 'y');
  const std::string text = example_lines(finding, 100);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 12) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("… and 196 calls more\n"), std::string::npos) << text;
  for (std::size_t from = 0; from < text.size();) {
    const auto to = text.find('\n', from);
    EXPECT_LE(to - from, 100u + 3) << text.substr(from, to - from);
    from = to + 1;
  }
}

TEST(TellingFinding, IsTheOneThatShowsMost) {
  const Finding plain = [] {
    Finding once = finding_of("1", "{metadata: {name: a}}");
    once.evidence.calls.pop_back();
    return once;
  }();
  const Finding again = finding_of("2", kPod);
  Finding refused = finding_of("3", kPod);
  refused.evidence.reason = "spec.containers[1].name is refused after the call: Duplicate value: \"proxy\"";
  refused.value.webhooks[kOther] = cases::Script{};
  Finding crowded = refused;
  crowded.fingerprint = "0";
  crowded.value.webhooks["more/more.example.io"] = cases::Script{};
  Finding warning = refused;
  warning.severity = "warning";
  EXPECT_EQ(telling_of({plain, again}).fingerprint, "2");
  EXPECT_EQ(telling_of({plain, again, warning}).fingerprint, "2");
  EXPECT_EQ(telling_of({again, crowded, refused}).fingerprint, "3");
  EXPECT_EQ(telling_of({refused, again, crowded}).fingerprint, "3");
  Finding checked = refused;
  checked.fingerprint = "0";
  checked.evidence.calls.back().check = "a second call on its own output";
  EXPECT_EQ(telling_of({checked, refused}).fingerprint, "3") << "what the server does by itself comes first";
}

}  // namespace
}  // namespace fixpoint::reports
