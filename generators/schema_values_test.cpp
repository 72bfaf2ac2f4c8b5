#include "generators/schema_values.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "harness/apiserver/custom/whole_object.h"
#include "harness/apiserver/types/quantity.h"
#include "harness/cases/kind.h"
#include "harness/cases/minors.h"
#include "harness/document/json.h"
#include "harness/runner/learning/plain_schemas.h"

namespace fixpoint::generators {
namespace {

using document::Value;

constexpr const char* kSchemas[] = {
    R"({"type":"object","required":["spec"],"properties":{"spec":{"type":"object","required":["mode"],
        "properties":{"mode":{"type":"string","enum":["strict","lax"]},
                      "port":{"type":"integer","minimum":1,"maximum":65535},
                      "replicas":{"type":"integer"},
                      "enabled":{"type":"boolean"},
                      "selector":{"type":"object","additionalProperties":{"type":"string"}},
                      "images":{"type":"array","minItems":1,"items":{"type":"string","minLength":3}}}}}})",
    R"({"type":"array","items":{"type":"object","properties":{"name":{"type":"string","maxLength":3}}}})",
    R"({"type":"integer","minimum":-5,"maximum":-5})",
    R"({"type":"string","format":"date-time"})",
    R"({"type":"string","pattern":"^/.*"})",
    R"({"type":"string","pattern":"^[0-9]+[KMG]i$"})",
};

bool conforms(const char* schema, const Value& value) {
  const auto of_schema = nlohmann::json::parse(schema);
  const auto of_value = nlohmann::json::parse(document::write_json(value));
  valijson::Schema parsed;
  valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(of_schema), parsed);
  valijson::Validator validator;
  return validator.validate(parsed, valijson::adapters::NlohmannJsonAdapter(of_value), nullptr);
}

/// Returns how many of 400 objects have an element at a.b.c[].
int reached(const runner::Vocabulary& words) {
  const Value schema = *document::read_json(
      R"({"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"object","properties":{
          "c":{"type":"array","items":{"type":"object"}}}}}}}})");
  int count = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    runner::Choices choices(1, seed);
    count += draw_schema_value(choices, schema, {.words = &words})["a"]["b"]["c"].empty() ? 0 : 1;
  }
  return count;
}

TEST(SchemaValues, WhatAProgramWalksThroughIsMostlyThere) {
  EXPECT_GT(reached({.named = {"a", "b", "c"}}), 2 * reached({}));
}

TEST(SchemaValues, ConformToTheirSchema) {
  for (const char* text : kSchemas) {
    const Value schema = document::read_json(text).value();
    for (std::uint64_t i = 0; i < 200; ++i) {
      runner::Choices choices(1, i);
      const Value value = draw_schema_value(choices, schema);
      EXPECT_TRUE(conforms(text, value)) << document::write_json(value);
    }
  }
  EXPECT_FALSE(conforms(kSchemas[0], document::read_json(R"({"spec":{"mode":"other"}})").value()));
}

TEST(SchemaValues, ReachEveryMemberAndEveryValueOfAnEnum) {
  const Value schema = document::read_json(kSchemas[0]).value();
  std::set<std::string> seen;
  for (std::uint64_t i = 0; i < 200; ++i) {
    runner::Choices choices(1, i);
    const Value value = draw_schema_value(choices, schema);
    for (const auto& member : value["spec"].members()) seen.insert(std::string(member.key.text()));
    seen.insert(std::string(value["spec"]["mode"].text()));
  }
  EXPECT_EQ(seen, (std::set<std::string>{"enabled", "images", "lax", "mode", "port", "replicas", "selector",
                                         "strict"}));
}

/// A text that a schema allows may be too long where a webhook copies it to: a label, a name.
TEST(SchemaValues, AreAtTimesLongerThanALabel) {
  for (const char* text : {R"({"type":"string"})", R"({"type":"string","maxLength":253,"minLength":1,
                              "pattern":"^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$"})"}) {
    const Value schema = document::read_json(text).value();
    std::set<std::size_t> sizes;
    for (std::uint64_t i = 0; i < 2000; ++i) {
      runner::Choices choices(1, i);
      const Value value = draw_schema_value(choices, schema);
      EXPECT_TRUE(conforms(text, value)) << document::write_json(value);
      sizes.insert(value.text().size());
    }
    EXPECT_TRUE(sizes.contains(64) && sizes.contains(253)) << text;
  }
}

constexpr const char* kQuantity =
    "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|"
    "([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";

/// An object that a typed client cannot decode hides all others of its kind from it.
TEST(SchemaValues, AGoTypeTakesQuantitiesAndDurations) {
  const Value quantity{{"x-kubernetes-int-or-string", true}, {"pattern", kQuantity}};
  const Value schema{{"type", "object"},
                     {"properties",
                      {{"timeout", {{"type", "string"}}},
                       {"limits", {{"type", "object"}, {"additionalProperties", quantity}}}}}};
  const runner::Vocabulary words;
  std::set<std::string> resources, durations;
  for (std::uint64_t i = 0; i < 400; ++i) {
    runner::Choices choices(5, i);
    const Value value = draw_schema_value(choices, schema, {.words = &words});
    for (const auto& member : value["limits"].members()) {
      resources.insert(std::string(member.key.text()));
      EXPECT_TRUE(!member.value.is_string() || apiserver::Quantity::parse(member.value.text()))
          << member.value.text();
    }
    if (value["timeout"].is_string()) durations.insert(std::string(value["timeout"].text()));
  }
  EXPECT_TRUE(resources.contains("cpu"));
  EXPECT_TRUE(durations.contains("1h30m"));
  EXPECT_FALSE(durations.contains("") || durations.contains("example"));
}

TEST(SchemaValues, QuantitiesAreQuantities) {
  const Value schema = document::read_json(
                           R"({"type":"object","additionalProperties":{"x-kubernetes-int-or-string":true,
          "pattern":"^([0-9]+)(m|[KMGTPE]i)?$"}})")
                           .value();
  for (std::uint64_t i = 0; i < 100; ++i) {
    runner::Choices choices(5, i);
    const Value value = draw_schema_value(choices, schema);
    for (const auto& member : value.members()) EXPECT_NE(member.value.text(), "50%");
  }
}

TEST(SchemaValues, NoTwoElementsOfAListHaveOneKey) {
  const Value schema =
      document::read_json(
          R"({"type":"array","maxItems":2,"x-kubernetes-list-map-keys":["name"],"items":{"type":"object",
          "required":["name"],"properties":{"name":{"type":"string","enum":["a","b"]}}}})")
          .value();
  for (std::uint64_t i = 0; i < 100; ++i) {
    runner::Choices choices(6, i);
    const Value list = draw_schema_value(choices, schema);
    if (list.size() == 2) {
      EXPECT_NE(list.at(0)["name"], list.at(1)["name"]);
    }
  }
}

TEST(SchemaValues, EndForARecursiveSchema) {
  Value schema{{"type", "object"}};
  for (int depth = 0; depth < 50; ++depth)
    schema = {{"type", "object"}, {"required", Value::list({"a"})}, {"properties", {{"a", schema}}}};
  runner::Choices choices(1, 1);
  EXPECT_LT(document::write_json(draw_schema_value(choices, schema)).size(), 200u);
}

/// Nothing validates the content of plain kinds here: what is drawn must be right by itself.
TEST(SchemaValues, ObjectsOfPlainKindsAreRight) {
  std::size_t kinds = 0;
  for (const cases::Kind& kind : cases::built_in_kinds()) {
    const Value& schema = runner::drawn_schema_of(kind);
    if (schema.is_null()) continue;
    ++kinds;
    std::set<std::string> seen;
    for (std::uint64_t i = 0; i < 60; ++i) {
      runner::Choices choices(5, i);
      const Value object = draw_valid_object(choices, kind, cases::kNewestMinor);
      EXPECT_TRUE(apiserver::custom::is_valid(object, schema, cases::kNewestMinor))
          << document::write_json(object);
      seen.insert(document::write_json(object));
    }
    if (!kind.is_namespace()) {
      EXPECT_GT(seen.size(), 15u) << kind.name << " is drawn in few ways";
    }
  }
  EXPECT_EQ(kinds, 19u) << "18 kinds, one of them in two versions";
}

TEST(SchemaValues, AreNullWhereTheSchemaSaysSo) {
  const Value schema = document::read_json(R"({"type":"array","minItems":1,
      "items":{"type":"object","nullable":true,"properties":{"a":{"type":"string"}}}})")
                           .value();
  std::size_t nulls = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    runner::Choices choices(7, i);
    const Value list = draw_schema_value(choices, schema);
    EXPECT_TRUE(apiserver::custom::is_valid(list, schema, cases::kNewestMinor));
    for (const Value& element : list.elements()) nulls += element.is_null() ? 1 : 0;
  }
  EXPECT_GT(nulls, 5u);
  EXPECT_LT(nulls, 150u);
}

/// A program looks up members that no schema names: of a map, or of an object of any form.
TEST(SchemaValues, HaveTheKeysThatAProgramLooksUp) {
  runner::Vocabulary words;
  words.map_keys = {"api-server-arg", "shared"};
  std::set<std::string> seen;
  const auto draw_all = [&](const char* schema) {
    seen.clear();
    for (std::uint64_t i = 0; i < 100; ++i) {
      runner::Choices choices(8, i);
      const Value object = draw_schema_value(choices, document::read_json(schema).value(), {.words = &words});
      for (const auto& member : object.members()) seen.emplace(member.key.text());
    }
  };
  draw_all(R"({"type":"object","additionalProperties":{"type":"string"}})");
  EXPECT_TRUE(seen.contains("api-server-arg"));
  EXPECT_TRUE(seen.contains("shared"));
  EXPECT_TRUE(seen.contains("app"));
  draw_all(R"({"type":"object","x-kubernetes-preserve-unknown-fields":true})");
  EXPECT_EQ(seen, std::set<std::string>{"api-server-arg"}) << "a member of a type may have any type";
}

}  // namespace
}  // namespace fixpoint::generators
