// Attacks and accidents as a table: the suite runs the quick rows, FIXPOINT_ATTACKS=all runs
// every row (.ci/nightly). A row is a few lines of bash in a folder of its own.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "harness/cli/program_test.h"
#include "harness/patterns_model.h"

namespace fixpoint::cli {
namespace {

struct Attack {
  const char* name;
  const char* prepare;  ///< what the attacker leaves, in bash
  const char* run;      ///< what the user then does, in bash
  int code;             ///< the exit code that must come
  const char* says;     ///< a regular expression that what is printed must match; empty: anything
  const char* holds;    ///< bash that must succeed afterwards; empty: nothing to check
  double seconds_max;   ///< the time that it may take
  bool is_quick;
};

/// Texts that the rows share beside configuration(), which prints kOneWebhook: the program, a Pod, a policy
/// with an expression, a command that leaves a file behind.
constexpr const char* kShared = R"bash(
fixpoint() { "$FIXPOINT" "$@"; }
bound() { [ -n "$SANITISED" ] || ulimit -v 3000000; }
pod() {
  printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: x}]}\n'
}
subject() {
  printf 'apiVersion: fixpoint/v1\nkind: Subject\nname: marking\n'
  printf 'webhooks: {hooks/proxy.example.io: {%s}}\n' "$1"
  echo 'configuration:'; configuration | sed 's/^/  /'
}
config_map() { printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n'; }
LABELS='{"a": "b"}'
policy() { cat <<END
apiVersion: admissionregistration.k8s.io/v1beta1
kind: MutatingAdmissionPolicy
metadata: {name: $1}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  failurePolicy: Fail
  reinvocationPolicy: Never
  matchConditions: [{name: c, expression: '$2'}]
  variables: [$3]
  mutations:
    - patchType: JSONPatch
      jsonPatch:
        expression: '[JSONPatch{op: "add", path: "/metadata/labels", value: ${4:-$LABELS}}]'
END
}
printf 'touch marked\nexec "%s" sidecar\n' "$HOSTILE" >mark.sh
)bash";

constexpr const char* kChart = "{ config_map; echo ---; subject 'exec: [bash, mark.sh]'; } >chart.yaml";
constexpr const char* kNotMarked = "[ ! -e marked ]";

constexpr Attack kAttacks[] = {
    {"CelPrecisionOfAnExponent", "pod >p.yaml", "fixpoint eval '\"%.2000e\".format([1.5]).size()' p.yaml", 0,
     "2000\n", "", 5, true},
    {"CelPrecisionOfAFraction", "pod >p.yaml", "fixpoint eval '\"%.9999f\".format([1.5])' p.yaml", 0,
     "\"1.500000000000000\"\n", "", 5, true},
    {"CelPrecisionInAPolicy", "policy p '\"%.99999f\".format([1.5]).size() > 1' >p.yaml",
     "fixpoint fuzz p.yaml --seed 1 --cases 40; [ $? -le 1 ]", 0, "40 Cases", "", 10, true},
    {"CelReplaceBeyondTheServersCost", "pod >p.yaml",
     "s=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; r=\".replace('a', '$s')\"; bound; "
     "fixpoint eval \"'$s'$r$r$r$r$r.size()\" p.yaml",
     1, "actual cost limit exceeded", "", 5, true},
    {"CelReplaceBeyondOurMemory", "pod >p.yaml",
     "s=$(printf 'a%.0s' {1..100}); r=\".replace('a', '$s')\"; bound; "
     "fixpoint eval \"'$s'$r$r$r.size()\" p.yaml",
     3, "not run: limit kValueBytesMax", "", 5, true},
    {"CelSetsOfManyElements", "pod >p.yaml",
     "fixpoint eval 'sets.equivalent(lists.range(200000), lists.range(200000).map(x, 199999 - x))' p.yaml", 1,
     "actual cost limit exceeded", "", 5, true},
    {"CelVariablesThatDouble",
     "v='{name: v0, expression: \"[object]\"}'; for i in $(seq 43); do w=variables.v$((i - 1)); "
     "v=\"$v, {name: v$i, expression: \\\"[$w, $w]\\\"}\"; done; "
     "policy p true \"$v\" 'variables.v43 == variables.v43 ? {\"a\": \"b\"} : {\"a\": \"c\"}' >p.yaml",
     "fixpoint fuzz p.yaml --seed 1 --time 2s", 3, "", "", 6, true},
    {"CelVariablesThatNest",
     "v='{name: v0, expression: \"[object]\"}'; for i in $(seq 1500); do w=variables.v$((i - 1)); "
     "v=\"$v, {name: v$i, expression: \\\"[$w]\\\"}\"; done; "
     "policy p true \"$v\" 'variables.v1500.size() > 0 ? {\"a\": \"b\"} : {\"a\": \"c\"}' >p.yaml",
     "fixpoint fuzz p.yaml --seed 1 --cases 4", 3, "", "", 20, false},

    {"SubjectInAChartFuzz", kChart, "fixpoint fuzz chart.yaml --cases 4", 2,
     "chart.yaml: document 2: .*--allow-exec", kNotMarked, 5, true},
    {"SubjectInAChartInject", kChart, "pod >p.yaml; fixpoint inject chart.yaml p.yaml", 2, "--allow-exec",
     kNotMarked, 5, false},
    {"SubjectInAChartAdvise", kChart, "fixpoint advise chart.yaml", 2, "--allow-exec", kNotMarked, 5, false},
    {"SubjectInAChartCompare", kChart, "fixpoint compare chart.yaml peers/sidecar-guarded --time 1s", 2,
     "--allow-exec", kNotMarked, 5, false},
    {"SubjectInAChartBench", kChart, "fixpoint bench chart.yaml", 2, "--allow-exec", kNotMarked, 5, false},
    {"SubjectInAList",
     "{ printf 'apiVersion: v1\\nkind: List\\nitems:\\n- '; subject 'exec: [bash, mark.sh]' | sed '2,$s/^/  "
     "/'; } >list.yaml",
     "fixpoint fuzz list.yaml --cases 4", 2, "--allow-exec", kNotMarked, 5, true},
    {"SubjectInAFolderOfPolicies",
     "mkdir -p f/tests; { policy p true; echo ---; subject 'exec: [bash, ../mark.sh]'; } >f/policy.yaml; pod "
     ">f/tests/p.a.object.yaml",
     "fixpoint fuzz f --cases 4", 2, "--allow-exec", kNotMarked, 5, false},
    {"SubjectOnStandardInput", "", "subject 'exec: [bash, mark.sh]' | fixpoint fuzz - --cases 4", 2,
     "--allow-exec", kNotMarked, 5, false},
    {"SubjectThatTheUserNames", "subject 'exec: [bash, mark.sh]' >s.yaml",
     "fixpoint fuzz s.yaml --cases 4 --seed 1 >out 2>&1 || [ $? -eq 1 ]", 0, "", "[ -e marked ]", 20, false},
    {"CommandInACase",
     "printf "
     "'{\"apiVersion\":\"fixpoint/"
     "v1\",\"kind\":\"Case\",\"request\":{\"object\":{}},\"cluster\":{\"objects\":[{\"apiVersion\":"
     "\"admissionregistration.k8s.io/"
     "v1\",\"kind\":\"MutatingWebhookConfiguration\",\"metadata\":{\"name\":\"a\"},\"webhooks\":[{\"name\":"
     "\"b.c.d\",\"sideEffects\":\"None\",\"admissionReviewVersions\":[\"v1\"]}]}]},\"webhooks\":{\"a/"
     "b.c.d\":{\"exec\":[\"bash\",\"mark.sh\"]}}}' >c.json",
     "fixpoint admit c.json", 2, "c.json: .*--allow-exec", kNotMarked, 5, false},

    {"ResumeWritesAReport",
     "fixpoint fuzz peers/sidecar-guarded --seed 1 --cases 16 --report html=../victim.html >/dev/null; rm -f "
     "../victim.html",
     "fixpoint fuzz --resume run --cases 32", 0,
     "run/checkpoint.json: --report html=../victim.html is outside", "[ ! -e ../victim.html ]", 10, true},
    {"ResumeWritesAKubeconfig",
     "fixpoint fuzz peers/sidecar-guarded --seed 1 --cases 16 >/dev/null; "
     "sed -i 's|\"arguments\": \\[|\"arguments\": [\"--kubeconfig-out\", \"victim\", |' run/checkpoint.json",
     "fixpoint fuzz --resume run --cases 32", 0, "--kubeconfig-out victim is outside", "[ ! -e victim ]", 10,
     false},
    {"ResumeAppendsToAHistory",
     "fixpoint fuzz peers/sidecar-guarded --seed 1 --cases 16 --history h >/dev/null; rm h",
     "fixpoint fuzz --resume run --cases 32", 0, "--history h is outside", "[ ! -e h ]", 10, false},
    {"ResumeThroughALink",
     "fixpoint fuzz defects/volume-without-guard --seed 1 --cases 40 >/dev/null; f=$(ls run/findings | head "
     "-1); "
     "rm run/findings/$f; ln -s ../../victim run/findings/$f",
     "fixpoint fuzz --resume run --cases 64", 2, "found the symbolic link findings/", "[ ! -e victim ]", 10,
     false},
    {"ResumeWhatTheUserRepeats",
     "fixpoint fuzz peers/sidecar-guarded --seed 1 --cases 16 --report html=page.html --history h "
     ">/dev/null; rm page.html",
     "fixpoint fuzz --resume run --cases 32 --report html=page.html --history h", 0, "",
     "[ -s page.html ] && [ -s h ]", 10, false},

    {"HistoryOfARunThatIsResumed",
     "fixpoint fuzz defects/volume-without-guard --seed 1 --cases 200 --history h >first",
     "grep -o '[0-9]* new, [0-9]* known' first; fixpoint fuzz --resume run --history h >second; "
     "grep -o '[0-9]* new, [0-9]* known' second; "
     "fixpoint fuzz defects/volume-without-guard --seed 2 --cases 200 --history h --out other | "
     "grep -o '[0-9]* new, [0-9]* known'",
     0, "^1 new, 0 known\n1 new, 0 known\n0 new, 1 known\n", "", 10, true},
    {"AcceptTenAtOnce",
     "fixpoint fuzz defects/volume-without-guard defects/env-without-guard kserve/modelcar@0.12.0 --seed 3 "
     "--cases 600 --quiet; "
     "printf 'apiVersion: fixpoint/v1\\nkind: Policy\\nsubjects: [peers/sidecar-guarded]\\n' >fixpoint.yaml; "
     "fixpoint report run --format json | grep -oE '\"id\": *\"[0-9a-f]{12}\"' | grep -oE '[0-9a-f]{12}' | "
     "sort -u | head -10 >ids",
     "for id in $(cat ids); do fixpoint gate --accept run --problem $id --reason r --until 2999-12-31 "
     ">/dev/null & done; wait",
     0, "", "[ $(wc -l <ids) -ge 5 ] && [ $(grep -c 'problem:' fixpoint.yaml) -eq $(wc -l <ids) ]", 30,
     false},

    {"SecretsInReports",
     "{ cat <<'END'\napiVersion: fixpoint/v1\nkind: Subject\nname: leak\nwebhooks:\n  "
     "hooks/proxy.example.io:\n    script:\n"
     "      - patch: [{op: add, path: /spec/containers/-, value: {name: s, image: "
     "'joe:hunter2@registry.example/s:1', command: [mysqladmin, -phunter3, ping], "
     "livenessProbe: {httpGet: {path: '/x?token=hunter4', port: 80}}}}]\nEND\necho 'configuration:'; "
     "configuration | sed 's/^/  /'; } >s.yaml",
     "fixpoint fuzz s.yaml --seed 1 --cases 64 --all; for f in text json junit sarif markdown html; do "
     "fixpoint report run --format $f; done",
     0, "registry.example/s", "! grep -q hunter printed", 20, false},
    {"CleanEnvironment", "echo 'env >seen; exit 1' >e.sh; configuration >m.yaml",
     "MY_SECRET=hunter2 fixpoint fuzz m.yaml --webhook 'proxy.example.io=exec:bash e.sh' --clean-env --seed "
     "1 --cases 2",
     1, "", "! grep -q MY_SECRET seen && grep -q ^PATH= seen && grep -q ^KUBECONFIG= seen", 30, false},
    {"TokenOfAKilledRun", "printf 'touch up; sleep 60\\n' >e.sh; configuration >m.yaml; mkdir tmp",
     "TMPDIR=$PWD/tmp \"$FIXPOINT\" fuzz m.yaml --webhook 'proxy.example.io=exec:bash e.sh' --time 60s & "
     "pid=$!; "
     "for i in {1..200}; do [ -e up ] && break; sleep 0.05; done; ls -A tmp >before; kill -9 $pid; wait "
     "$pid; "
     "for i in {1..100}; do [ -z \"$(ls -A tmp)\" ] && exit 0; sleep 0.05; done; exit 1",
     0, "", "[ -s before ]", 30, true},
    {"AuditEventsWithoutAStage",
     "printf '{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\",\"verb\":\"create\"}\\n' >log",
     "fixpoint corpus add --audit-log log --to seeds", 0, "1 events without a stage: not used", "", 5, true},
    {"PathsThatAShellWouldSplit",
     "mkdir 'a b'; subject 'injector: peers/sidecar-guarded' >'a b/$(touch marked).yaml'",
     "fixpoint init 'a b/$(touch marked).yaml' --out 'a b' >printed.txt; cat printed.txt; "
     "eval \"$(sed -n 's/^try: *//p' printed.txt | sed 's/ --time 30s/ --cases 1 --seed 1/')\" >/dev/null "
     "2>err || true; cat err",
     0, "", "[ ! -e marked ] && ! grep -q 'expected' err", 20, false},

    {"ManyContainers",
     "{ printf 'apiVersion: v1\\nkind: Pod\\nmetadata: {name: p}\\nspec:\\n  containers:\\n'; "
     "for i in $(seq 5000); do echo \"  - {name: c$i, image: x}\"; done; } >p.yaml",
     "fixpoint fuzz kserve/modelcar --example p.yaml --seed 1 --time 3s >out 2>&1; true", 0, "", "", 7,
     false},
    {"ManyPolicies", "for i in $(seq 3000); do policy p$i true; echo ---; done >p.yaml",
     "fixpoint fuzz p.yaml --seed 1 --time 3s >out 2>&1; true", 0, "", "", 12, false},
    {"StopsOnASignal",
     "{ printf 'apiVersion: v1\\nkind: Pod\\nmetadata: {name: p}\\nspec:\\n  containers:\\n'; "
     "for i in $(seq 5000); do echo \"  - {name: c$i, image: x}\"; done; } >p.yaml",
     "\"$FIXPOINT\" fuzz kserve/modelcar --example p.yaml --seed 1 --time 120s >out 2>&1 & pid=$!; "
     "for i in {1..200}; do [ -s run/events.ndjson ] && break; sleep 0.1; done; sleep 2; "
     "begin=$(date +%s%N); kill -TERM $pid; wait $pid; code=$?; took=$((($(date +%s%N) - begin) / 1000000)); "
     "echo \"took $took ms\"; [ $took -lt 2500 ] && exit $code",
     130, "", "", 30, false},

    {"YamlThatLaughs",
     "{ echo 'a: &a [x,x,x,x,x,x,x,x,x,x]'; p=a; for n in b c d e f g h; do echo \"$n: &$n "
     "[*$p,*$p,*$p,*$p,*$p,*$p,*$p,*$p,*$p,*$p]\"; p=$n; done; } >l.yaml",
     "bound; fixpoint fuzz l.yaml --cases 1", 2, "aliases_max", "", 5, true},
    {"YamlOfAnchors",
     "{ printf 'a: ['; for i in $(seq 100000); do printf '&a%s x,' $i; done; echo ']'; } >l.yaml",
     "bound; fixpoint fuzz l.yaml --cases 1", 2, "l.yaml", "", 10, false},
    {"JsonThatNests", "{ printf '[%.0s' {1..100000}; } >d.json", "fixpoint admit d.json", 2, "d.json", "", 5,
     true},
    {"EndlessFile", "", "bound; fixpoint admit /dev/zero", 2, "/dev/zero", "", 60, false},
    {"NamesThatSteerATerminal",
     "printf 'apiVersion: fixpoint/v1\\nkind: Subject\\nname: \"a\\\\e]0;x\\\\ab\"\\nbad: 1\\n' >s.yaml",
     "fixpoint fuzz s.yaml --cases 1", 2, "", "! grep -q $'\\e' printed", 5, true},
};

std::vector<Attack> rows() {
  const char* which = std::getenv("FIXPOINT_ATTACKS");
  const bool are_all = which != nullptr && std::string(which) == "all";
  std::vector<Attack> rows;
  for (const Attack& attack : kAttacks)
    if (are_all || attack.is_quick) rows.push_back(attack);
  return rows;
}

class AttackTable : public ProgramTest, public testing::WithParamInterface<Attack> {
 protected:
  /// The shell with what the rows share; both streams go to `printed`.
  Outcome bash(const std::string& lines) const {
    const std::string configuration =
        std::string("configuration() { cat <<'END'\n") + kOneWebhook + "END\n}\n";
    write("script", configuration + kShared + lines + "\n");
    const std::string command =
        "cd " + folder_.string() + " && FIXPOINT=" + FIXPOINT_PROGRAM +
        " HOSTILE=" + FIXPOINT_HOSTILE_WEBHOOK + (kSlowness > 1 ? " SANITISED=1" : " SANITISED=") +
        " FIXPOINT_CORPUS=" + FIXPOINT_SOURCE + "/corpus bash script >printed 2>&1 </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read("printed"), ""};
  }
};

TEST_P(AttackTable, Fails) {
  const Attack& attack = GetParam();
  const Outcome prepared = bash(attack.prepare);
  const auto begin = std::chrono::steady_clock::now();
  const Outcome ran = bash(attack.run);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(ran.code, attack.code) << prepared.out << ran.out;
  EXPECT_TRUE(is_found(ran.out, attack.says)) << attack.says << ": " << ran.out;
  EXPECT_LT(took.count(), attack.seconds_max * kSlowness) << ran.out;
  write("printed", ran.out);
  const std::string check =
      "cd " + folder_.string() + " && bash -c '" + replaced(attack.holds, "'", "'\\\\''") + "'";
  if (*attack.holds == '\0') return;
  EXPECT_EQ(std::system(check.c_str()), 0) << attack.holds << "\n" << ran.out;
}

INSTANTIATE_TEST_SUITE_P(All, AttackTable, testing::ValuesIn(rows()),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace fixpoint::cli
