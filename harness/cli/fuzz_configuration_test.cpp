#include <gtest/gtest.h>

#include <string>

#include "harness/cli/program_test.h"

namespace fixpoint::cli {
namespace {

constexpr const char* kPolicy = R"(apiVersion: fixpoint/v1
kind: Policy
subjects: [hook.yaml]
webhooks: ['proxy.example.io=exec:bash hook.sh']
examples: [pod.yaml]
owns: [metadata.labels]
budget: {cases: 5}
profiles:
  ci: {budget: {cases: 7}, failOn: warning}
  night: {budget: {time: 60m}}
)";

class FuzzConfiguration : public ProgramTest {
 protected:
  void write_files() const {
    write("hook.yaml", kOneWebhook);
    write("hook.sh", webhook_in_bash(":"));
    write("pod.yaml",
          "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: a}]}\n");
    write("fixpoint.yaml", kPolicy);
  }
  Outcome fuzz(const std::string& arguments) const { return run("fuzz " + arguments, path("corpus")); }
  /// Returns true if the run drew so many Cases and named this file in its first line.
  static bool ran(const Outcome& reported, const std::string& named, int cases) {
    return reported.code == 3 && reported.out.starts_with(named + "seed ") &&
           reported.out.find(", " + std::to_string(cases) + " Cases in ") != std::string::npos;
  }
};

/// The command line comes before the profile, the profile before the file.
TEST_F(FuzzConfiguration, IsReadWhereNoSubjectIsNamed) {
  write_files();
  const auto file = fuzz("--allow-exec");
  EXPECT_TRUE(ran(file, "fixpoint.yaml: ", 5)) << file.out << file.err;
  const auto profile = fuzz("--profile ci --allow-exec");
  EXPECT_TRUE(ran(profile, "fixpoint.yaml, profile ci: ", 7)) << profile.out << profile.err;
  EXPECT_NE(read("run/events.ndjson").find("\"failOn\":\"warning\""), std::string::npos);
  const auto line = fuzz("--profile ci --allow-exec --cases 9");
  EXPECT_TRUE(ran(line, "fixpoint.yaml, profile ci: ", 9)) << line.out << line.err;
  const auto night = fuzz("--profile night --allow-exec --cases 3 --time 50s");
  EXPECT_TRUE(ran(night, "fixpoint.yaml, profile night: ", 3)) << night.out << night.err;
  EXPECT_TRUE(ran(fuzz("--resume run --allow-exec --cases 11"), "", 11)) << read("out") << read("err");
}

TEST_F(FuzzConfiguration, IsLeftAloneWhereASubjectIsNamed) {
  write_files();
  const auto named = fuzz("hook.yaml --webhook 'proxy.example.io=exec:bash hook.sh' --cases 4");
  EXPECT_TRUE(ran(named, "", 4)) << named.out << named.err;
  const auto with = fuzz("hook.yaml --config fixpoint.yaml --allow-exec");
  EXPECT_TRUE(ran(with, "fixpoint.yaml: ", 5)) << with.out << with.err;
  const auto other = fuzz("--webhook 'proxy.example.io=exec:bash hook.sh'");
  EXPECT_TRUE(ran(other, "fixpoint.yaml: ", 5)) << "the command line's own command runs" << other.err;
}

/// A file that somebody else wrote starts no program by itself.
TEST_F(FuzzConfiguration, StartsNoCommandByItself) {
  write_files();
  const auto refused = fuzz("");
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.err,
            "fixpoint: fixpoint.yaml: --webhook proxy.example.io: exec: a command that a file names "
            "runs only with --allow-exec\n");
  const auto unknown = fuzz("--profile nigth --allow-exec");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(
      unknown.err.find("fixpoint.yaml:8:1: /profiles: there is no profile \"nigth\": there are ci, night"),
      std::string::npos)
      << unknown.err;
  const auto missing = fuzz("--config other.yaml");
  EXPECT_NE(missing.err.find("other.yaml: there is no such policy"), std::string::npos) << missing.err;
  write("fixpoint.yaml", std::string(kPolicy) + "  bad: {buget: {}}\n");
  EXPECT_NE(fuzz("").err.find("/profiles/bad/buget: unknown field (did you mean \"budget\"?)"),
            std::string::npos)
      << read("err");
}

}  // namespace
}  // namespace fixpoint::cli
