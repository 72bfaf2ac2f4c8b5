#include "harness/runner/learning/learn.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "harness/document/json.h"
#include "harness/document/yaml.h"
#include "harness/runner/examine.h"
#include "harness/runner/learning/field_path.h"
#include "harness/runner/learning/learn_fields.h"

namespace fixpoint::runner {
namespace {

using Where = Trigger::Where;

using KeyedValues = Vocabulary::KeyedValues;

Value yaml(const char* text) { return document::read_yaml(text).value(); }

TEST(Learn, KeepsElementsOfOtherLists) {
  Vocabulary words;
  const Value patch = yaml(R"(
- {op: add, path: /spec/tolerations/-, value: {key: spot, operator: Exists}}
- {op: add, path: /spec/tolerations/0, value: {key: spot, operator: Exists}}
- {op: add, path: /spec/hostAliases, value: [{ip: 10.0.0.1}, {}]}
- {op: add, path: /spec/volumes/-, value: {name: data}}
- {op: add, path: /spec/nodeSelector, value: {a: b}}
- {op: add, path: /spec/nodeSelector/c, value: d}
)");
  learn_from_patch(words, patch);
  ASSERT_EQ(words.elements.size(), 4u);
  EXPECT_EQ(words.elements[2].list, "nodeSelector");
  EXPECT_EQ(words.elements[2].value, yaml("{a: b}"));
  EXPECT_EQ(words.elements[3].value, yaml("{c: d}"));
  EXPECT_EQ(words.elements[0].list, "tolerations");
  EXPECT_EQ(words.elements[0].value, yaml("{key: spot, operator: Exists}"));
  EXPECT_EQ(words.elements[1].list, "hostAliases");
  EXPECT_EQ(words.names[NameKind::volume], (Names::List{"data"}));
  EXPECT_EQ(words.members, (std::vector<std::string>{"tolerations", "hostAliases", "nodeSelector"}));
  learn_from_patch(words, yaml("[{op: add, path: /spec/containers/0/lifecycle, value: {}}]"));
  EXPECT_EQ(words.members.back(), "lifecycle");
}

/// Without the object that a Pod names, the server would refuse every Pod of the webhook's.
TEST(Learn, PutsWhatAPatchNamesIntoTheCluster) {
  Vocabulary words;
  learn_from_patch(words, yaml(R"(
- {op: add, path: /spec/priorityClassName, value: high}
- {op: replace, path: /spec/priority, value: 7}
- {op: add, path: /spec/runtimeClassName, value: sandbox}
)"));
  learn_from_patch(words, yaml("[{op: add, path: /spec/priorityClassName, value: high}]"));
  learn_from_patch(words, yaml("[{op: add, path: /spec/priorityClassName, value: system-node-critical}]"));
  ASSERT_EQ(words.objects.size(), 3u) << "each of them once";
  EXPECT_EQ(words.objects[0].front(), yaml("{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass,"
                                           " metadata: {name: high}, value: 7}"));
  EXPECT_EQ(words.objects[1].front()["handler"].text(), "sandbox");
  EXPECT_EQ(words.objects[2].front()["value"].integer(), 2000001000);
}

std::vector<std::string> values_of(const std::vector<KeyedValues>& all_keyed, const std::string& key) {
  for (const KeyedValues& keyed : all_keyed) {
    if (keyed.first == key) return keyed.second;
  }
  return {};
}

/// A script says what it looks for: most webhooks are switched on by an annotation, and no selector names it.
TEST(Learn, ReadsTheTextOfAProgram) {
  Vocabulary words;
  learn_from_program(words, R"(
PREFIX = "agent.example.com/"
def wants(pod, labels):
    if annotations.get("agent.example.com/inject") == "enabled": return True
    if annotations.get(PREFIX + "skip", "no") != "no": return False
    if labels["tier"] == "web" or labels.get(f"{DOMAIN}/team"): return True
    return any(k.startswith(PREFIX + "file-") for k in annotations)
def mode_of(given): return given == "strict"
def own(constraint, app): constraint["labelSelector"] = {"matchLabels": {"app": app}}
PATH, NAME, POINTER, GROUP = "/var/log/", "AGENT_MODE", "/spec/volumes/-", "admission.k8s.io/v1"
)");
  using Values = std::vector<std::string>;
  constexpr const char* kLong =
      "a-subdomain.that-is-longer-than.any-label.of-the-name-may-be-itself.example-1";
  EXPECT_EQ(values_of(words.common(Where::annotation), "agent.example.com/inject").front(), "enabled");
  EXPECT_TRUE(values_of(words.common(Where::annotation), "agent.example.com/skip").empty());
  EXPECT_EQ(values_of(words.rare(Where::annotation), "agent.example.com/skip"),
            (Values{"true", "no", "1", "64Mi", "strict", "enabled", "web", "AGENT_MODE", kLong}))
      << "what keeps it away is rare, and what stands near it";
  EXPECT_EQ(values_of(words.common(Where::annotation), "agent.example.com/file-a"),
            (Values{"true", "1", "64Mi", "strict", std::string(kContainerNames)}));
  EXPECT_EQ(values_of(words.common(Where::label), "tier").front(), "web");
  EXPECT_TRUE(values_of(words.common(Where::label), "labelSelector").empty()) << "no key of a map";
  EXPECT_FALSE(values_of(words.common(Where::label), "agent.example.com/team").empty());
  EXPECT_TRUE(values_of(words.common(Where::label), "agent.example.com/inject").empty())
      << "its line is about annotations";
  EXPECT_TRUE(values_of(words.common(Where::annotation), "admission.k8s.io/v1").empty());
  EXPECT_EQ(words.names[NameKind::mount_path], Names::List{"/var/log"});
  EXPECT_EQ(words.names[NameKind::env], Names::List{"AGENT_MODE"});
}

Vocabulary vocabulary_of(std::vector<ProgramText> texts) {
  Vocabulary words;
  learn_from_program(words, texts);
  return words;
}

/// A program looks its keys up by constants, which other files declare, and in maps under names of its own.
TEST(Learn, KnowsTheConstantsAndTheMapsOfAProgram) {
  const Vocabulary words =
      vocabulary_of({{"hook.py",
                      "from keys import *\nown, notes = labels(pod), pod.metadata.annotations\n"
                      "if own.get(ROLE) in ('driver', 'executor') and notes[keys.MODE] == 'strict': pass\n"
                      "if GPU in container.resources.limits: pass\n"},
                     {"keys.py",
                      "ROLE, GPU = 'spark-role', 'acme.io/gpu'\nPREFIX = 'agent.example.com'\n"
                      "MODE = f\"{PREFIX}/mode\"\nJOINED = PREFIX + '/joined'\nnotes.get(JOINED)\n"}});
  using Values = std::vector<std::string>;
  const Values roles = values_of(words.common(Where::label), "spark-role");
  ASSERT_GE(roles.size(), 2u);
  EXPECT_EQ((Values{roles[0], roles[1]}), (Values{"driver", "executor"}));
  EXPECT_TRUE(values_of(words.common(Where::annotation), "spark-role").empty());
  ASSERT_FALSE(values_of(words.common(Where::annotation), "agent.example.com/mode").empty());
  EXPECT_EQ(values_of(words.common(Where::annotation), "agent.example.com/mode").front(), "strict");
  EXPECT_FALSE(values_of(words.common(Where::annotation), "agent.example.com/joined").empty());
  EXPECT_EQ(words.places.at("spark-role"), "hook.py:3");
  const auto is_gpu = [](const KeyedValues& field) {
    return field.first == "spec.containers[*].resources.limits['acme.io/gpu']";
  };
  EXPECT_TRUE(std::ranges::any_of(words.rare(Where::field), is_gpu));
}

TEST(Learn, TakesPairsOfAMapForKeysWithTheirValues) {
  const Vocabulary words = vocabulary_of(
      {{"hook.py",
        "PROFILES = [{'name': 'default', 'podSelector': {'netbird.io/profile': 'gold', 'app': 'web'}}]\n"
        "log('see https://docs.example.org/reference', 'plain.example.org/never-a-key')\n"}});
  EXPECT_EQ(values_of(words.common(Where::label), "netbird.io/profile").front(), "gold");
  EXPECT_EQ(values_of(words.common(Where::label), "app").front(), "web");
}

TEST(Learn, TakesThePairsOfManifestsAndDocumentsForRareKeys) {
  const Vocabulary words = vocabulary_of(
      {{"samples/pod.yaml",
        "metadata:\n  labels:\n    app.kubernetes.io/name: web\n    agent.example.com/profile: gold\n"
        "  annotations: {agent.example.com/inject: \"yes\"}\nspec:\n  image: ghcr.io/team/app:1\n"
        "  resources:\n    limits:\n      acme.io/gpu: 1\n"},
       {"README.md", "Set `agent.example.com/mode=strict` as https://agent.example.com/docs says.\n"}});
  EXPECT_EQ(values_of(words.rare(Where::label), "agent.example.com/profile").front(), "gold");
  EXPECT_EQ(values_of(words.rare(Where::annotation), "agent.example.com/inject").front(), "yes");
  EXPECT_EQ(values_of(words.rare(Where::annotation), "agent.example.com/mode").front(), "strict");
  EXPECT_TRUE(words.common(Where::label).empty() && words.common(Where::annotation).empty());
  for (const auto& [key, values] : words.rare(Where::label))
    EXPECT_TRUE(key.starts_with("agent.example.com/") && key != "agent.example.com/docs") << key;
}

TEST(Learn, GivesValuesThePartsThatAProgramSplitsThemInto) {
  const Vocabulary words =
      vocabulary_of({{"a.py",
                      "note = pod['metadata']['annotations'].get('agent.example.com/ports')\nfor p in "
                      "note.split(';'): go()\n"}});
  const auto values = values_of(words.rare(Where::annotation), "agent.example.com/ports");
  for (const char* value : {"one;two", "one", "one;"})
    EXPECT_NE(std::find(values.begin(), values.end(), value), values.end()) << value;
}

bool has_value(const std::vector<std::string>& values, std::string_view value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

/// Programs go through the keys of a map with a pattern, and put a part of one into another.
TEST(Learn, FillsThePartsThatAProgramPutsIntoKeys) {
  const Vocabulary words = vocabulary_of(
      {{"a.py",
        "m = re.match(r'^dataset[.](\\d+)[.]id$', key)\n"
        "if labels.get(f'dataset.{number}.useas') != 'mount': skip()\n"},
       {"b.go", "x := pod.Annotations[fmt.Sprintf(\"vault.example.com/secret-%s\", name)]\n"},
       {"c.js", "const y = annotations[`agent.example.com/${name}-mode`];\nlog(`no ${name} of mine`);\n"}});
  EXPECT_FALSE(values_of(words.common(Where::label), "dataset.1.id").empty());
  EXPECT_TRUE(has_value(values_of(words.common(Where::label), "dataset.1.useas"), "mount"));
  EXPECT_FALSE(values_of(words.common(Where::annotation), "vault.example.com/secret-1").empty());
  EXPECT_FALSE(values_of(words.common(Where::annotation), "agent.example.com/1-mode").empty());
}

TEST(Learn, KnowsThatANumberWithAUnitIsNoKey) {
  const Vocabulary words =
      vocabulary_of({{"a.py",
                      "UNITS = re.compile(r'^[0-9]+[.][0-9]+(ns|ms|s|m|h)$')\n"
                      "if not UNITS.match(text): refuse()\n"}});
  EXPECT_TRUE(values_of(words.common(Where::label), "1.1ns").empty());
  EXPECT_TRUE(has_value(words.texts, "1.1ns")) << "what it reads is such a text";
}

TEST(Learn, GivesAnAnnotationWithoutKnownValuesTheNamesOfContainers) {
  const Vocabulary words =
      vocabulary_of({{"a.py",
                      "wanted = annotations['agent.example.com/inject'].split(',')\n"
                      "if annotations.get('agent.example.com/mode') == 'strict': go()\n"}});
  EXPECT_TRUE(
      has_value(values_of(words.common(Where::annotation), "agent.example.com/inject"), kContainerNames));
  EXPECT_FALSE(
      has_value(values_of(words.common(Where::annotation), "agent.example.com/mode"), kContainerNames));
}

TEST(Learn, GivesAnAnnotationThatIsSplitNamesOfThePodsOwn) {
  const std::string parts = std::string(kVolumeName).append(":").append(kPathInVolume);
  const auto of_text = [&](const char* program) {
    const Vocabulary words = vocabulary_of({{"a.py", program}});
    return has_value(values_of(words.rare(Where::annotation), "tail.example.com/files"), parts);
  };
  EXPECT_TRUE(
      of_text("wanted = annotations.get('tail.example.com/files', '')\n\n\nname, path = entry.split(':')\n"));
  EXPECT_FALSE(
      of_text("wanted = annotations.get('tail.example.com/files', '')\nfiles = wanted.split(',')\n"));
}

/// The end of a key stands in a variable: any word of the program may be one.
/// A prefix without a dot is one where the program looks the key up; names of files and registries are none.
TEST(Learn, KnowsWhatKeysBeginWith) {
  Vocabulary words;
  learn_from_program(words,
                     "PREFIX = \"gke-store/\"\n"
                     "SIZES = {\"cpu-limit\": \"1\"}\n"
                     "if PREFIX + \"volumes\" in annotations:\n"
                     "  for size in SIZES:\n"
                     "    value = annotations.get(PREFIX + size)\n"
                     "FILE = \"settings.json\"\nREGISTRY = \"docker.io\"\n"
                     "key = annotations[base + \"/inject\"]\n");
  EXPECT_TRUE(words.places.contains("gke-store/volumes"));
  EXPECT_TRUE(words.places.contains("gke-store/cpu-limit"));
  EXPECT_FALSE(words.places.contains("settings.json/inject"));
  EXPECT_FALSE(words.places.contains("docker.io/inject"));
}

TEST(Learn, TakesWhatStandsForAnAbsentVariableOfTheEnvironment) {
  for (const char* line : {"KEY = os.environ.get(\"SWITCH_KEY\", \"a.example.com/inject\")",
                           "const KEY = process.env.SWITCH_KEY || \"a.example.com/inject\";"}) {
    Vocabulary words;
    learn_from_program(words, std::string(line) + "\nif annotations[KEY] == \"always\" {\n");
    const auto values = values_of(words.common(Where::annotation), "a.example.com/inject");
    EXPECT_NE(std::find(values.begin(), values.end(), "always"), values.end()) << line;
  }
}

TEST(Learn, JoinsAPrefixWithTheWordsOfTheProgram) {
  for (const char* program :
       {"PREFIX = 'proxy.example.com/'\nNAMES = {'cpu': 'proxyCPU', 'memory': 'proxy-memory'}\n"
        "value = annotations.get(PREFIX + name)\n",
        "NAMES = ['proxyCPU', 'proxy-memory', 'driver']\nvalue = "
        "annotations.get(f'proxy.example.com/{name}')\n",
        "PREFIX = 'proxy.example.com/'\nkey = PREFIX + 'x'\nread = lambda key: annotations[PREFIX + key]\n"
        "cpu, memory, mode = read('proxyCPU'), read('proxy-memory'), read('mode')\n",
        "prefix = get('KEY_PREFIX', 'proxy.example.com')\n"
        "of, other = (lambda key: annotations.get(f'{config.prefix}/{key}')), None\n"
        "cpu, memory = of('proxyCPU'), of('proxy-memory')\n"}) {
    const Vocabulary words = vocabulary_of({{"a.py", program}});
    for (const char* key : {"proxy.example.com/proxyCPU", "proxy.example.com/proxy-memory"})
      EXPECT_FALSE(values_of(words.rare(Where::annotation), key).empty()) << key << "\n" << program;
    EXPECT_TRUE(values_of(words.rare(Where::annotation), "proxy.example.com/driver").empty()) << "any word";
  }
  const Vocabulary single = vocabulary_of(
      {{"a.py",
        "def option(notes, name, default):\n    return notes.get('proxy.example.com/' + name) or default\n"
        "role, other = option(notes, 'role', ''), use('driver')\n"}});
  EXPECT_FALSE(values_of(single.rare(Where::annotation), "proxy.example.com/role").empty());
  EXPECT_TRUE(values_of(single.rare(Where::annotation), "proxy.example.com/driver").empty());
  const Vocabulary whole = vocabulary_of({{"a.py",
                                           "value = annotations.get('proxy.example.com/' + 'cpu')\n"
                                           "name = 'proxy-memory'\n"}});
  EXPECT_TRUE(values_of(whole.rare(Where::annotation), "proxy.example.com/proxy-memory").empty());
}

TEST(Learn, KeepsThePartsOfTextsThatAProgramSearchesFor) {
  const Vocabulary words =
      vocabulary_of({{"hook.js",
                      "if (value.startsWith('vault:') || value.includes(\"@azurekeyvault\")) run();\n"
                      "if ('containers' in spec) walk();\n"},
                     {"hook.go", "ok := strings.HasPrefix(env.Value, \"arn:aws:\")\n"},
                     {"image.py", "if re.match(r'^quay[.]io/.+', image): log('any text')\n"}});
  EXPECT_EQ(words.names[NameKind::fragment],
            (Names::List{"vault:", "@azurekeyvault", "arn:aws:", "quay.io/a"}));
  const Vocabulary of_constants =
      vocabulary_of({{"a.py",
                      "MARK, KEYS = '@vault', 'tags.example.io/'\n"
                      "if MARK in value or any(k.startswith(KEYS) for k in notes): run()\n"}});
  EXPECT_EQ(of_constants.names[NameKind::fragment], (Names::List{"@vault"}));
}

TEST(Learn, KeepsRareWhatSwitchesAProgramOff) {
  Vocabulary words;
  learn_from_program(words, R"(if annotations.get("agent.example.com/inject") == "false": return)");
  EXPECT_EQ(values_of(words.common(Where::annotation), "agent.example.com/inject"),
            (std::vector<std::string>{"true", "1", "64Mi"}));
  EXPECT_EQ(values_of(words.rare(Where::annotation), "agent.example.com/inject").front(), "false");
}

TEST(Learn, TakesTheNamesThatAProgramListsForRareValues) {
  Vocabulary words;
  learn_from_program(words, R"(
const STAGE = 'flags.example.io/stage';
const STAGES = ['dev', 'staging', 'prod'];
for (const list of ['containers', 'initContainers']) check(list);
if (!STAGES.includes(labels[STAGE])) throw new Denied('no stage');
)");
  const auto values = values_of(words.rare(Where::label), "flags.example.io/stage");
  EXPECT_EQ(values, (std::vector<std::string>{"dev", "staging", "prod"})) << "lists of a Pod are none";
}

TEST(Learn, TakesTheKeysOfAnExecutableForRareTriggers) {
  Vocabulary words;
  std::vector<std::string> keys;
  for (int i = 0; i < 64; ++i) keys.push_back("agent.example.com/key-" + std::to_string(i));
  learn_from_keys(words, keys);
  EXPECT_TRUE(words.common(Where::annotation).empty() && words.common(Where::label).empty() &&
              words.common(Where::namespace_label).empty());
  EXPECT_EQ(words.rare(Where::annotation).size(), 64u);
  EXPECT_EQ(words.rare(Where::label).size(), 16u);
  EXPECT_EQ(words.rare(Where::namespace_annotation).size(), 16u);
  EXPECT_EQ(values_of(words.rare(Where::annotation), keys[0]).front(), "true");
}

std::set<std::string> values_of_field(const Vocabulary& words, const std::string& path) {
  for (const auto& [key, values] : words.rare(Where::field))
    if (key == path) return {values.begin(), values.end()};
  return {};
}
TEST(Learn, TakesTheFieldsThatAProgramNamesForRareTriggers) {
  Vocabulary words;
  learn_from_program(words,
                     "ACCOUNTS = ['payments/s3-reader']\nMOVING = ['edge', 'nightly']\n"
                     "if pod['spec'].get('serviceAccountName') in ACCOUNTS: pass\n"
                     "if container.securityContext?.readOnlyRootFilesystem || spec.hostNetwork: pass\n"
                     "tag = container['image']; limits = container.resources.limits['example.com/gpu']\n"
                     "[p for p in container['ports'] if p['name'] == 'admin']\n");
  using Values = std::set<std::string>;
  const auto values = [&](const char* path) { return values_of_field(words, path); };
  const Values switches{"true", "false"};
  EXPECT_EQ(values("spec.containers[*].securityContext.readOnlyRootFilesystem"), switches);
  EXPECT_EQ(values("spec.hostNetwork"), switches);
  EXPECT_EQ(values("spec.hostPID"), Values{}) << "it is not named";
  Vocabulary windows;
  learn_from_program(windows, "name = options.get('gmsaCredentialSpecName')\n");
  EXPECT_EQ(values_of_field(windows, "spec.securityContext.windowsOptions.gmsaCredentialSpecName"),
            Values{"\"example\""});
  EXPECT_TRUE(values("spec.serviceAccountName").contains("\"s3-reader\""));
  EXPECT_TRUE(values("spec.containers[*].image").contains("\"registry.example.com/app:edge\""));
  const Values amounts = values("spec.containers[*].resources.limits['example.com/gpu']");
  for (const char* amount : {"\"1\"", "\"10k\"", "\"1Ki\""}) EXPECT_TRUE(amounts.contains(amount)) << amount;
  EXPECT_EQ(values("spec.containers[*].command"), Values{}) << "it is not named";
  EXPECT_EQ(std::ranges::count(words.names[NameKind::port_name], Value("admin")), 1);
  for (const auto& [path, some] : words.rare(Where::field)) EXPECT_TRUE(parse_field_path(path)) << path;
}

/// Webhooks wrap a command, and look for texts in the values of variables.
TEST(Learn, TakesThePartsOfContainersThatAProgramLooksAt) {
  Vocabulary words;
  learn_from_program(words,
                     "if not c.get('command'): return\n"
                     "wanted = any('@vault' in e['value'] for e in c['env'])\n");
  EXPECT_EQ(values_of_field(words, "spec.containers[*].command").size(), 1u);
  EXPECT_EQ(values_of_field(words, "spec.containers[*].env"),
            (std::set<std::string>{R"([{"name":"TEXT","value":"@vaultx"}])",
                                   R"([{"name":"TEXT","value":"x@vault"}])"}));
}

/// A webhook for claims acts on Pods with one alone; a program in Go begins the name with a capital.
TEST(Learn, TakesThePartsOfPodsThatAProgramLooksAt) {
  for (const char* program :
       {"spec.volumes.filter((v) => v.persistentVolumeClaim)", "if volume.PersistentVolumeClaim != nil {"}) {
    Vocabulary words;
    learn_from_program(words, program);
    EXPECT_EQ(values_of_field(words, "spec.volumes"),
              (std::set<std::string>{R"([{"name":"data","persistentVolumeClaim":{"claimName":"data"}}])"}))
        << program;
    EXPECT_TRUE(values_of_field(words, "spec.tolerations").empty()) << program;
  }
}

TEST(Learn, TakesTheElementsOfAListOfBeginnings) {
  EXPECT_EQ(vocabulary_of({{"a.js", "const STARTS = ['gcp:secrets:', 'arn:aws:ssm'], MODE = 'a b:';\n"}})
                .names[NameKind::fragment],
            (Names::List{"gcp:secrets:", "arn:aws:ssm"}));
  EXPECT_TRUE(vocabulary_of({{"a.py", "for name in ('spec', 'status'): log('error: ' + name)\n"}})
                  .names[NameKind::fragment]
                  .empty());
}

/// Each is drawn as it stands: a path that leads nowhere, or a value that a Pod cannot have, would be none.
TEST(Learn, ConventionsArePartsOfAValidPod) {
  Vocabulary words;
  learn_conventions(words);
  ASSERT_FALSE(words.rare(Where::field).empty());
  const Value plain = yaml("{metadata: {name: p}, spec: {containers: [{name: a, image: x}]}}");
  for (const auto& [path, values] : words.rare(Where::field)) {
    const auto parsed = parse_field_path(path);
    ASSERT_TRUE(parsed) << path;
    for (const std::string& value : values) {
      cases::Case drawn;
      drawn.request.object = plain;
      set_field(drawn.request.object, *parsed, document::read_json(value).value());
      const auto prepared = prepare(drawn, {}, {});
      ASSERT_TRUE(prepared) << path;
      EXPECT_TRUE(has_valid_pod(*prepared)) << path << ": " << value;
      EXPECT_EQ(values_at(prepared->admission.first, *parsed).size(), 1u) << path;
    }
  }
}

TEST(Learn, ReadsNoProgramThatIsNoText) {
  Vocabulary words;
  learn_from_program(words, std::string("\0ELF \"agent.example.com/inject\"", 32));
  EXPECT_TRUE(words.common(Where::annotation).empty());
  const std::string long_line = "x = \"" + std::string(5000, 'a') + "/b\" 'a.io/c'";
  learn_from_program(words, long_line);
  EXPECT_TRUE(words.common(Where::annotation).empty()) << "a line that nobody wrote";
}

TEST(Learn, ReadsPatches) {
  Vocabulary words;
  const Value patch = yaml(R"(
- {op: add, path: /spec/containers/-, value: {name: proxy, env: [{name: MODE}],
    volumeMounts: [{name: certs, mountPath: /certs}], ports: [{name: admin, containerPort: 15000}]}}
- {op: add, path: /spec/initContainers, value: [{name: init}]}
- {op: add, path: /spec/volumes/0, value: {name: certs}}
- {op: add, path: /metadata/annotations/a.io~1done, value: "yes"}
- {op: add, path: /metadata/labels, value: {l: v}}
- {op: add, path: /metadata/annotations/0, value: number}
- {op: add, path: /spec/containers/0/env/-, value: {name: LATE}}
- {op: remove, path: /metadata/labels/old}
- {op: add, path: no pointer, value: {name: x}}
- 7
)");
  learn_from_patch(words, patch);
  learn_from_patch(words, patch);
  EXPECT_EQ(words.names[NameKind::container], (Names::List{"proxy"}));
  EXPECT_EQ(words.names[NameKind::init_container], (Names::List{"init"}));
  EXPECT_EQ(words.names[NameKind::volume], (Names::List{"certs"}));
  EXPECT_EQ(words.names[NameKind::env], (Names::List{"MODE", "LATE"}));
  EXPECT_EQ(words.names[NameKind::mount_path], (Names::List{"/certs"}));
  EXPECT_EQ(words.names[NameKind::port_name], (Names::List{"admin"}));
  EXPECT_EQ(words.names[NameKind::port], (Names::List{15000}));
  EXPECT_EQ(words.common(Where::annotation),
            (std::vector<KeyedValues>{{"a.io/done", {"yes"}}, {"0", {"number"}}}));
  EXPECT_EQ(words.common(Where::label), (std::vector<KeyedValues>{{"l", {"v"}}, {"old", {}}}));
}

TEST(Learn, ReadsScripts) {
  Vocabulary words;
  learn_from_script(words, cases::read_script(yaml(R"(
- when: {all: [{absent: /metadata/annotations/a.io~1done}, {not: {named: {path: /spec/volumes, name: certs}}},
    {equals: {path: /metadata/labels/team, value: red}}]}
  patch: [{op: add, path: /spec/containers/-, value: {name: proxy}}]
)"))
                               .value());
  EXPECT_EQ(words.common(Where::annotation), (std::vector<KeyedValues>{{"a.io/done", {}}}));
  EXPECT_EQ(words.names[NameKind::volume], (Names::List{"certs"}));
  EXPECT_EQ(words.common(Where::label), (std::vector<KeyedValues>{{"team", {"red"}}}));
  EXPECT_EQ(words.names[NameKind::container], (Names::List{"proxy"}));
}

TEST(Learn, GivesAKeyThatAScriptAsksForAnotherValueThanItsOwn) {
  Vocabulary words;
  learn_from_script(words, cases::read_script(yaml(R"(
- when: {exists: /metadata/annotations/a.io~1level}
  patch: [{op: add, path: /metadata/annotations/a.io~1level, value: done}]
)"))
                               .value());
  EXPECT_EQ(words.common(Where::annotation), (std::vector<KeyedValues>{{"a.io/level", {"true", "done"}}}));
}

TEST(Learn, StaysOfAReadableSize) {
  Vocabulary words;
  for (int i = 0; i < 1000; ++i) {
    const std::string name = "n" + std::to_string(i);
    learn_from_pod(words, {{"metadata", {{"labels", {{name, "x"}}}, {"annotations", {{"same", name}}}}},
                           {"spec", {{"containers", Value::list({Value{{"name", name}}})}}}});
  }
  EXPECT_EQ(words.names[NameKind::container].size(), 64u);
  EXPECT_EQ(words.common(Where::label).size(), 64u);
  EXPECT_EQ(words.common(Where::annotation).front().second.size(), 16u);
}

}  // namespace
}  // namespace fixpoint::runner
