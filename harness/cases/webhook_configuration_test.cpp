#include "harness/cases/webhook_configuration.h"

#include <gtest/gtest.h>

#include "harness/document/yaml.h"

namespace fixpoint::cases {
namespace {

constexpr const char* kCase = R"(
apiVersion: fixpoint/v1
kind: Case
request: {object: {apiVersion: v1, kind: Pod}}
cluster:
  objects:
    - apiVersion: admissionregistration.k8s.io/v1
      kind: MutatingWebhookConfiguration
      metadata: {name: a}
      webhooks: [{name: x}, {name: w}]
    - apiVersion: admissionregistration.k8s.io/v1
      kind: MutatingWebhookConfiguration
      metadata: {name: b}
      webhooks: [{name: x}]
    - {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
webhooks: {a/x: {injector: one}, a/w: {injector: two}, b/x: {injector: three}}
faults: [{webhook: a/w, fault: timeout}, {webhook: b/x, fault: deny}]
)";

Result<Case> case_in(const std::string& text) {
  auto document = document::read_yaml(text);
  EXPECT_TRUE(document.ok());
  return read_case(*document);
}

TEST(Neighbours, AreReadAndWrittenOnlyWhereTheCaseListsThem) {
  const auto silent = case_in(kCase);
  ASSERT_TRUE(silent.ok());
  EXPECT_FALSE(silent->neighbours) << "an old Case does not say it";
  EXPECT_EQ(canonical_text(*silent).find("neighbours"), std::string::npos);
  for (const char* list : {"neighbours: []", "neighbours: [b]"}) {
    const auto listed = case_in(std::string(kCase) + list);
    ASSERT_TRUE(listed.ok()) << listed.error().text();
    ASSERT_TRUE(listed->neighbours);
    const auto again = read_case(write_case(*listed));
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(*again, *listed);
    EXPECT_EQ(is_neighbour(*again, "b"), std::string_view(list).ends_with("[b]"));
    EXPECT_FALSE(is_neighbour(*again, "a"));
  }
}

TEST(Neighbours, AreConfigurationsOfTheCase) {
  const auto unknown = case_in(std::string(kCase) + "neighbours: [b, c]");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().text(), "/neighbours/1: no MutatingWebhookConfiguration has this name");
}

TEST(RenamedConfigurations, ChangeNamesAtOnceAndAllThatNamesThem) {
  auto value = *case_in(std::string(kCase) + "neighbours: [b]");
  const Case before = value;
  rename_configurations(value, {{"a", "b"}, {"b", "a"}});
  EXPECT_EQ(configured_webhooks(value.cluster), (std::vector<std::string>{"a/x", "b/x", "b/w"}));
  EXPECT_EQ(std::get<InjectorName>(value.webhooks.at("a/x")).name, "three");
  EXPECT_EQ(std::get<InjectorName>(value.webhooks.at("b/w")).name, "two");
  EXPECT_EQ(value.faults[0].webhook, "b/w");
  EXPECT_TRUE(is_neighbour(value, "a"));
  EXPECT_EQ(value.cluster.objects[2], before.cluster.objects[2])
      << "a ConfigMap of the same name is another thing";
  EXPECT_TRUE(read_case(write_case(value)).ok());
  rename_configurations(value, {{"a", "b"}, {"b", "a"}});
  EXPECT_EQ(value, before);
}

TEST(WithoutAWebhook, NothingNamesIt) {
  const auto value = *case_in(std::string(kCase) + "neighbours: [b]");
  const Case less = without_webhook(value, "b/x");
  EXPECT_EQ(configured_webhooks(less.cluster), (std::vector<std::string>{"a/x", "a/w"}));
  EXPECT_EQ(less.neighbours, std::vector<std::string>{});
  EXPECT_EQ(less.faults.size(), 1U);
  EXPECT_TRUE(read_case(write_case(less)).ok());
  const Case one = without_webhook(value, "a/w");
  EXPECT_EQ(configured_webhooks(one.cluster), (std::vector<std::string>{"a/x", "b/x"}));
  EXPECT_TRUE(read_case(write_case(one)).ok());
}

constexpr const char* kValidated = R"(apiVersion: fixpoint/v1
kind: Case
request: {object: {}}
cluster:
  objects:
    - {apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: v},
       webhooks: [{name: x}, {name: z}]}
    - {apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: u},
       webhooks: [{name: x}]}
webhooks: {v/x: {injector: one}, u/x: {injector: two}}
faults: [{webhook: u/x, fault: timeout}]
)";

TEST(Validators, AreCalledWhereEachWebhookHasABackend) {
  auto value = *case_in(kValidated);
  ASSERT_EQ(called_validators(value).size(), 1U);
  EXPECT_EQ(webhooks_of(*called_validators(value).front()), std::vector<std::string>{"u/x"});
  EXPECT_TRUE(configured_webhooks(value.cluster).empty());
  value.webhooks.emplace("v/z", InjectorName{"three"});
  EXPECT_EQ(called_validators(value).size(), 2U);
  const Case less = without_webhook(value, "u/x");
  EXPECT_EQ(called_validators(less).size(), 1U);
  EXPECT_EQ(less.cluster.objects.size(), 1U);
  EXPECT_TRUE(less.faults.empty());
  EXPECT_TRUE(read_case(write_case(less)).ok());
  rename_configurations(value, {{"u", "w"}});
  EXPECT_EQ(value.webhooks.count("w/x"), 1U);
  EXPECT_EQ(called_validators(value).size(), 2U);
}

}  // namespace
}  // namespace fixpoint::cases
