#include "harness/document/yaml.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "harness/document/json.h"
#include "harness/document/random_document_model.h"

namespace fixpoint::document {
namespace {

/// The document as JSON, or the error.
std::string read(std::string_view text, const Limits& limits = {}) {
  const auto documents = read_yaml(text, limits);
  return documents ? write_json(*documents) : documents.error().text();
}

struct Scalar {
  const char* yaml;
  const char* json;
};

TEST(Yaml, ScalarsAreReadAsGoReadsThem) {
  constexpr Scalar kScalars[] = {
      {"yes", "true"},
      {"On", "true"},
      {"y", "true"},
      {"n", "false"},
      {"OFF", "false"},
      {"yEs", "\"yEs\""},
      {"~", "null"},
      {"", "null"},
      {"NULL", "null"},
      {"nULL", "\"nULL\""},
      {"0644", "420"},
      {"08", "8"},
      {"0o17", "15"},
      {"0b11", "3"},
      {"0x1F", "31"},
      {"-0x10", "-16"},
      {"1_000", "1000"},
      {"+12", "12"},
      {"-0", "0"},
      {"0b-1", "-1"},
      {"1.0", "1"},
      {"1e3", "1000"},
      {".5", "0.5"},
      {"-.5e1", "-5"},
      {"5.", "5"},
      {"1e21", "1e+21"},
      {"1e-7", "1e-7"},
      {"1e400", "\"1e400\""},
      {"1e-400", "0"},
      {"-0.0", "-0"},
      {".5_0", "0.5"},
      {"1:30", "\"1:30\""},
      {"_1", "\"_1\""},
      {"0x", "\"0x\""},
      {"100m", "\"100m\""},
      {"2001-01-01", "\"2001-01-01\""},
      {"\"yes\"", "\"yes\""},
      {"'0644'", "\"0644\""},
      {"!!str 12", "\"12\""},
      {"!!int \"12\"", "12"},
      {"!!float 1", "1"},
      {"!foo 12", "\"12\""},
      {"!!binary aGk=", "\"hi\""},
      {"!number 1.0", "1.0"},
      {"9223372036854775808", "9223372036854775808"},
      {"18446744073709551616", "18446744073709552000"},
      {"<<", "\"<<\""},
      {"|\n a\n b\n", "\"a\\nb\\n\""},
  };
  for (const Scalar& each : kScalars)
    EXPECT_EQ(read(std::string("a: ") + each.yaml), std::string("{\"a\":") + each.json + "}") << each.yaml;
}

TEST(Yaml, KeysBecomeStrings) {
  EXPECT_EQ(read("{1: a, yes: b, 0644: c, 1.5: d, 1e7: e, .inf: f, '1': g, 2001-01-01: h}"),
            R"({"1":"a","true":"b","420":"c","1.5":"d","1e+07":"e",".inf":"f","1":"g","2001-01-01":"h"})");
  EXPECT_EQ(read("~: 1"), "document 1: line 1, column 1: null is no name of a member");
  EXPECT_EQ(read("{[1]: 1}"), "document 1: line 1, column 2: a list or a map is no name of a member");
}

TEST(Yaml, MergesAsGoDoes) {
  const std::string base = "a: &a {x: 1, z: 2}\n";
  EXPECT_EQ(read(base + "b: {<<: *a, x: 3}"), R"({"a":{"x":1,"z":2},"b":{"x":3,"z":2}})");
  EXPECT_EQ(read(base + "b: {x: 3, <<: *a}"), R"({"a":{"x":1,"z":2},"b":{"x":1,"z":2}})");
  EXPECT_EQ(read("b:\n  <<: [{x: 1}, {x: 2, z: 3}]"), R"({"b":{"x":1,"z":3}})");
  EXPECT_EQ(read("b: {'<<': 1}"), R"({"b":{"<<":1}})");
  EXPECT_EQ(read("b: {<<: 1}"),
            "document 1: line 1, column 9, at /b/<<: \"<<\" merges a map or a list of maps");
}

TEST(Yaml, EscapesAreCharacters) {
  EXPECT_EQ(read(R"(["\N\_\L\x41\u00e4\U0001F600", "\e\0"])"),
            "[\"\xC2\x85\xC2\xA0\xE2\x80\xA8"
            "A\xC3\xA4\xF0\x9F\x98\x80\",\"\\u001b\\u0000\"]");
}

TEST(Yaml, DuplicatesAreKept) { EXPECT_EQ(read("a: 1\nb: 2\na: 3\n"), R"({"a":1,"b":2,"a":3})"); }

TEST(Yaml, AByteOrderMarkIsNoContent) { EXPECT_EQ(read("\xEF\xBB\xBFnull"), "null"); }

TEST(Yaml, StreamsHaveManyDocuments) {
  const auto documents = read_yaml_stream("# first\n---\na: 1\n---\n---\nnull\n---\n[2]\n...\n");
  ASSERT_TRUE(documents.ok());
  ASSERT_EQ(documents->size(), 3u);
  EXPECT_TRUE((*documents)[1].is_null());
  EXPECT_EQ(read("- a\nb"), "document 2: line 2, column 1: expected \"---\" before another document");
  EXPECT_EQ(read("a: 1\n---\nb: 2\n"), "expected one document, found 2");
}

TEST(Yaml, ErrorsNameThePlace) {
  EXPECT_EQ(read("a:\n  b: [1, {c: !!int x}]"),
            "document 1: line 2, column 14, at /a/b/1/c: \"x\" is no int");
  EXPECT_EQ(read("\"a\\nb\": !!int 'x\n\n y'"),
            R"(document 1: line 1, column 9, at /a\nb: "x\ny" is no int)");
  EXPECT_EQ(read("a: .nan"), "document 1: line 1, column 4, at /a: \".nan\" is no number of JSON");
  EXPECT_EQ(read("a: \"\x01\""), "line 1, column 5: a byte that is in no YAML text");
  EXPECT_EQ(read("a: b\n\xff"), "line 2, column 1: a byte that is in no YAML text");
  for (const char* broken :
       {"a: [1", "a: 'x", "a: *b", "a: \"\\q\"", "%TAG x", "a: {b", "\t- a: b\n", "&a [*a]"}) {
    const auto text = read(broken);
    EXPECT_EQ(text.find("document 1: line "), 0u) << broken << ": " << text;
    EXPECT_EQ(text.find('\n'), std::string::npos);
  }
}

TEST(Yaml, BombsMeetNamedLimits) {
  std::string laughs = "a0: &a0 [x, x]\n";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "*a" + std::to_string(i - 1), name = "a" + std::to_string(i);
    laughs += name + ": &" + name + " [" + before + ", " + before + "]\n";
  }
  EXPECT_NE(read(laughs).find("aliases_max = 10000"), std::string::npos);
  EXPECT_NE(read(laughs, {.values_max = 900}).find("values_max = 900"), std::string::npos);
  const std::string wide = "a: &a " + std::string(1000, 'x') + "\nb: [*a, *a, *a]\n";
  EXPECT_NE(read(wide, {.document_bytes_max = 3000}).find("document_bytes_max = 3000"), std::string::npos);
  const std::string nested = "a: &a [[[1]]]\nb: [[*a]]\n";
  EXPECT_EQ(read(nested, {.depth_max = 6})[0], '{');
  EXPECT_NE(read(nested, {.depth_max = 5}).find("depth_max = 5"), std::string::npos);
}

TEST(Yaml, LongTextsAreNotParsedAtAll) {
  EXPECT_EQ(read(std::string(1 << 20, '[')),
            "line 1, column 10001: more than 10000 brackets are open, far deeper than any depth_max");
  EXPECT_EQ(read("a: 1\n---\nb: 12345\n", {.document_bytes_max = 10}),
            "line 3, column 7: the document is longer than document_bytes_max = 10");
  EXPECT_EQ(read_yaml_stream("a: 1\n---\nb: 1\n---\nc: 1\n", {.document_bytes_max = 12})->size(), 3u);
}

TEST(Yaml, DeepTextsAreRefusedOnTheWay) {
  std::string blocks, maps;
  for (int i = 0; i < 100'000; ++i) blocks += "- ", maps += "{a: ";
  std::string keys, questions;
  for (int i = 0; i < 2'000; ++i) keys += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  for (int i = 0; i < 100'000; ++i) questions += "? ";
  for (const std::string& deep :
       {std::string(100'000, '['), blocks, maps, keys, questions, "a: " + std::string(100'000, '{')}) {
    const auto text = read(deep);
    EXPECT_NE(text.find("line "), std::string::npos) << text.substr(0, 100);
    const auto shallow = read(deep, {.depth_max = 10});
    EXPECT_NE(shallow.find("line "), std::string::npos) << shallow.substr(0, 100);
  }
}

TEST(Yaml, WritesBlockStyle) {
  const Value pod = *read_json(
      R"({"kind":"Pod","metadata":{"labels":{}},"list":[{"name":"a","args":["-x","yes",1,1.0,null]},[],)"
      R"([[true]]],)"
      R"("text":"one\ntwo\n","odd":"a: b","time":"2001-01-01","mode":"0644"})");
  EXPECT_EQ(write_yaml(pod), R"(kind: Pod
metadata:
  labels: {}
list:
  - name: a
    args:
      - "-x"
      - "yes"
      - 1
      - !number 1.0
      - null
  - []
  - - - true
text: |
  one
  two
odd: "a: b"
time: 2001-01-01
mode: "0644"
)");
}

constexpr const char* kNasty[] = {"",
                                  " ",
                                  "a ",
                                  " a",
                                  "\n",
                                  "a\n",
                                  "a\nb",
                                  "a\n\nb\n\n",
                                  "\na",
                                  "a\n b\n",
                                  " a\nb",
                                  "a \nb",
                                  "\t",
                                  "a\tb\n",
                                  "#",
                                  "a #b",
                                  "a: b",
                                  "a:",
                                  ":a",
                                  "- a",
                                  "-",
                                  "--- a",
                                  "---\na",
                                  "...",
                                  "...\nb",
                                  "? a",
                                  "&a",
                                  "*a",
                                  "!a",
                                  "|",
                                  ">",
                                  "%a",
                                  "@a",
                                  "`a",
                                  "'",
                                  "\"",
                                  "\\",
                                  "{",
                                  "}",
                                  "[a]",
                                  "a,b",
                                  "<<",
                                  "=",
                                  "~",
                                  "\xC2\x85",
                                  "\xE2\x80\xA8",
                                  "\xEF\xBB\xBF",
                                  "\xEF\xBF\xBE",
                                  "\xF0\x9F\x98\x80",
                                  "\x7f",
                                  "\xC2\xA0",
                                  "\r\n",
                                  "a\r",
                                  "0x",
                                  "1_0",
                                  "0b",
                                  "+",
                                  ".",
                                  "x: y\nz",
                                  "# a\nb",
                                  "- a\n- b",
                                  "2001-01-01 10:00:00",
                                  "null",
                                  "Null",
                                  "n",
                                  "key with spaces",
                                  "a\n# b\n",
                                  "a\n---\nb\n",
                                  "a\n...\n"};
TEST(Yaml, WhatIsWrittenIsRead) {
  std::vector<Value> nasty(std::begin(kNasty), std::end(kNasty));
  nasty.emplace_back(std::string(5000, 'k'));
  nasty.emplace_back(std::string("a\0b", 3));
  for (const char* number :
       {"0", "-0", "1.0", "1e400", "0.10", "1E2", "123456789012345678901234567890", "1e-7", "-1.5"})
    nasty.push_back(Value::number(number));
  for (const Value& each : nasty) {
    const Value key{{std::string(each.text()), 1}, {"x", each}};
    for (const Value& value : {each, Value::list({each, each}), key, Value::list({key}),
                               Value{{"a", Value::list({key, each})}, {"b", key}}}) {
      const auto back = read_yaml(write_yaml(value));
      ASSERT_TRUE(back.ok()) << back.error().text() << "\n" << write_yaml(value);
      EXPECT_EQ(*back, value) << write_yaml(value);
    }
  }
}

TEST(Yaml, IsWrittenInOneLineForAReader) {
  const auto pod = read_json(R"({"spec":{"containers":[{"image":"a:1","name":"b"}],"x":[]},"z":"1,2"})");
  EXPECT_EQ(write_yaml_line(*pod), "{spec: {containers: [{name: b, image: a:1}], x: []}, z: \"1,2\"}");
}

RC_GTEST_PROP(Yaml, WhatIsWrittenInOneLineIsRead, ()) {
  const Choose choose = [](std::uint32_t bound) { return *rc::gen::inRange<std::uint32_t>(0, bound); };
  const auto text = *rc::gen::string<std::string>();
  const Value value{{"x", random_document(choose, 5, true)},
                    {"text", *read_json(write_go_json(Value(text)), {}, Strictness::foreign)}};
  const Value clean = *read_json(write_json(value), {}, Strictness::foreign);
  const std::string line = write_yaml_line(clean);
  RC_ASSERT(line.find('\n') == std::string::npos);
  const auto back = read_yaml(line);
  RC_ASSERT(back.ok());
  RC_ASSERT(sorted(*back) == sorted(clean));
}

RC_GTEST_PROP(Yaml, WhatIsWrittenIsReadRandomly, ()) {
  const Choose choose = [](std::uint32_t bound) { return *rc::gen::inRange<std::uint32_t>(0, bound); };
  const auto text = *rc::gen::string<std::string>();
  for (int i = 0; i < 20; ++i) {
    const Value value{{"x", random_document(choose, 5, true)},
                      {"text", *read_json(write_go_json(Value(text)), {}, Strictness::foreign)}};
    const Value clean = *read_json(write_json(value), {}, Strictness::foreign);
    const auto back = read_yaml(write_yaml(clean));
    RC_ASSERT(back.ok());
    RC_ASSERT(*back == clean);
  }
}

}  // namespace
}  // namespace fixpoint::document
