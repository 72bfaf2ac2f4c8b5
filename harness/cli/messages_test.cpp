#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/program_test.h"
#include "harness/golden_test.h"

/// Mistakes that people type, and the messages they get: harness/cli/golden/messages.txt is to be read.
namespace fixpoint::cli {
namespace {

/// A mistake: the command line, and the exit code of which the message is.
struct Mistake {
  std::string_view arguments;
  int code = 2;
};

/// `WEBHOOK` stands for an option with a webhook that answers; the files are those of write_files().
constexpr Mistake kMistakes[] = {
    // Names.
    {"fuz"},
    {"fuzz --sed 1"},
    {"fuzz kserve/modelcra"},
    {"fuzz kserve/modelcar@9"},
    {"fuzz nothing-like-it"},
    {"explain idempotnet"},
    {"explain nothing-like-it"},
    {"explain 0123456789ab --run nothing"},
    {"fuzz hook.yaml --webhook proxi.example.io=exec:cat"},
    {"fuzz hook.yaml WEBHOOK --limit depth_mx=3"},
    {"fuzz hook.yaml WEBHOOK --limit depth_max=x"},
    {"fuzz hook.yaml WEBHOOK --report pdf=x"},
    {"fuzz hook.yaml WEBHOOK --report html"},
    {"gate --config typo-of-key.yaml"},
    // Subjects.
    {"fuzz nothing.yaml"},
    {"fuzz pod.yaml WEBHOOK"},
    {"fuzz deployment.yaml WEBHOOK"},
    {"fuzz validating.yaml WEBHOOK"},
    {"fuzz services.yaml WEBHOOK"},
    {"fuzz for-leases.yaml WEBHOOK"},
    {"fuzz no-rules.yaml WEBHOOK"},
    {"fuzz beta.yaml WEBHOOK"},
    {"fuzz definition.yaml WEBHOOK"},
    {"fuzz hook.yaml wrong-definition.yaml WEBHOOK"},
    {"fuzz hook.yaml beta-definition.yaml WEBHOOK"},
    {"fuzz binding.yaml"},
    {"fuzz empty.yaml WEBHOOK"},
    {"fuzz comment.yaml WEBHOOK"},
    {"fuzz empty-list.yaml WEBHOOK"},
    {"fuzz kindless.yaml WEBHOOK"},
    {"fuzz - WEBHOOK"},
    {"fuzz hook.yaml hook.yaml WEBHOOK"},
    {"fuzz kust WEBHOOK"},
    {"fuzz chart WEBHOOK"},
    {"fuzz nothing-in-it WEBHOOK"},
    {"fuzz hook.yaml WEBHOOK --example hook.yaml"},
    {"fuzz hook.yaml WEBHOOK --example nothing.yaml"},
    {"fuzz hook.yaml WEBHOOK --example nothing-in-it"},
    {"fuzz hook.yaml WEBHOOK --code nothing"},
    // YAML.
    {"fuzz template.yaml WEBHOOK"},
    {"fuzz tab.yaml WEBHOOK"},
    {"fuzz open-list.yaml WEBHOOK"},
    {"fuzz open-map.yaml WEBHOOK"},
    {"fuzz other-bracket.yaml WEBHOOK"},
    {"fuzz open-quote.yaml WEBHOOK"},
    {"fuzz field.yaml WEBHOOK"},
    {"fuzz cel.yaml"},
    {"fuzz patch-type.yaml"},
    // Backends.
    {"fuzz hook.yaml"},
    {"fuzz hook.yaml --webhook proxy.example.io"},
    {"fuzz hook.yaml --webhook proxy.example.io=exec:"},
    {"fuzz hook.yaml --webhook proxy.example.io=cat"},
    {"fuzz hook.yaml --webhook proxy.example.io=http://127.0.0.1:1/"},
    {"fuzz hook.yaml --webhook proxy.example.io=https://example.com/"},
    {"fuzz hook.yaml --webhook proxy.example.io=https://127.0.0.1:1/ --ca nothing.pem"},
    {"fuzz hook.yaml --webhook proxy.example.io=https://127.0.0.1:1/ --ca pod.yaml"},
    {"fuzz hook.yaml --webhook proxy.example.io=https://127.0.0.1:1/", 3},
    {"fuzz hook.yaml WEBHOOK WEBHOOK"},
    {"fuzz hook.yaml --webhook 'proxy.example.io=exec:cd . && cat'"},
    {"fuzz hook.yaml --webhook 'proxy.example.io=exec:cat | cat'"},
    {"fuzz hook.yaml --webhook 'proxy.example.io=exec:cat 2>/dev/null'"},
    {"fuzz hook.yaml --webhook 'proxy.example.io=exec:sh -c \"cat\"'"},
    {"fuzz hook.yaml --webhook 'proxy.example.io=exec:A=1 cat'"},
    {"fuzz hook.yaml --webhook proxy.example.io=exec:./nothing", 3},
    {"fuzz hook.yaml --webhook 'proxy.example.io=exec:bash nothing.sh'", 3},
    {"fuzz hook.yaml --webhook 'proxy.example.io=exec:bash broken.sh'", 3},
    // Numbers.
    {"fuzz hook.yaml WEBHOOK --time five"},
    {"fuzz hook.yaml WEBHOOK --time 5"},
    {"fuzz hook.yaml WEBHOOK --time 99999999999h"},
    {"fuzz hook.yaml WEBHOOK --cases -5"},
    {"fuzz hook.yaml WEBHOOK --cases 1e6"},
    {"fuzz hook.yaml WEBHOOK --jobs 0"},
    {"fuzz hook.yaml WEBHOOK --seed abc"},
    {"fuzz hook.yaml WEBHOOK --shard 3/2 --seed 1"},
    {"fuzz hook.yaml WEBHOOK --shard 0/2"},
    {"fuzz hook.yaml WEBHOOK --fail-on never"},
    {"fuzz hook.yaml WEBHOOK --owns 'spec['"},
    // Runs.
    {"fuzz hook.yaml WEBHOOK --cases 1 --out full"},
    {"fuzz --resume nothing"},
    {"fuzz --resume nothing-in-it"},
    {"report nothing"},
    {"report pod.yaml"},
    {"report nothing-in-it"},
    {"replay nothing"},
    {"replay nothing-in-it"},
    {"replay pod.yaml"},
    {"corpus merge"},
    {"corpus merge nothing --out joined"},
    {"gate"},
    {"gate --accept nothing --all --reason why --until 2026-12-31"},
    {"gate --accept nothing --all --until 2026-12-31"},
    {"gate --accept nothing --all --reason why --until tomorrow"},
    // Other commands.
    {"admit pod.yaml"},
    {"admit nothing-in-it"},
    {"admit deployment.yaml"},
    {"inject peers/sidecar-guarded nothing.yaml"},
    {"inject peers/sidecar-guarded hook.yaml"},
    {"inject peers/sidecar-gaurded pod.yaml"},
    {"init"},
    {"init pod.yaml"},
    {"default hook.yaml"},
    {"validate nothing-in-it"},
    {"conform nothing"},
    {"conform pod.yaml"},
    {"conform nothing-in-it"},
    {"eval '1 +' pod.yaml"},
    {"live nothing.yaml"},
    {"shrink nothing-in-it"},
    {"serve nothing-like-it"},
    {"compare peers/sidecar-guarded"},
};

class Messages : public ProgramTest {
 protected:
  void write_files() const {
    const std::string hook = kOneWebhook;
    const std::string pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n";
    const std::string spec = "spec: {containers: [{name: a, image: a}]}\n";
    for (const char* folder : {"kust", "chart", "nothing-in-it", "full"})
      std::filesystem::create_directories(path(folder));
    write("hook.yaml", hook);
    write("hook.sh", webhook_in_bash(":"));
    write("broken.sh", "echo 'no module named flask' >&2\nexit 1\n");
    write("pod.yaml", pod + spec);
    write("deployment.yaml",
          "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {template: {" +
              spec.substr(0, spec.size() - 1) + "}}\n");
    write("validating.yaml",
          with(with(hook, "Mutating", "Validating"), "    reinvocationPolicy: IfNeeded\n", ""));
    write("services.yaml",
          "apiVersion: v1\nkind: Service\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Service\n"
          "metadata: {name: b}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n");
    write("for-leases.yaml", with(with(hook, "[\"\"]", "[coordination.k8s.io]"), "[pods]", "[leases]"));
    write("no-rules.yaml", hook.substr(0, hook.find("    rules:")));
    write("beta.yaml", with(hook, "k8s.io/v1\n", "k8s.io/v1beta1\n"));
    const std::string definition =
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
        "metadata: {name: widgets.example.io}\nspec: {group: example.io, scope: Namespaced, "
        "names: {kind: Widget, plural: widgets}, versions: [{name: v1, served: true, storage: true, "
        "schema: {openAPIV3Schema: {type: object}}}]}\n";
    write("definition.yaml", definition);
    write("wrong-definition.yaml", with(definition, "type: object", "nullable: true"));
    write("beta-definition.yaml", with(definition, "k8s.io/v1\n", "k8s.io/v1beta1\n"));
    write("binding.yaml",
          "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicyBinding\n"
          "metadata: {name: a}\nspec: {policyName: a}\n");
    write("empty.yaml", "");
    write("comment.yaml", "---\n# Source: chart/templates/webhook.yaml\n");
    write("empty-list.yaml", "apiVersion: v1\nkind: List\nitems: []\n");
    write("kindless.yaml", "replicas: 3\n");
    write("kust/kustomization.yaml", "resources: [../hook.yaml]\n");
    write("chart/Chart.yaml", "apiVersion: v2\nname: a\nversion: 0.1.0\n");
    write("full/mine.txt", "mine\n");
    write("template.yaml", "name: {{ .Values.name }}\n");
    write("tab.yaml", "kind: Pod\nmetadata:\n\tname: a\n");
    write("open-list.yaml", "kind: Pod\nspec:\n  containers: [a, b\n  volumes: []\n");
    write("open-map.yaml", pod + "spec: {containers: [{name: a\n");
    write("other-bracket.yaml", pod + "spec: {containers: [{name: a]}\n");
    write("open-quote.yaml", "kind: \"Pod\nmetadata: {}\n");
    write("field.yaml", with(hook, "operations: ", "operation: "));
    write("cel.yaml", policy("ApplyConfiguration", "Object{spec: "));
    write("patch-type.yaml", policy("Merge", "Object{}"));
    write("typo-of-key.yaml", "apiVersion: fixpoint/v1\nkind: Policy\nsubject: [hook.yaml]\n");
  }

  static std::string with(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  }

  static std::string policy(const std::string& type, const std::string& expression) {
    return "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicy\nmetadata: {name: a}\n"
           "spec:\n  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: "
           "[CREATE], "
           "resources: [pods]}]}\n  reinvocationPolicy: Never\n  mutations:\n    - patchType: " +
           type + "\n      applyConfiguration: {expression: '" + expression +
           "'}\n---\napiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicyBinding\n"
           "metadata: {name: a}\nspec: {policyName: a}\n";
  }

  Outcome type(std::string_view arguments) const {
    std::string line(arguments);
    for (auto at = line.find("WEBHOOK"); at != std::string::npos; at = line.find("WEBHOOK"))
      line.replace(at, 7, "--webhook 'proxy.example.io=exec:bash hook.sh'");
    return run(line, path("corpus"));
  }
};

/// Each is reported in one line that names what was found, what is expected, or what to do; what a program
/// wrote to its standard error, and the place in an expression, stand in lines beside it.
TEST_F(Messages, SayWhatWasFoundAndWhatToDo) {
  write_files();
  std::string all;
  for (const Mistake& mistake : kMistakes) {
    const Outcome reported = type(mistake.arguments);
    EXPECT_EQ(reported.code, mistake.code) << mistake.arguments << "\n" << reported.out << reported.err;
    EXPECT_EQ(reported.out, "") << mistake.arguments;
    const auto lines = std::count(reported.err.begin(), reported.err.end(), '\n');
    EXPECT_GE(lines, 1) << mistake.arguments;
    for (const char* vague :
         {"errno", "terminate called", "exception", "events.ndjson: No", "checkpoint.json: No"})
      EXPECT_EQ(reported.err.find(vague), std::string::npos) << mistake.arguments << "\n" << reported.err;
    all.append("$ fixpoint ").append(mistake.arguments).append("\n" + reported.err);
    all += "exit " + std::to_string(reported.code) + "\n\n";
  }
  expect_golden("harness/cli/golden/messages.txt", all);
}

/// Unusual arguments that are no mistakes.
TEST_F(Messages, AreNotReportedWhereNothingIsWrong) {
  write_files();
  const std::string hook = kOneWebhook;
  std::string crlf = hook;
  for (auto at = crlf.find('\n'); at != std::string::npos; at = crlf.find('\n', at + 2))
    crlf.insert(at, "\r");
  write("crlf.yaml", crlf);
  write("bom.yaml", "\xEF\xBB\xBF" + hook);
  write("grüße.yaml", hook);
  std::filesystem::create_directories(path("plain"));
  write("plain/hook.yaml", hook);
  write("plain/pod.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n");
  write("plain/README.md", "# mine\n");
  for (const char* file : {"crlf.yaml", "bom.yaml", "grüße.yaml", "plain", "plain/"}) {
    const auto ran = type("fuzz " + std::string(file) + " WEBHOOK --seed 1 --cases 3");
    EXPECT_EQ(ran.code, 3) << file << ran.err;  // it allows everything, so nothing is proved
    EXPECT_NE(ran.out.find("hooks: seed 1, 3 Cases"), std::string::npos) << ran.out;
  }
  EXPECT_NE(read("err").find("plain/: Pod a is passed over; Pods to begin with are taken by --example\n"),
            std::string::npos)
      << read("err");
  EXPECT_EQ(type("fuzz hook.yaml WEBHOOK --seed 1 --cases 3 -q").out, "");
  EXPECT_EQ(type("-v").out, type("--version").out);
}

}  // namespace
}  // namespace fixpoint::cli
