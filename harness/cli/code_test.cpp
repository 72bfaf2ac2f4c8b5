#include <string>

#include "harness/cli/program_test.h"

namespace fixpoint::cli {
namespace {

constexpr const char* kFuzz =
    "fuzz hooks.yaml --webhook 'proxy.example.io=exec:bash hook.sh' --seed 1 --cases 8 --jobs 1 ";

/// A webhook whose program says nothing, with its sources beside it.
class Code : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("hooks.yaml", kOneWebhook);
    write("hook.sh", webhook_in_bash(""));
    std::filesystem::create_directories(folder_ / "src/samples");
    write("src/keys.go", "package keys\nconst Mode = \"agent.example.com/mode\"\n");
    write("src/hook.go", "package hook\n\nif pod.Labels[keys.Mode] == \"strict\" { return }\n");
    write("src/samples/pod.yaml",
          "apiVersion: v1\nkind: Pod\nmetadata: {name: a, labels: {agent.example.com/mode: gold}}\n"
          "spec: {containers: [{name: a, image: x}]}\n");
  }
};

TEST_F(Code, IsLearnedAndSaid) {
  const Outcome said = run(std::string(kFuzz) + "--code src", "");
  EXPECT_NE(said.out.find("learned: label agent.example.com/mode = strict | gold"), std::string::npos)
      << said.out;
  EXPECT_NE(said.out.find(", from src/hook.go:3\n"), std::string::npos) << said.out;
  EXPECT_NE(said.err.find("takes an example out of the sources: src/samples/pod.yaml"), std::string::npos)
      << said.err;
  const std::string events = read("run/events.ndjson");
  EXPECT_NE(events.find("\"learned\":{\"hooks\":\""), std::string::npos);
  EXPECT_EQ(run(std::string(kFuzz), "").out.find("agent.example.com"), std::string::npos)
      << "nobody names it";
}

TEST_F(Code, OfAnotherVersionIsNoneOfTheRun) {
  run(std::string(kFuzz) + "--code src", "");
  EXPECT_EQ(run("fuzz --resume run --cases 16 --allow-exec", "").code, 3) << "the same sources";
  write("src/keys.go", "package keys\nconst Mode = \"agent.example.com/other\"\n");
  const Outcome refused = run("fuzz --resume run --cases 24 --allow-exec", "");
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("run: the program or its sources are not those that the run began with"),
            std::string::npos)
      << refused.err;
}

TEST_F(Code, IsAFolder) {
  const Outcome missing = run(std::string(kFuzz) + "--code nowhere", "");
  EXPECT_EQ(missing.code, 2);
  EXPECT_NE(missing.err.find("nowhere: there is no such folder"), std::string::npos) << missing.err;
  const Outcome file = run(std::string(kFuzz) + "--code hook.sh", "");
  EXPECT_EQ(file.code, 2);
  EXPECT_NE(file.err.find("hook.sh: expected a folder of sources, found a file"), std::string::npos)
      << file.err;
}

TEST_F(Code, IsNamedByASubjectOrAPolicy) {
  write("policy.yaml",
        "apiVersion: fixpoint/v1\nkind: Policy\nsubjects: [hooks.yaml]\ncode: [none]\n"
        "webhooks: ['proxy.example.io=exec:bash hook.sh']\nbudget: {cases: 8}\n");
  const Outcome said = run("gate --config policy.yaml --allow-exec", "");
  EXPECT_EQ(said.code, 2);
  EXPECT_NE(said.err.find("policy.yaml:4:8: /code/0: none: there is no such folder"), std::string::npos)
      << said.err;
}

/// A chart mounts its ConfigMaps into the webhook, which reads its keys from there.
TEST_F(Code, IsAlsoWhatAChartMounts) {
  write("hooks.yaml", std::string(kOneWebhook) +
                          "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n"
                          "data: {config.yaml: 'labels: {agent.example.com/mounted: gold}'}\n");
  const Outcome said = run(kFuzz, "");
  EXPECT_NE(said.out.find("learned: label agent.example.com/mounted = gold"), std::string::npos) << said.out;
  EXPECT_NE(said.out.find(", from ConfigMap settings/config.yaml:1\n"), std::string::npos) << said.out;
}

TEST_F(Code, SaysWhatWasTriedWithoutAVerdict) {
  const Outcome said = run(std::string(kFuzz) + "--code src", "");
  EXPECT_NE(said.out.find("tried:  agent.example.com/mode"), std::string::npos) << said.out;
  EXPECT_NE(said.out.find("help:   "), std::string::npos) << said.out;
}

}  // namespace
}  // namespace fixpoint::cli
