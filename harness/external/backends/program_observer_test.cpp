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
    R"("annotations":{"note":"{\"a\":1}","size":"s-9"}},"spec":{"containers":[{"name":"web"}]}}}})"
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
