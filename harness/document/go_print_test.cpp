#include "harness/document/go_print.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "harness/document/joined.h"
#include "harness/document/json.h"
#include "harness/document/split.h"

namespace fixpoint::document {
namespace {

/// The texts of Go for the same values, decoded from JSON with integers as int64.
TEST(GoPrint, ArePrintedAsGoPrintsThem) {
  const Value value = *read_json(R"({"b":[1,"x",null,1.5],"a":{"d":true,"c":{}},"e":1000000.5})");
  EXPECT_EQ(go_plain(value), "map[a:map[c:map[] d:true] b:[1 x <nil> 1.5] e:1.0000005e+06]");
  EXPECT_EQ(go_plain(value,
                     [](const Value& part) {
                       return part.is_number() ? std::optional<std::string>("N") : std::nullopt;
                     }),
            "map[a:map[c:map[] d:true] b:[N x <nil> N] e:N]");
  const struct {
    const char *json, *type;
  } rows[] = {{"1", "int64"},   {"1.5", "float64"},       {R"("x")", "string"},
              {"true", "bool"}, {"[]", "[]interface {}"}, {"{}", "map[string]interface {}"},
              {"null", "<nil>"}};
  for (const auto& row : rows) EXPECT_EQ(go_type_name(*read_json(row.json)), row.type);
}

RC_GTEST_PROP(Split, UndoesJoining, ()) {
  const auto part = rc::gen::container<std::string>(rc::gen::element('a', 'b'));
  const auto parts = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(part));
  const std::string text = joined(parts, ",");
  const auto found = split(text, ",");
  RC_ASSERT(std::vector<std::string>(found.begin(), found.end()) == parts);
  for (const std::string_view one : split(text, ",", false)) RC_ASSERT(!one.empty());
}

}  // namespace
}  // namespace fixpoint::document
