#include "harness/runner/diagnosis/problems.h"

#include <gtest/gtest.h>

namespace fixpoint::runner {
namespace {

using cases::Finding;

Finding duplicate_mount(const std::string& fingerprint, const std::string& list, const std::string& mount) {
  Finding finding{.property = "valid-spec",
                  .severity = "error",
                  .webhook = "logs/logs.example.io",
                  .fingerprint = fingerprint};
  finding.evidence.path = "spec." + list + "[0].volumeMounts[1].mountPath";
  finding.evidence.reason =
      finding.evidence.path + " is refused: Invalid value: \"" + mount + "\": must be unique";
  return finding;
}
Finding classified(Finding finding, const std::string& place) {
  finding.cause = cases::Cause{.part = "", .place = place, .symptom = "duplicate"};
  return finding;
}
Finding late(Finding finding) {
  finding.found.unfinished = true;
  return finding;
}

TEST(Problems, TakeAFindingThatCameTooLateIfItSaysTheSame) {
  const std::vector<Finding> findings{
      late(duplicate_mount("a1", "initContainers", "/logs")),
      classified(duplicate_mount("b2", "containers", "/logs"), "spec.volumes[logs]")};
  const auto problems = problems_of(findings);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems.front().id, problem_id(findings[1]));
  EXPECT_EQ(problems.front().unclassified, 1u);
  EXPECT_EQ(problems.front().findings, (std::vector<std::string>{"a1", "b2"}));
}

TEST(Problems, LeaveALateFindingAloneThatSaysSomethingElseOrCouldBeOfTwo) {
  const Finding logs = classified(duplicate_mount("b2", "containers", "/logs"), "spec.volumes[logs]");
  EXPECT_EQ(problems_of(std::vector{late(duplicate_mount("a1", "containers", "/data")), logs}).size(), 2u);
  Finding other = logs;
  other.fingerprint = "c3";
  other.cause->place = "spec.volumes[other]";
  EXPECT_EQ(problems_of(std::vector{late(duplicate_mount("a1", "containers", "/logs")), logs, other}).size(),
            3u);
  EXPECT_EQ(problems_of(std::vector{duplicate_mount("a1", "initContainers", "/logs"), logs}).size(), 2u)
      << "an older version wrote it: it was not too late";
}

Finding lost(const std::string& fingerprint, const std::string& path) {
  Finding finding{.property = "preserves-others",
                  .severity = "error",
                  .webhook = "logs/logs.example.io",
                  .fingerprint = fingerprint};
  finding.evidence.path = path;
  finding.cause = cases::Cause{.part = "", .place = path, .symptom = "lost"};
  finding.repair = cases::Repair{"keep-fields", "unknown-fields"};
  return finding;
}

TEST(Problems, FoldFieldsThatANewerLibraryKnowsIntoOneAndOtherFieldsByTheirObject) {
  const std::vector<Finding> newer{lost("a1", "spec.initContainers[*].restartPolicy"),
                                   lost("b2", "spec.schedulingGroup"),
                                   lost("c3", "spec.containers[*].restartPolicyRules")};
  EXPECT_EQ(problems_of(newer).size(), 1u);
  const std::vector<Finding> known{lost("a1", "spec.containers[*].livenessProbe.failureThreshold"),
                                   lost("b2", "spec.containers[*].livenessProbe.periodSeconds"),
                                   lost("c3", "spec.containers[*].lifecycle.preStop")};
  EXPECT_EQ(problems_of(known).size(), 2u);
}

TEST(Problems, FoldACauseByTheRepairOfMostOfItsFindings) {
  const auto healed = [](Finding finding, const std::string& operation) {
    finding.repair = cases::Repair{"add-if-absent", operation};
    return finding;
  };
  const auto of = [&](const std::string& fingerprint, const std::string& place,
                      const std::string& operation) {
    return healed(classified(duplicate_mount(fingerprint, "containers", place), place), operation);
  };
  const std::vector<Finding> findings{
      of("a1", "spec.volumes[logs]", "logs"), of("a2", "spec.volumes[logs]", "logs"),
      of("a3", "spec.volumes[logs]", "data"), of("b1", "spec.volumes[data]", "data"),
      of("b2", "spec.volumes[data]", "data")};
  EXPECT_EQ(problems_of(findings).size(), 2u) << "one finding healed by the other's repair joins nothing";
}

Finding of_part(const std::string& fingerprint, const std::string& part, const std::string& place) {
  Finding finding = classified(duplicate_mount(fingerprint, "containers", "/data"), place);
  finding.cause->part = part;
  finding.webhook = "logs/logs.example.io";
  finding.value.webhooks["logs/logs.example.io"] = cases::InjectorName{"logs/whole@1.0"};
  return finding;
}

TEST(Problems, JoinTheWholeOfAComposedWebhookWithTheOnePartThatDoesTheSame) {
  const Finding whole = of_part("a1", "logs/whole", "spec.volumes[a]"),
                part = of_part("b2", "logs/agent", "spec.volumes[b]"),
                other = of_part("c3", "logs/other", "spec.volumes[c]");
  EXPECT_EQ(problems_of(std::vector{whole, part}).size(), 1u);
  EXPECT_EQ(problems_of(std::vector{part, other}).size(), 2u);
  EXPECT_EQ(problems_of(std::vector{whole, part, other}).size(), 3u) << "nobody knows which of the two it is";
}

TEST(Problems, JoinAnElementUnderANameFromTheClusterWithTheSameUnderItsOwn) {
  const Finding own = of_part("a1", "logs/agent", "spec.initContainers[init].env"),
                added = of_part("b2", "logs/agent", "spec.initContainers[added].env");
  EXPECT_EQ(problems_of(std::vector{own, added}).size(), 1u);
  EXPECT_EQ(
      problems_of(std::vector{own, of_part("b2", "logs/agent", "spec.initContainers[last].env")}).size(), 2u);
  Finding again = of_part("b2", "logs/agent", "spec.initContainers[added]");
  again.value.name = "another Case";
  EXPECT_EQ(problems_of(std::vector{of_part("a1", "logs/agent", "spec.initContainers[init]"), again}).size(),
            2u)
      << "one takes a user's name, the other is added again";
}

TEST(Problems, JoinNothingByARepairThatGoesByPlacesButWhatDependsOnOrder) {
  const auto of = [](const std::string& fingerprint, const std::string& place, const std::string& symptom) {
    Finding finding = of_part(fingerprint, "logs/agent", place);
    finding.cause->symptom = symptom;
    finding.repair = cases::Repair{"look-up-by-name", "spec.containers[agent]"};
    return finding;
  };
  EXPECT_EQ(problems_of(std::vector{of("a1", "spec.containers[agent].env", "order"),
                                    of("b2", "spec.containers[agent].args", "order")})
                .size(),
            1u);
  EXPECT_EQ(problems_of(std::vector{of("a1", "spec.containers[agent].env", "order"),
                                    of("b2", "spec.volumes[x]", "agent-can-become-ready")})
                .size(),
            2u);
}

/// A problem is the same one whatever else a run found, and whatever its title says.
TEST(Problems, HaveIdsOfTheirFindingsAlone) {
  const Finding a = lost("a1", "spec.containers[*].tty"), b = lost("b2", "spec.hostUsers");
  const auto alone = problems_of(std::vector{a}), both = problems_of(std::vector{a, b});
  ASSERT_EQ(alone.size(), 1u);
  EXPECT_EQ(alone.front().ids, std::vector{problem_id(a)});
  for (const auto& problem : both)
    for (const std::string& id : problem.ids) EXPECT_TRUE(id == problem_id(a) || id == problem_id(b));
}

/// To remove a value and to replace it are two bugs.
TEST(Problems, DifferByWhatTheWebhookDoesAtThePlace) {
  const Finding gone = lost("a1", "metadata.annotations.note");
  Finding replaced = gone;
  replaced.cause->change = "replaces";
  EXPECT_NE(problem_id(gone), problem_id(replaced));
}

/// A finding in a Case of its own, with the symptom at that place.
Finding alone(const std::string& fingerprint, const std::string& property, const std::string& path,
              const std::string& symptom) {
  Finding finding{.property = property,
                  .severity = "error",
                  .webhook = "logs/logs.example.io",
                  .fingerprint = fingerprint};
  finding.value.request.namespace_name = fingerprint;
  finding.evidence.path = path;
  finding.cause = cases::Cause{.part = "", .place = path, .symptom = symptom};
  return finding;
}

/// A field that a definition's schema refuses is one defect in a Pod, in a template and in each probe.
TEST(Problems, JoinWhatOneSchemaSaysOfAField) {
  const auto refused = [](const char* fingerprint, const std::string& path, const char* must) {
    Finding finding = alone(fingerprint, "valid-spec", path, "invalid");
    finding.evidence.reason =
        path + " is refused after the call: Invalid value: \"null\": " + path + " in body must be " + must;
    return finding;
  };
  const std::vector<Finding> findings{
      refused("a1", "spec.containers[0].livenessProbe.grpc.service", "of type string: \"null\""),
      refused("b2", "spec.template.spec.containers[2].readinessProbe.grpc.service",
              "of type string: \"null\""),
      refused("c3", "spec.containers[0].livenessProbe.grpc.port", "of type integer: \"null\"")};
  EXPECT_EQ(problems_of(findings).size(), 2u);
}

TEST(Problems, JoinAllThatADryRunGetsOtherwise) {
  std::vector<Finding> findings;
  for (const char* path : {"spec.a", "spec.b", "allowed"})
    findings.push_back(alone(path, "dry-run-equal", path, "dry-run-equal"));
  EXPECT_EQ(problems_of(findings).size(), 1u);
}

}  // namespace
}  // namespace fixpoint::runner
