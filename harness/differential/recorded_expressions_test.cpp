#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>

#include "harness/oracle/oracle_cel.h"
#include "harness/oracle/oracle_cel_kinds.h"

namespace fixpoint::oracle {
namespace {

using Is = CelValue::Is;

Json as_recorded(const CelValue& value);

Json all_recorded(const CelList& list) {
  Json all = Json::array();
  for (const CelValue& element : list) all.push_back(as_recorded(element));
  return all;
}

Json pairs_recorded(const CelEntries& entries) {
  Json pairs = Json::array();
  for (const auto& [key, value] : entries) pairs.push_back({as_recorded(key), as_recorded(value)});
  std::sort(pairs.begin(), pairs.end(), [](const Json& a, const Json& b) { return a.dump() < b.dump(); });
  return pairs;
}

/// A value as the lines of cel.ndjson write it (docs/formats.md#vectors). Durations, bytes, quantities and
/// objects are compared where policies write them.
Json as_recorded(const CelValue& value) {
  switch (value.is) {
    case Is::null:
      return nullptr;
    case Is::boolean:
      return value.truth;
    case Is::integer:
      return value.integer;
    case Is::natural:
      return {{"uint", value.natural}};
    case Is::real:
      return {{"double", cel_real_text(value.real)}};
    case Is::text:
      return value.text;
    case Is::list:
      return all_recorded(*value.elements);
    case Is::map:
      return {{"map", pairs_recorded(*value.entries)}};
    case Is::type:
      return {{"type", value.text}};
    case Is::time:
      return {{"timestamp", cel_time_text(value)}};
    case Is::optional:
      return {{"optional", all_recorded(*value.elements)}};
    default:
      throw Unsupported("a value that is not compared");
  }
}

CelValue evaluated(const Json& line) {
  CelInputs inputs;
  CelKinds kinds;
  for (const char* name : {"object", "oldObject", "namespaceObject", "request"}) {
    inputs.values[name] = {};
    kinds[name] = "dyn";
  }
  for (const auto& [name, value] : at(line, "variables").items()) {
    if (name == "authorizer") throw Unsupported(name);
    inputs.values[name] = cel_of(value);
    kinds[name] = name == "request" ? "request" : name == "namespaceObject" ? "namespace" : "dyn";
  }
  if (at(at(line, "environment"), "patchTypes") == Json(true)) kinds["Object{}"] = "";
  std::map<std::string, std::string> compositions;
  for (const Json& one : each(at(line, "compositions"))) {
    compositions[text_at(one, "name")] = text_at(one, "expression");
    kinds["variables." + text_at(one, "name")] = "?";
  }
  inputs.variable = [&](const std::string& name) {
    return evaluate_cel(read_cel(compositions.at(name)), inputs);
  };
  const CelNode node = read_cel(text_at(line, "expression"));
  cel_kind(node, kinds);
  return evaluate_cel(node, inputs);
}

/// The oracle checks no types, so lines that do not compile are left out.
TEST(Oracle, EvaluatesExpressionsAsRecorded) {
  std::ifstream in(FIXPOINT_SOURCE "/corpus/conformance/kubernetes/cel.ndjson");
  ASSERT_TRUE(in.good());
  int compared = 0;
  std::map<std::string, int> unsupported;
  for (std::string text; std::getline(in, text);) {
    Json line;
    try {
      line = read(text);
      const Json& expected = at(line, "expect");
      const bool is_about_cost = text_at(expected, "runtimeError").find("cost limit") != std::string::npos;
      if (expected.contains("compileError") || is_about_cost) continue;
      try {
        const CelValue value = evaluated(line);
        if (!expected.contains("value")) {
          ADD_FAILURE() << text_at(line, "id") << ": " << text_at(line, "expression") << " has a value";
        } else if (const std::string found = write(as_recorded(value)), wanted = write(expected["value"]);
                   found != wanted) {
          ADD_FAILURE() << text_at(line, "id") << ": " << text_at(line, "expression") << " is " << found
                        << ", recorded " << wanted;
        }
      } catch (const CelFailed& failed) {
        EXPECT_TRUE(expected.contains("runtimeError"))
            << text_at(line, "id") << ": " << text_at(line, "expression") << " fails: " << failed.what();
      }
      ++compared;
    } catch (const Unsupported& reason) {
      ++unsupported[reason.what()];
    }
  }
  int left_out = 0;
  for (const auto& [reason, times] : unsupported) {
    left_out += times;
    std::printf("%4d %s\n", times, reason.c_str());
  }
  std::printf("%d expressions compared, %d outside the reference model\n", compared, left_out);
  EXPECT_GT(compared, 600);
}

}  // namespace
}  // namespace fixpoint::oracle
