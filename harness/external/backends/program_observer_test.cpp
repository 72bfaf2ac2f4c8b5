#include "harness/external/backends/program_observer.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <initializer_list>
#include <set>
#include <string>

#include "harness/cli/work_folder_model.h"
#include "harness/external/manifests/program_strings.h"

namespace fixpoint::external {
namespace {

constexpr const char* kReview =
    R"({"kind":"AdmissionReview","request":{"uid":"u","object":{"kind":"Pod","metadata":)"
    R"({"labels":{"set.a":"x"},)"
    R"("annotations":{"note":"{\"a\":1}","size":"s-9","mode":"by","level":"up","files":"web:x"}},)"
    R"("spec":{"containers":[{"name":"web"}]}}}})"
    "\n";

/// Runs a program observed, with a review on its standard input, and returns the lines without their order.
std::set<std::string> lines_of(const std::string& command, const std::string& program,
                               const std::string& text) {
  const cli::WorkFolder folder("observed");
  folder.write(program, text);
  folder.write("review", kReview);
  const auto observer = ProgramObserver::make().value();
  std::string environment = "env ";
  for (const std::string& variable : observer->environment()) environment += "'" + variable + "' ";
  const auto ran = folder.shell(environment + command + " " + program + " < review");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "as ever\n") << "the program notices nothing";
  std::set<std::string> lines;
  const std::string all = observer->take_lines();
  EXPECT_EQ(observer->has_begun(), !all.empty());
  EXPECT_EQ(observer->take_lines(), "");
  for (std::size_t at = 0; at < all.size(); at = all.find('\n', at) + 1)
    lines.insert(all.substr(at, all.find('\n', at) - at));
  return lines;
}

void expect_lines(const std::set<std::string>& lines, std::initializer_list<const char*> expected) {
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  for (const char* line : expected) EXPECT_TRUE(lines.contains(line)) << line << "\nin\n" << all;
}

TEST(ProgramObserver, SeesWhatAProgramInPythonLooksUp) {
  if (std::system("python3 -c pass >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no python3";
  const auto lines = lines_of("python3", "hook.py", R"(
import copy, json, re, sys
review = json.loads(sys.stdin.readline())
pod = copy.deepcopy(review["request"]["object"])
labels = pod["metadata"]["labels"]
pod["metadata"].get("annotations", {}).get("a.example.com/inject")
for key in labels:
    if key.startswith("set."):
        parts = key.split(".")
        parts[1] in ("one", "two")
        re.match("[0-9]+", parts[-1])
notes = json.loads(pod["metadata"]["annotations"]["note"])
notes.get("mode")
pod["metadata"]["annotations"]["size"].lower().removeprefix("s-") == "10"
"@vault" in pod["spec"]["containers"][0]["name"]
assert isinstance(labels, dict) and json.dumps({**labels}) == '{"set.a": "x"}'
assert labels == {"set.a": "x"} and str(labels["set.a"]) == "x" and labels["set.a"] in {"x": 1}
print("as ever")
)");
  expect_lines(lines,
               {R"({"in": "metadata.annotations", "key": "a.example.com/inject"})",
                R"({"in": "metadata.labels", "key": "set.a.a", "offered": true})",
                R"({"in": "metadata.labels", "key": "set.one", "offered": true})",
                R"({"in": "metadata.labels", "key": "set.two", "offered": true})",
                R"({"in": "metadata.labels", "key": "", "pattern": "[0-9]+", "before": "set.", "after": ""})",
                R"({"in": "metadata.annotations", "key": "note", "text": "{\"a\": 1, \"mode\": \"a\"}"})",
                R"({"in": "metadata.annotations", "key": "size", "text": "s-10"})",
                R"({"in": "spec.containers[*]", "key": "name", "text": "@vault"})"});
}

TEST(ProgramObserver, SeesWhatAProgramInNodeLooksUp) {
  if (std::system("node -e 0 >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no node";
  const auto lines = lines_of("node", "hook.js", R"(
const review = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const pod = structuredClone(review.request.object);
const { labels, annotations } = pod.metadata;
annotations['a.example.com/inject'];
for (const key of Object.keys(labels)) {
  if (!key.startsWith('set.')) continue;
  const parts = key.split('.');
  ['one', 'two'].includes('set.a'.split('.')[0]);
  /^[0-9]+$/.test(key.slice(4));
}
JSON.parse(annotations.note).mode;
'agent' in labels;
annotations.size.endsWith('-10');
if (JSON.stringify({ ...labels }) !== '{"set.a":"x"}') throw new Error('labels');
if (!Array.isArray(pod.spec.containers)) throw new Error('containers');
console.log('as ever');
)");
  expect_lines(lines, {R"({"in":"metadata.annotations","key":"a.example.com/inject"})",
                       R"({"in":"metadata.labels","key":"agent"})",
                       R"({"in":"metadata.labels","key":"set.a.a","offered":true})",
                       R"({"in":"metadata.annotations","key":"note","text":"{\"a\":1,\"mode\":\"a\"}"})",
                       R"({"in":"metadata.annotations","key":"size","text":"a-10"})"});
}

/// Names of the object's own stand in its annotations for any such name, and tables for their keys.
TEST(ProgramObserver, SeesInPythonWhereATextIsLookedUp) {
  if (std::system("python3 -c pass >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no python3";
  const auto lines = lines_of("python3", "hook.py", R"(
import json, sys
MODES, PORTS = {"strict"}, {"web": 80}
ACCOUNTS = json.loads('{"up/robot": {}}')
class Levels:
    BY_NAME = {"low": 1}
review = json.loads(sys.stdin.readline())
pod = review["request"]["object"]
notes = pod["metadata"]["annotations"]
names = [one["name"] for one in pod["spec"]["containers"]]
for text, table in ((notes["size"], MODES), (notes["mode"], set(names))):
    text in table
PORTS.get(notes["mode"])
ACCOUNTS.get(f"{notes['level']}/{notes['mode']}")
Levels.BY_NAME.get(notes["level"])
for part in notes["files"].split(","):
    name, _, path = part.partition(":")
    name in names and path.startswith("/")
try:
    int(notes["level"])
except ValueError:
    pass
print("as ever")
)");
  expect_lines(lines,
               {R"({"in": "metadata.annotations", "key": "size", "text": "strict"})",
                R"({"in": "metadata.annotations", "key": "mode", "text": "<name of a container>"})",
                R"({"in": "metadata.annotations", "key": "mode", "text": "web"})",
                R"({"in": "metadata.annotations", "key": "level", "text": "low"})",
                R"({"in": "metadata.annotations", "key": "mode", "text": "robot"})",
                R"({"in": "metadata.annotations", "key": "level", "text": "8080"})",
                R"({"in": "metadata.annotations", "key": "files", "text": ")"
                R"(<name of a container>:x,a", "grown": true})",
                R"({"in": "metadata.annotations", "key": "files", "text": ")"
                R"(<name of a container>:x,<name of a container>:x"})",
                R"({"in": "metadata.annotations", "key": "files", "text": "<name of a container>:/a/a"})"});
}

TEST(ProgramObserver, SeesInNodeWhereATextIsLookedUp) {
  if (std::system("node -e 0 >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no node";
  const auto lines = lines_of("node", "hook.js", R"(
const pod = JSON.parse(require('fs').readFileSync(0, 'utf8')).request.object;
const { annotations } = pod.metadata;
const names = pod.spec.containers.map((one) => one.name);
new Map([['strict', 1]]).get(annotations.size);
JSON.parse('{"up/robot":{}}')[`${annotations.level}/${annotations.mode}`];
const { level } = annotations;
if (annotations['level'] === 'low' || typeof level === 'number') throw new Error(level);
switch (annotations.size) { case 'small': throw new Error('small'); }
new Set(names).has(annotations.mode);
for (const part of annotations.files.split(',')) {
  const [name, path] = part.split(':');
  if (names.includes(name)) path.startsWith('/');
}
console.log('as ever');
)");
  expect_lines(
      lines,
      {R"({"in":"metadata.annotations","key":"size","text":"strict"})",
       R"({"in":"metadata.annotations","key":"mode","text":"robot"})",
       R"({"in":"metadata.annotations","key":"level","text":"low"})",
       R"({"in":"metadata.annotations","key":"size","text":"small"})",
       R"({"in":"metadata.annotations","key":"mode","text":"<name of a container>"})",
       R"({"in":"metadata.annotations","key":"files","text":"<name of a container>:x,a","grown":true})",
       R"({"in":"metadata.annotations","key":"files","text":")"
       R"(<name of a container>:x,<name of a container>:x"})"});
}

TEST(ProgramObserver, IsForThoseTwoInterpreters) {
  const cli::WorkFolder folder("observable");
  folder.write("hook", "#!/usr/bin/env python3\nprint()\n");
  folder.write("hook.sh", "#!/bin/sh\necho\n");
  for (const std::string& program :
       {std::string("python3.11"), std::string("/usr/bin/node"), folder.path("hook")})
    EXPECT_TRUE(is_observable({program, "x"})) << program;
  EXPECT_TRUE(is_observable({"env", "python3", "x"}));
  for (const std::string& program :
       {std::string("sh"), std::string("/bin/ls"), folder.path("hook.sh"), std::string("env")})
    EXPECT_FALSE(is_observable({program, "hook.py"})) << program;
  EXPECT_FALSE(is_observable({}));
}

/// Programs in other languages, and interpreters that heed no environment, write nothing.
TEST(ProgramObserver, IsNotNoticedElsewhere) {
  EXPECT_TRUE(lines_of("sh", "hook.sh", "echo as ever\n").empty());
}

}  // namespace
}  // namespace fixpoint::external
