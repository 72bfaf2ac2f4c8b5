#include "generators/requests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "generators/boundary_values.h"
#include "generators/typed_edits.h"
#include "harness/apiserver/admission/admission.h"
#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/registry/whole_request.h"
#include "harness/apiserver/validation/validate.h"
#include "harness/document/json.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::generators {
namespace {

using document::Value;
using runner::Choices;

Value nth(std::string_view kind, std::uint64_t index, int minor = apiserver::kNewestMinor) {
  Choices choices(2026, index);
  return draw_request(kind, std::string(kind) + "-" + std::to_string(index), choices, minor);
}

TEST(Requests, EqualDecisionsGiveEqualBytes) {
  for (const std::string_view kind : kRequestKinds) {
    for (std::uint64_t i = 0; i < 100; ++i) {
      EXPECT_EQ(document::write_json(nth(kind, i)), document::write_json(nth(kind, i))) << kind << " " << i;
    }
  }
}

TEST(Requests, AreLinesThatReadBack) {
  for (const std::string_view kind : kRequestKinds) {
    for (std::uint64_t i = 0; i < 500; ++i) {
      const std::string text = document::write_json(nth(kind, i));
      EXPECT_EQ(text.find('\n'), std::string::npos);
      const auto read = document::read_json(text, {}, document::Strictness::foreign);
      ASSERT_TRUE(read.ok()) << text;
      EXPECT_EQ(document::write_json(*read), text);
      EXPECT_EQ((*read)["kind"].text(), kind);
    }
  }
}

TEST(Requests, PodsThatMustDecodeDo) {
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Value warn = nth("warn", i), validate = nth("validate", i);
    EXPECT_TRUE(apiserver::defaulted_pod(warn["pod"]).ok()) << document::write_json(warn);
    const auto errors =
        apiserver::errors_of_request(validate["operation"].text(), validate["pod"], validate["old"]);
    EXPECT_TRUE(errors.ok()) << document::write_json(validate);
  }
}

TEST(Requests, CasesRunAndNeverWaitForATimeout) {
  for (std::uint64_t i = 0; i < 500; ++i) {
    const auto value = cases::read_case(nth("admit", i)["case"]);
    ASSERT_TRUE(value.ok()) << value.error().text();
    for (const auto& [name, backend] : value->webhooks) {
      EXPECT_TRUE(std::holds_alternative<cases::Script>(backend)) << name;
    }
    for (const cases::Fault& fault : value->faults) EXPECT_NE(fault.fault, "timeout");
    const auto handlers = webhooks::handlers(*value, {});
    ASSERT_TRUE(handlers.ok()) << handlers.error().text();
    const auto admission = apiserver::admit(*value, webhooks::with_all_faults(*handlers, value->faults));
    EXPECT_TRUE(admission.ok()) << admission.error().text();
  }
}

/// A live run can only find differences in rules that its requests reach.
TEST(Requests, ReachManyRules) {
  std::map<std::string, int> seen;
  int valid = 0, refused = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Value line = nth("validate", i);
    const auto errors = apiserver::errors_of_request(line["operation"].text(), line["pod"], line["old"]);
    valid += errors->empty() ? 1 : 0;
    for (const auto& error : *errors) {
      ++seen[error.type + " " + error.field.substr(0, error.field.find('['))];
    }
    const auto decoded = apiserver::defaulted_pod(nth("decode", i)["in"]);
    refused += decoded.ok() ? 0 : 1;
    ++seen[std::string(line["operation"].text())];
  }
  EXPECT_GE(seen.size(), 60u);
  EXPECT_GT(valid, 200);
  EXPECT_GT(refused, 200);
  EXPECT_LT(refused, 1800);
  for (const char* operation : {"create", "update", "ephemeralcontainers", "resize"}) {
    EXPECT_GE(seen[operation], 50) << operation;
  }
}

TEST(Requests, OfOlderMinorsNameThem) {
  EXPECT_EQ(nth("warn", 1, 33)["version"].text(), "1.33");
  EXPECT_TRUE(nth("warn", 1)["version"].is_null());
  EXPECT_EQ(nth("admit", 1, 33)["case"]["cluster"]["version"].text(), "1.33");
}

bool names_its_kind(const Value& pod) {
  return std::any_of(pod.members().begin(), pod.members().end(), [](const document::Member& member) {
    std::string name(member.key.text());
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return name == "apiversion" || name == "kind";
  });
}

TEST(TypedEdits, KeepTheTypesUnlessCareless) {
  int decoded = 0;
  for (std::uint64_t i = 0; i < 500; ++i) {
    Choices choices(7, i);
    Value pod{{"metadata", {{"name", "web"}}}};
    edit_pod(pod, choices, {});
    const auto answer = apiserver::defaulted_pod(pod);
    decoded += answer.ok() ? 1 : 0;
    if (answer.ok()) continue;
    EXPECT_TRUE(names_its_kind(pod)) << document::write_json(pod) << answer.error().text();
  }
  EXPECT_GT(decoded, 250);
}

TEST(BoundaryValues, KnowNamesOfTheSamePod) {
  const std::vector<std::string> known{"known"};
  int times = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    Choices choices(7, i);
    times += boundary_text(choices, "containerName", known) == "known" ? 1 : 0;
  }
  EXPECT_GT(times, 40);
  EXPECT_LT(times, 160);
}

}  // namespace
}  // namespace fixpoint::generators
