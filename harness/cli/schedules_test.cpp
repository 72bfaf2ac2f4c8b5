#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <span>
#include <sstream>

#include "harness/cli/work_folder_model.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "harness/patterns_model.h"

namespace fixpoint::cli {
namespace {

namespace files = std::filesystem;
using document::Value;

std::vector<Value> read_yaml_file(const std::string& path) {
  auto documents = document::read_file(FIXPOINT_SOURCE "/" + path, {}, document::Strictness::foreign);
  EXPECT_TRUE(documents) << documents.error().text();
  return documents ? *documents : std::vector<Value>();
}

std::string source(const std::string& path) {
  return document::read_text_file(FIXPOINT_SOURCE "/" + path).value();
}

/// A text of shell commands, and its place in a file.
struct Script {
  std::string place, shell, text;
};

/// Collects the scripts under `run`, and the arguments of containers that run `sh -c`.
void collect(std::vector<Script>& found, const Value& value, const std::string& place) {
  if (value["run"].is_string()) found.push_back({place, "bash", std::string(value["run"].text())});
  const auto command = value["command"].elements();
  if (command.size() == 2 && command[0].text() == "/bin/sh" && command[1].text() == "-c")
    found.push_back({place, "sh", std::string(value["args"].elements()[0].text())});
  for (const Value& element : value.elements()) collect(found, element, place);
  for (const auto& member : value.members()) collect(found, member.value, place);
}

constexpr const char* kWorkflows[] = {".github/workflows/ci.yaml", ".github/workflows/nightly.yaml",
                                      ".github/workflows/release.yaml", ".github/actions/gate/action.yaml"};
constexpr const char* kClusters[] = {".ci/job.yaml", ".ci/cronjob.yaml"};
/// To copy, for a webhook of one's own.
constexpr const char* kOfUsers[] = {"docs/night/job.yaml", "docs/night/cronjob.yaml"};
constexpr const char* kScripts[] = {".clusterfuzzlite/build.sh",
                                    ".ci/run",
                                    ".ci/nightly",
                                    ".ci/make-release",
                                    ".ci/mutants",
                                    ".ci/try-release",
                                    "fixpoint",
                                    "corpus/conformance/apiserver/build",
                                    "corpus/conformance/bench",
                                    "corpus/conformance/definitions",
                                    "corpus/conformance/record",
                                    "corpus/released/run",
                                    "harness/webhooks/adapters/go/build"};

std::vector<Script> scripts() {
  std::vector<Script> all;
  for (const auto& group : {std::span<const char* const>(kWorkflows), std::span<const char* const>(kClusters),
                            std::span<const char* const>(kOfUsers)}) {
    for (const char* path : group) {
      for (const Value& document : read_yaml_file(path)) collect(all, document, path);
    }
  }
  for (const char* path : kScripts) all.push_back({path, "bash", source(path)});
  static const std::string kRunLine("\nRUN ([^\n]+)");
  for (const char* path : {".ci/Containerfile", ".clusterfuzzlite/Dockerfile"}) {
    const std::string text = source(path);
    for (const auto& match : all_found(text, kRunLine))
      all.push_back({path, "sh", std::string(match[1]) + "\n"});
  }
  return all;
}

class Schedules : public testing::Test {
 protected:
  WorkFolder::Ran run(const std::string& line) const {
    return folder_.run(FIXPOINT_PROGRAM, FIXPOINT_SOURCE "/corpus", line);
  }
  const WorkFolder folder_{"schedules"};
};

TEST_F(Schedules, EveryScriptIsWellFormed) {
  const auto all = scripts();
  EXPECT_GE(all.size(), 12u) << "of two workflows, three Jobs, two images, three files";
  const bool has_shellcheck = folder_.shell("command -v shellcheck").code == 0;
  for (const Script& script : all) {
    folder_.write("script", script.text);
    const auto read = folder_.shell("bash -n script");
    EXPECT_EQ(read.code, 0) << script.place << ": " << read.err << script.text;
    if (!has_shellcheck) continue;
    const auto checked = folder_.shell("shellcheck -s " + script.shell + " script");
    EXPECT_EQ(checked.code, 0) << script.place << ":\n" << checked.out;
  }
  if (!has_shellcheck) GTEST_SKIP() << "read by bash, not by shellcheck, which is not there";
}

/// The recipe of the image, read without a builder.
TEST_F(Schedules, TheImagesRecipeNeedsNoBaseAndNoRoot) {
  std::string user, last;
  static const std::string kInstruction("(?:^|\n)([A-Z]+) ([^\n]+)");
  const std::set<std::string> known{"FROM", "COPY", "WORKDIR", "ENV", "USER", "ENTRYPOINT"};
  for (const auto& match : all_found(source(".ci/Containerfile"), kInstruction)) {
    last = match[1];
    EXPECT_TRUE(known.contains(last)) << last;
    if (last == "USER") user = match[2];
    if (last != "FROM") continue;
    EXPECT_EQ(match[2], "scratch") << "nothing is pulled";
  }
  EXPECT_TRUE(!user.empty() && user[0] != '0' && std::isdigit(static_cast<unsigned char>(user[0])) != 0)
      << "a cluster sees by a number that it is not root: " << user;
  EXPECT_EQ(last, "ENTRYPOINT");
}

/// The archive that .ci/make-release writes has the OCI image layout: index, manifest and configuration.
TEST_F(Schedules, TheImageIsAnOciArchiveWhereABuilderIs) {
  if (folder_.shell("command -v buildah && command -v tar").code != 0)
    GTEST_SKIP() << "no buildah: the recipe is only read";
  const auto built =
      folder_.shell("mkdir -p root/opt/fixpoint/bin layout && cp " FIXPOINT_PROGRAM
                    " root/opt/fixpoint/bin/fixpoint && "
                    "own='buildah --root storage --runroot run --storage-driver vfs' && "
                    "$own build -q --timestamp 0 -f " FIXPOINT_SOURCE
                    "/.ci/Containerfile -t fixpoint-of-a-test root && "
                    "$own push -q fixpoint-of-a-test oci-archive:image.tar && tar -xf image.tar -C layout");
  ASSERT_EQ(built.code, 0) << built.out << built.err;
  const auto read = [&](const std::string& path) {
    return document::read_json(folder_.read("layout/" + path)).value();
  };
  const auto blob = [&](const Value& descriptor) {
    return read(replaced("blobs/" + std::string(descriptor["digest"].text()), ":", "/"));
  };
  EXPECT_EQ(read("oci-layout")["imageLayoutVersion"].text(), "1.0.0");
  const Value manifest = blob(read("index.json")["manifests"].at(0));
  EXPECT_EQ(manifest["layers"].size(), 1U);
  const Value config = blob(manifest["config"])["config"];
  EXPECT_EQ(config["Entrypoint"].at(0).text(), "fixpoint");
  EXPECT_EQ(config["User"].text(), "65532:65532");
  EXPECT_EQ(config["WorkingDir"].text(), "/runs");
}

TEST_F(Schedules, EveryCommandAndOptionInThemExists) {
  const std::string usage = run("--help").out, script = source("fixpoint");
  static const std::string kCall(
      "(?:^|[\\s\"])(?:\\./)?fixpoint ([a-z][a-z-]*)(?: "
      "(add|list|merge|minimise|verify|bugs|cases|strangers))?([^\n&|;]*)");
  static const std::string kOption(" (--[a-z-]+)");
  std::set<std::string> met;
  for (const Script& one : scripts()) {
    if (one.place == "fixpoint") continue;
    const std::string text = replaced(one.text, "\\\\\n *", " ");
    for (const auto& match : all_found(text, kCall)) {
      const std::string command = match[1], sub = match[2], rest = match[3];
      met.insert(command);
      const bool is_of_script = script.find("\n  " + command + ")\n") != std::string::npos;
      EXPECT_TRUE(is_of_script || usage.find("\n  " + command + " ") != std::string::npos)
          << one.place << ": " << match[0];
      if (is_of_script) continue;
      const std::string help = run(command + " " + sub + " --help").out;
      for (const auto& option : all_found(rest, kOption)) {
        EXPECT_NE(help.find(option[1] + " "), std::string::npos) << one.place << ": " << match[0];
        met.insert(option[1]);
      }
    }
  }
  for (const char* name :
       {"fuzz", "corpus", "test", "fuzz-targets", "--shard", "--resume", "--out", "bench", "--json"})
    EXPECT_TRUE(met.contains(name)) << name << " is in none: the reader reads nothing";
}

/// Collects every Pod template below `value`, as a Pod.
void collect_pods(std::vector<Value>& pods, const Value& value) {
  if (value["template"]["spec"].is_object()) {
    Value pod = value["template"];
    pod.set("apiVersion", "v1");
    pod.set("kind", "Pod");
    pod.edit("metadata").set("name", "from-template");
    pods.push_back(std::move(pod));
  }
  for (const auto& member : value.members()) collect_pods(pods, member.value);
}

TEST_F(Schedules, EveryPodTemplateIsValid) {
  std::vector<Value> pods;
  for (const auto& group : {std::span<const char* const>(kClusters), std::span<const char* const>(kOfUsers)})
    for (const char* path : group)
      for (const Value& document : read_yaml_file(path)) collect_pods(pods, document);
  ASSERT_EQ(pods.size(), 6u);
  for (const Value& pod : pods) {
    folder_.write("pod.json", document::write_json(pod));
    const auto checked = run("validate pod.json");
    EXPECT_EQ(checked.code, 0) << checked.out << checked.err;
    Value broken = pod;
    broken.edit("spec").set("restartPolicy", "Sometimes");
    folder_.write("broken.json", document::write_json(broken));
    EXPECT_EQ(run("validate broken.json").code, 1) << "or nothing is looked at";
  }
}

TEST_F(Schedules, TheShardIsTheCompletionIndexAndTheirNumberThatOfTheCompletions) {
  for (const char* path : kClusters) {
    std::vector<Value> specs;
    for (const Value& document : read_yaml_file(path)) {
      const Value& spec = document["spec"];
      specs.push_back(spec["jobTemplate"].is_object() ? spec["jobTemplate"]["spec"] : spec);
    }
    const auto indexed = std::find_if(specs.begin(), specs.end(), [](const Value& spec) {
      return spec["completionMode"].text() == "Indexed";
    });
    ASSERT_NE(indexed, specs.end()) << path;
    std::vector<Script> found;
    collect(found, *indexed, path);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NE(found[0].text.find("--shard \"$JOB_COMPLETION_INDEX/" +
                                 std::string((*indexed)["completions"].text()) + "\""),
              std::string::npos)
        << found[0].text;
  }
  const std::string nightly = source(kWorkflows[1]);
  EXPECT_NE(nightly.find("shard: [0, 1, 2, 3, 4, 5, 6, 7]"), std::string::npos);
  EXPECT_NE(nightly.find("--shard \"$SHARD/8\""), std::string::npos);
}

/// Runs the script of the Job's Pods, as a small run in the test's folder.
TEST_F(Schedules, TheJobsScriptRunsResumesAndItsRunsJoin) {
  std::vector<Script> found;
  for (const Value& document : read_yaml_file(".ci/job.yaml")) collect(found, document, "job");
  ASSERT_EQ(found.size(), 2u);
  const auto local = [&](std::string text) {
    text = replaced(text, "/runs", folder_.path("runs"));
    text = replaced(text, "--time 30m", "--cases 40");
    text = replaced(text, "fixpoint (fuzz|corpus)", FIXPOINT_PROGRAM " $1");
    return "export FIXPOINT_CORPUS=" FIXPOINT_SOURCE "/corpus\n" + text;
  };
  folder_.write("shard.sh", local(found[0].text));
  folder_.write("merge.sh", local(found[1].text));
  for (int index = 0; index < 8; ++index) {
    const auto ran = folder_.shell("JOB_COMPLETION_INDEX=" + std::to_string(index) + " sh shard.sh");
    ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  }
  const std::string events = folder_.read("runs/once/3/events.ndjson");
  EXPECT_EQ(folder_.shell("rm runs/once/3/run.json; JOB_COMPLETION_INDEX=3 sh shard.sh").code, 0);
  EXPECT_EQ(timeless(folder_.read("runs/once/3/events.ndjson")), timeless(events)) << "it goes on";
  const auto merged = folder_.shell("sh merge.sh");
  EXPECT_NE(merged.out.find("8 runs joined"), std::string::npos) << merged.out << merged.err;
  EXPECT_NE(merged.out.find(" 320 Cases in "), std::string::npos) << merged.out;
}

/// Runs the scripts of docs/night with a webhook of this process in the place of the one behind HTTPS.
TEST_F(Schedules, AUsersNightFindsAndJoins) {
  constexpr const char* kCareless = R"(apiVersion: fixpoint/v1
kind: Subject
name: careless
webhooks: {careless/my.hook.io: {script: [{patch: [{op: add, path: /spec/volumes, value: []}]}]}}
configuration:
  apiVersion: admissionregistration.k8s.io/v1
  kind: MutatingWebhookConfiguration
  metadata: {name: careless}
  webhooks:
    - {name: my.hook.io, admissionReviewVersions: [v1], sideEffects: None,
       rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}
)";
  folder_.write("manifest.yaml", kCareless);
  const auto local = [&](std::string text) {
    text = replaced(text, "/manifests/", folder_.path(""));
    text = replaced(text, "/runs", folder_.path("runs"));
    text = replaced(text, "--time [0-9]+m", "--cases 40");
    text = replaced(text, "--webhook my.hook.io=[^ ]* --ca [^ ]*", "");
    return "export FIXPOINT_CORPUS=none\n" + replaced(text, "fixpoint (fuzz|corpus)", FIXPOINT_PROGRAM " $1");
  };
  std::vector<Script> job, night;
  for (const Value& document : read_yaml_file(kOfUsers[0])) collect(job, document, "job");
  for (const Value& document : read_yaml_file(kOfUsers[1])) collect(night, document, "night");
  ASSERT_EQ(job.size(), 2u);
  ASSERT_EQ(night.size(), 1u);
  folder_.write("shard.sh", local(job[0].text));
  folder_.write("merge.sh", local(job[1].text));
  folder_.write("night.sh", local(night[0].text));
  for (int index = 0; index < 4; ++index) {
    const auto ran = folder_.shell("JOB_COMPLETION_INDEX=" + std::to_string(index) + " sh shard.sh");
    ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  }
  const auto merged = folder_.shell("sh merge.sh");
  EXPECT_EQ(merged.code, 1) << merged.err;
  EXPECT_NE(merged.out.find("4 runs joined"), std::string::npos) << merged.out;
  EXPECT_NE(merged.out.find("ERROR  "), std::string::npos) << merged.out;
  const auto one = folder_.shell("sh night.sh; ls runs/history.ndjson runs/*.html");
  EXPECT_EQ(one.code, 0) << one.out << one.err;
  EXPECT_NE(one.out.find("ERROR  "), std::string::npos) << one.out;
}

/// pre-commit runs the entry with its arguments and the names of files.
TEST_F(Schedules, TheHooksOfPreCommitRun) {
  folder_.write("policy.yaml", R"(apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: mesh}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  reinvocationPolicy: IfNeeded
  mutations:
    - patchType: JSONPatch
      jsonPatch: {expression: '[JSONPatch{op: "add", path: "/spec/containers/-",
        value: Object.spec.containers{name: "mesh", image: "mesh:1"}}]'}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: mesh}
spec: {policyName: mesh}
)");
  folder_.write("fixpoint.yaml",
                "apiVersion: fixpoint/v1\nkind: Policy\nsubjects: [policy.yaml]\nbudget: {cases: 200}\n");
  const Value hooks = read_yaml_file(".pre-commit-hooks.yaml").front();
  ASSERT_EQ(hooks.size(), 2u);
  for (const Value& hook : hooks.elements()) {
    EXPECT_TRUE(files::exists(FIXPOINT_SOURCE "/" + std::string(hook["entry"].text())));
    std::string line;
    for (const Value& argument : hook["args"].elements()) line += std::string(argument.text()) + " ";
    const bool has_files = hook["pass_filenames"].is_null();
    EXPECT_EQ(run(line + (has_files ? "policy.yaml" : "")).code, 1) << line;
  }
}

TEST_F(Schedules, TheReleasedWebhooksAreListedWithoutGo) {
  const auto listed = folder_.shell("PATH=/usr/bin:/bin bash " FIXPOINT_SOURCE "/corpus/released/run --list");
  EXPECT_EQ(listed.code, 0) << listed.err;
  EXPECT_NE(listed.out.find("vault github.com/hashicorp/vault-k8s v1."), std::string::npos) << listed.out;
}

/// A runner may put a name out of a manifest into a script in place of an expression.
bool is_injectable(const std::string& script) { return script.find("${{") != std::string::npos; }

TEST_F(Schedules, NothingForeignIsPutIntoAScript) {
  int seen = 0;
  for (const char* path : {".github/workflows/release.yaml", ".github/actions/gate/action.yaml"}) {
    std::vector<Script> found;
    for (const Value& document : read_yaml_file(path)) collect(found, document, path);
    for (const Script& script : found) {
      ++seen;
      EXPECT_FALSE(is_injectable(script.text)) << script.place << "\n" << script.text;
    }
  }
  EXPECT_GE(seen, 6);
  EXPECT_TRUE(is_injectable("echo ${{ inputs.policy }}"));
}

TEST(Contributing, NamesFilesThatAreThere) {
  static const std::string kPath(
      "`((?:harness|generators|injectors|corpus|reports|\\.ci)/[A-Za-z0-9_./-]+)`");
  std::size_t met = 0;
  for (const char* page : {"CONTRIBUTING.md", "README.md"}) {
    const std::string text = source(page);
    const auto paths = all_found(text, kPath);
    met += paths.size();
    for (const auto& match : paths)
      EXPECT_TRUE(files::exists(FIXPOINT_SOURCE "/" + match[1])) << page << ": " << match[1];
  }
  EXPECT_GE(met, 10u);
}

TEST(Docs, BuildWithoutAWarning) {
  const WorkFolder folder("docs");
  if (folder.shell("command -v doxygen").code != 0) GTEST_SKIP() << "there is no doxygen";
  const auto built =
      folder.shell("docs=$PWD; cd " FIXPOINT_SOURCE " && FIXPOINT_DOCS=$docs doxygen .ci/Doxyfile");
  EXPECT_EQ(built.code, 0) << built.err;
  EXPECT_EQ(built.err, "");
  EXPECT_TRUE(files::exists(folder.path("html/index.html")));
}

}  // namespace
}  // namespace fixpoint::cli
