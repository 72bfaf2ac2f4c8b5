#include <string>

#include "harness/cli/program_test.h"
#include "harness/document/json.h"

namespace fixpoint::cli {
namespace {

using document::Value;

/// Returns a Subject whose script adds a volume to each Pod for which the condition `when` holds; `more` adds
/// members to the webhook.
std::string subject_of(const std::string& webhook, const std::string& when, const std::string& more = "") {
  return R"(apiVersion: fixpoint/v1
kind: Subject
name: stranger
)" + more +
         R"(configuration:
  apiVersion: admissionregistration.k8s.io/v1
  kind: MutatingWebhookConfiguration
  metadata: {name: stranger}
  webhooks:
    - name: inject.example.io
      admissionReviewVersions: [v1]
      sideEffects: None
      rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
)" + webhook +
         R"(webhooks:
  stranger/inject.example.io:
    script:
      - {when: )" +
         when + R"(, patch: [{op: add, path: /spec/schedulerName, value: mine}]}
)";
}

class Acting : public ProgramTest {
 protected:
  /// Returns the share of Cases in which the subject acted.
  double share(const std::string& arguments, int cases = 300) const {
    const Outcome done =
        run("fuzz " + arguments + " --seed 5 --json --jobs 1 --cases " + std::to_string(cases), "");
    const auto last = done.out.rfind("{\"event\":\"stop\"");
    EXPECT_NE(last, std::string::npos) << done.out << done.err;
    if (last == std::string::npos) return 0;
    const Value stop = document::read_json(done.out.substr(last)).value();
    const double acted = stop["acted"].members().front().value.real().value();
    return acted / stop["cases"].real().value();
  }
};

constexpr const char* kAlways = "{not: {equals: {path: /spec/schedulerName, value: mine}}}";
TEST_F(Acting, IsReachedFromTheConfiguration) {
  write("field.yaml", subject_of("      matchConditions: [{name: a, expression: "
                                 "\"object.spec.serviceAccountName == 's3-reader'\"}]\n",
                                 kAlways));
  EXPECT_GT(share("field.yaml"), 0.5);
  write("space.yaml", subject_of("      namespaceSelector: {matchLabels: {mesh: enabled}}\n", kAlways));
  EXPECT_GT(share("space.yaml"), 0.5);
}

/// An example brings the objects that the server needs beside the Pod: a ServiceAccount, a PriorityClass.
TEST_F(Acting, IsReachedFromAnExample) {
  // The vocabulary learns no path from this script: its condition is on a container's image.
  write("image.yaml", subject_of("", "{equals: {path: /spec/containers/0/image, value: \"special:1\"}}"));
  write("pod.yaml", R"(apiVersion: apps/v1
kind: Deployment
metadata: {name: shop, namespace: team-a}
spec:
  template:
    metadata: {labels: {tier: gold}, annotations: {agent.example.com/inject: "yes"}}
    spec:
      serviceAccountName: reader
      priorityClassName: high
      containers: [{name: app, image: "special:1"}]
)");
  EXPECT_LT(share("image.yaml"), 0.02);
  const double with_example = share("image.yaml --example pod.yaml");
  EXPECT_GT(with_example, 0.15) << "a quarter of the Cases are drawn around it";
}

/// A run on Deployments and Services names those that the simulator does not know.
TEST_F(Acting, NamesTheKindsThatAreNotValidated) {
  std::string hook = subject_of("", "{absent: /metadata/labels}");
  const std::string pods = "apiGroups: [\"\"], apiVersions: [v1], operations: [CREATE], resources: [pods]";
  hook.replace(hook.find(pods), pods.size(),
               "apiGroups: [\"\", apps], apiVersions: [v1], operations: [CREATE], "
               "resources: [deployments, services]");
  write("hook.yaml", hook);
  write("service.yaml",
        "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {ports: [{port: 80}]}\n---\n"
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {selector: {matchLabels: {a: b}}, "
        "template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}}\n");
  const Outcome done = run("fuzz hook.yaml --example service.yaml --seed 5 --cases 40 --jobs 1", "");
  EXPECT_NE(done.err.find("not validated: Service, whose metadata alone are validated here"),
            std::string::npos)
      << done.out << done.err;
  EXPECT_EQ(done.err.find("not validated: Deployment"), std::string::npos) << done.err;
}

TEST_F(Acting, BeginsWithEachExampleAsItIs) {
  write("one.yaml", subject_of("", "{equals: {path: /metadata/name, value: first}}"));
  write("two.yaml", subject_of("", "{equals: {path: /metadata/name, value: second}}"));
  std::filesystem::create_directories(path("pods"));
  for (const char* name : {"first", "second"}) {
    write("pods/" + std::string(name) + ".yaml", "kind: Pod\nmetadata: {name: " + std::string(name) +
                                                     "}\nspec: {containers: [{name: a, image: b}]}\n");
  }
  for (const char* subject : {"one.yaml", "two.yaml"}) {
    const Outcome done =
        run("fuzz " + std::string(subject) + " --example pods --seed 5 --cases 2 --json --jobs 1", "");
    EXPECT_NE(done.out.find(R"("acted":{"stranger":1})"), std::string::npos) << done.out << done.err;
  }
}

/// A run begins with the seeds of the corpus, as `corpus --help` promises.
TEST_F(Acting, BeginsWithTheSeedsOfTheCorpus) {
  write("hook.yaml", subject_of("", "{equals: {path: /spec/hostname, value: far}}"));
  write("pod.yaml",
        "kind: Pod\nmetadata: {name: a}\nspec: {hostname: far, containers: [{name: a, image: b}]}\n");
  ASSERT_EQ(run("corpus add pod.yaml", "").code, 0);
  const Outcome done = run("fuzz hook.yaml --seed 5 --cases 1 --json --jobs 1", "");
  EXPECT_NE(done.out.find(R"("acted":{"stranger":1})"), std::string::npos) << done.out << done.err;
}

TEST_F(Acting, IsReachedFromTheTriggersOfASubject) {
  const std::string condition = "{equals: {path: /spec/containers/0/imagePullPolicy, value: Never}}";
  write("bare.yaml", subject_of("", condition));
  write("known.yaml",
        subject_of("", condition, "triggers: {fields: {\"spec.containers[*].imagePullPolicy\": [Never]}}\n"));
  EXPECT_LT(share("bare.yaml"), 0.3);
  EXPECT_GT(share("known.yaml"), 0.5);
  write("wrong.yaml", subject_of("", condition, "triggers: {labels: {a: b}}\n"));
  const Outcome refused = run("fuzz wrong.yaml --cases 1", "");
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.err,
            "fixpoint: wrong.yaml: document 1: /triggers/labels/a: expected a list, found a string\n");
}

TEST_F(Acting, RefusesExamplesThatAreNone) {
  write("hook.yaml", subject_of("", kAlways));
  write("service.yaml", "kind: Service\n");
  for (const char* command : {"fuzz hook.yaml", "advise hook.yaml", "compare hook.yaml hook.yaml"}) {
    const Outcome refused = run(std::string(command) + " --example service.yaml", "");
    EXPECT_EQ(refused.code, 2) << command;
    EXPECT_EQ(refused.err,
              "fixpoint: --example: service.yaml: expected an object, such as a Pod or a workload with a Pod "
              "template, found none\n");
  }
}

/// A webhook in Python that denies a Pod for one missing thing after another; each denial names it.
constexpr const char* kDenying = R"(import json, sys
for line in sys.stdin:
    request = json.loads(line)["request"]
    given = request["object"]["metadata"].get("annotations") or {}
    answer = {"uid": request["uid"], "allowed": True}
    message = ""
    if not given.get("/".join(["agent.example" + ".com", "role"])):
        message = "missing annotation agent.example" ".com/role"
    elif given.get("/".join(["agent.example" + ".com", "mode"])) not in ("str" + "ict",):
        message = 'annotation agent.example' '.com/mode must be "str' 'ict"'
    if message:
        answer.update(allowed=False, status={"code": 500, "message": message})
    else:
        patch = "W3sib3AiOiJhZGQiLCJwYXRoIjoiL3NwZWMvc2NoZWR1bGVyTmFtZSIsInZhbHVlIjoibWluZSJ9XQ=="
        answer.update(patchType="JSONPatch", patch=patch)
    review = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": answer}
    print(json.dumps(review), flush=True)
)";

TEST_F(Acting, IsReachedFromDenials) {
  if (std::system("python3 -c pass >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no python3";
  write("hook.py", kDenying);
  write("hooks.yaml", kOneWebhook);
  // Without the variables of the environment nothing observes what the program looks up.
  EXPECT_GT(share("hooks.yaml --webhook 'proxy.example.io=exec:python3 -E hook.py'"), 0.2);
}

/// Webhooks whose keys no text of theirs spells: one composes them of parts, the other decodes them.
constexpr const char* kComposing = R"(import base64, json, re, sys
for line in sys.stdin:
    request = json.loads(line)["request"]
    answer = {"uid": request["uid"], "allowed": True}
    for key, value in (request["object"]["metadata"].get("labels") or {}).items():
        if not key.startswith(base64.b64decode("ZGF0YXNldC4=").decode()):
            continue
        parts = key.split(".")
        is_known = len(parts) == 3 and parts[2] in ("i" + "d", "use" + "as")
        if not is_known or not re.fullmatch("[0-9]+", parts[1]):
            answer.update(allowed=False, status={"code": 400, "message": "label %s is in no format" % key})
            break
        if parts[2] == "use" + "as" and value == "mo" + "unt":
            patch = "W3sib3AiOiJhZGQiLCJwYXRoIjoiL3NwZWMvc2NoZWR1bGVyTmFtZSIsInZhbHVlIjoibWluZSJ9XQ=="
            answer.update(patchType="JSONPatch", patch=patch)
    review = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": answer}
    print(json.dumps(review), flush=True)
)";
constexpr const char* kDecoding =
    R"(const key = Buffer.from('YWdlbnQuZXhhbXBsZS5jb20vcm9sZQ==', 'base64').toString();
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { request } = JSON.parse(JSON.stringify(JSON.parse(line)));
  const response = { uid: request.uid, allowed: true };
  if ((request.object.metadata.annotations || {})[key]) {
    response.patchType = 'JSONPatch';
    response.patch = 'W3sib3AiOiJhZGQiLCJwYXRoIjoiL3NwZWMvc2NoZWR1bGVyTmFtZSIsInZhbHVlIjoibWluZSJ9XQ==';
  }
  console.log(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }));
});
)";

TEST_F(Acting, IsReachedByWhatAProgramLooksUp) {
  constexpr int kFew = 40;
  write("hooks.yaml", kOneWebhook);
  write("hook.py", kComposing);
  write("hook.js", kDecoding);
  if (std::system("python3 -c pass >/dev/null 2>&1") == 0) {
    EXPECT_EQ(share("hooks.yaml --webhook 'proxy.example.io=exec:python3 -E hook.py'", kFew), 0);
    EXPECT_GT(share("hooks.yaml --webhook 'proxy.example.io=exec:python3 hook.py'", kFew), 0.2);
  }
  if (std::system("node -e 0 >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no node";
  EXPECT_GT(share("hooks.yaml --webhook 'proxy.example.io=exec:node hook.js'", kFew), 0.2);
}

/// A webhook in Go, whose compiler packs strings together: fixpoint must find the keys in the binary.
constexpr const char* kProgram = R"(package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var review struct {
			Request struct {
				UID    string
				Object struct{ Metadata struct{ Annotations map[string]string } }
			}
		}
		_ = json.Unmarshal(line, &review)
		given := review.Request.Object.Metadata.Annotations
		patch := ""
		if given["agent.example.com/inject"] == "true" || given["agent.example.com/enable"] == "true" {
			patch = `,"patchType":"JSONPatch","patch":"` +
				`W3sib3AiOiJhZGQiLCJwYXRoIjoiL3NwZWMvc2NoZWR1bGVyTmFtZSIsInZhbHVlIjoibWluZSJ9XQ=="`
		}
		fmt.Printf(`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview",`+
			`"response":{"uid":%q,"allowed":true%s}}`+"\n", review.Request.UID, patch)
	}
}
)";

TEST_F(Acting, IsReachedFromAnExecutable) {
  if (std::system("go version >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no go";
  write("main.go", kProgram);
  write("go.mod", "module example.org/tools/hook\n\ngo 1.20\n");
  ASSERT_EQ(std::system(("cd " + path("") + " && go build -o hook . >go.log 2>&1").c_str()), 0)
      << read("go.log");
  write("hooks.yaml", kOneWebhook);
  EXPECT_GT(share("hooks.yaml --webhook 'proxy.example.io=exec:./hook'"), 0.02);
}

}  // namespace
}  // namespace fixpoint::cli
