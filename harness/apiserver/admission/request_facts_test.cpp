#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "harness/apiserver/admission/admission.h"
#include "harness/apiserver/registry/sizes.h"
#include "harness/cases/request_user.h"
#include "harness/document/json.h"
#include "harness/webhooks/review.h"

// Facts that the server knows of a request, and its use of the answer, beyond the recorded admissions.
namespace fixpoint::apiserver {
namespace {

using document::Value;

Value json(const std::string& text) { return document::read_json(text).value(); }

/// A webhook that answers with the script; `more` are further members of its configuration.
cases::Case one_webhook(const std::string& script, const std::string& more = "") {
  cases::Case value;
  value.request.object =
      json(R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"a","image":"b"}]}})");
  value.cluster.admission_plugins.clear();
  value.cluster.objects = {json(R"({"apiVersion":"admissionregistration.k8s.io/v1",
      "kind":"MutatingWebhookConfiguration","metadata":{"name":"c"},"webhooks":[{"name":"a.b.c",
      "admissionReviewVersions":["v1"],"sideEffects":"None","rules":[{"apiGroups":[""],
      "apiVersions":["v1"],"operations":["*"],"resources":["pods"]}])" +
                                more + "}]}")};
  value.webhooks.emplace("c/a.b.c", cases::read_script(json(script)).value());
  return value;
}

Admission admitted(const cases::Case& value) { return admit(value, *webhooks::handlers(value, {})).value(); }

std::string condition(const std::string& expression) {
  return R"(,"matchConditions":[{"name":"x","expression":)" + document::write_json(Value(expression)) + "}]";
}

TEST(RequestFacts, ARequestWithoutAUserIsTheAdministrators) {
  for (const char* holds :
       {"!('system:nodes' in request.userInfo.groups)", "request.userInfo.username != 'x'",
        "request.userInfo.username == 'kubernetes-admin'", "'system:masters' in request.userInfo.groups",
        "authorizer.group('').resource('secrets').check('get').allowed()"}) {
    EXPECT_EQ(admitted(one_webhook("[]", condition(holds))).calls.size(), 1U) << holds;
    EXPECT_TRUE(admitted(one_webhook("[]", condition("!(" + std::string(holds) + ")"))).calls.empty())
        << holds;
  }
}

RC_GTEST_PROP(RequestFacts, ConditionsSeeTheUserThatTheWebhookIsSent, ()) {
  auto value = one_webhook("[]");
  if (*rc::gen::arbitrary<bool>()) {
    auto& user = value.request.user_info.emplace();
    user.username = *rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange('a', 'z')));
    user.groups = *rc::gen::container<std::vector<std::string>>(rc::gen::just<std::string>("devs"));
  }
  const Value sent = webhooks::review_request(value.request, cases::pod_kind(), cases::pod_kind(), "p",
                                              "")["userInfo"];
  auto asked =
      one_webhook("[]", condition("request.userInfo.username == '" + std::string(sent["username"].text()) +
                                  "' && (has(request.userInfo.groups) ? "
                                  "request.userInfo.groups.size() : 0) == " +
                                  std::to_string(sent["groups"].size())));
  asked.request.user_info = value.request.user_info;
  RC_ASSERT(admitted(asked).calls.size() == 1U);
}

TEST(RequestFacts, UsersHaveTheGroupsThatAServerGivesThem) {
  using Groups = std::vector<std::string>;
  EXPECT_EQ(cases::user_named("ann").groups, Groups{"system:authenticated"});
  EXPECT_EQ(cases::user_named("system:node:n").groups, (Groups{"system:nodes", "system:authenticated"}));
  EXPECT_EQ(cases::user_named("system:serviceaccount:ci:bot").groups,
            (Groups{"system:serviceaccounts", "system:serviceaccounts:ci", "system:authenticated"}));
}

TEST(RequestFacts, APodWithoutMetadataIsSelectedByNoSelector) {
  constexpr const char* kList = R"([{"patch":[{"op":"replace","path":"/kind","value":"PodList"}]}])";
  for (const auto& [selector, calls] :
       {std::pair(R"(,"objectSelector":{"matchExpressions":[{"key":"x","operator":"DoesNotExist"}]})", 1U),
        {"", 2U}}) {
    auto value = one_webhook(kList, selector);
    Value second = value.cluster.objects[0];
    second.edit("metadata").set("name", "d");
    value.cluster.objects.push_back(second);
    value.webhooks.emplace("d/a.b.c", cases::Script{});
    EXPECT_EQ(admitted(value).calls.size(), calls) << selector;
  }
}

TEST(RequestFacts, AWebhookMayMarkANewPodAsBeingDeleted) {
  const auto value = one_webhook(
      R"([{"patch":[{"op":"add","path":"/metadata/deletionTimestamp","value":"2024-01-01T00:00:00Z"}]}])");
  EXPECT_EQ(admitted(value).stored["metadata"]["deletionTimestamp"].text(), "2024-01-01T00:00:00Z");
  auto sent = one_webhook("[]");
  sent.request.object.edit("metadata").set("deletionTimestamp", "2024-01-01T00:00:00Z");
  EXPECT_TRUE(admitted(sent).stored["metadata"]["deletionTimestamp"].is_null()) << "a client may not";
}

TEST(RequestFacts, ManagedFieldsThatNobodyCanReadComeBackWithAWarning) {
  struct Row {
    const char* entries;
    const char* warning;  ///< its end; nullptr for none
  };
  constexpr const char* kGood =
      R"([{"operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:a":{}}}])";
  for (const Row& row : {Row{kGood, nullptr}, Row{"[]", nullptr},
                         Row{"[{}]", "requests: operation must be `Apply` or `Update`"},
                         Row{R"([{"operation":"Update"}])", "requests: apiVersion must not be empty"},
                         Row{R"([{"operation":"Update","apiVersion":"v1"}])",
                             "requests: missing fieldsType in managed fields entry 0"},
                         Row{R"([{"operation":"Update","apiVersion":"v1","fieldsType":"X"}])",
                             "requests: invalid fieldsType \"X\" in managed fields entry 0"}}) {
    const auto admission = admitted(
        one_webhook(std::string(R"([{"patch":[{"op":"add","path":"/metadata/managedFields","value":)") +
                    row.entries + "}]}]"));
    EXPECT_TRUE(admission.allowed);
    ASSERT_EQ(admission.warnings.size(), row.warning == nullptr ? 0U : 1U) << row.entries;
    if (row.warning != nullptr) {
      EXPECT_TRUE(admission.warnings[0].ends_with(row.warning)) << admission.warnings[0];
    }
  }
}

TEST(RequestFacts, EntriesOfOtherManagersStayInAnUpdate) {
  auto value = one_webhook("[]");
  value.request.operation = "UPDATE";
  value.request.old_object = value.request.object;
  value.request.old_object.edit("metadata").set("managedFields", json(R"([
      {"manager":"z","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{}},
      {"manager":"m","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{}}])"));
  const auto managers = [](const Value& pod) {
    std::string all;
    for (const Value& entry : pod["metadata"]["managedFields"].elements())
      all.append(all.empty() ? "" : " ").append(entry["manager"].text());
    return all;
  };
  value.request.object.edit("metadata").set("labels", json(R"({"a":"b"})"));
  EXPECT_EQ(managers(admitted(value).received), "m z fixpoint");
  value.request.sub_resource = "resize";
  value.request.object.edit("metadata").set("managedFields", Value::empty_list());
  EXPECT_EQ(managers(admitted(value).received), "m z") << "a subresource sets no entries";
  value.request.sub_resource.clear();
  EXPECT_EQ(managers(admitted(value).received), "") << "an empty list ends the tracking";
}

TEST(RequestFacts, NothingIsAskedAboutARequestThatIsTooLarge) {
  auto value = one_webhook("[]");
  const auto with_env_of = [&](std::size_t bytes) {
    value.request.object.edit("spec")
        .edit("containers")
        .edit(0)
        .set("env", Value::list({Value{{"name", "X"}, {"value", std::string(bytes, 'x')}}}));
    return admitted(value);
  };
  const auto large = with_env_of(kRequestBytesMax);
  EXPECT_FALSE(large.allowed);
  EXPECT_TRUE(large.calls.empty());
  EXPECT_EQ(large.status->code, 413);
  EXPECT_EQ(large.status->message, "Request entity too large: limit is 3145728");
  const auto stored = with_env_of(kStoredBytesMax);
  EXPECT_FALSE(stored.allowed);
  EXPECT_EQ(stored.calls.size(), 1U) << "the store comes last";
  EXPECT_EQ(cases::code_and_reason(*stored.status), "500 ");
  EXPECT_EQ(stored.status->message, "etcdserver: request is too large");
  value.request.dry_run = true;
  EXPECT_TRUE(with_env_of(kStoredBytesMax).allowed) << "a dry run stores nothing";
  value.request.dry_run = false;
  EXPECT_TRUE(with_env_of(kStoredBytesMax - 2000).allowed);
}

TEST(RequestFacts, AnEscapedTextCountsAsItIsSent) {
  const Value pod{{"spec", std::string(kRequestBytesMax / 4, '\x01')}};
  EXPECT_TRUE(refuse_large_request(pod)) << "six bytes for each";
  EXPECT_FALSE(refuse_large_request({{"spec", std::string(kRequestBytesMax / 4, 'x')}}));
}

TEST(RequestFacts, ACrashIsNoAnswer) {
  const auto value = one_webhook(R"([{"patch":[{"op":"replace","path":""}]}])");
  const auto admission = admitted(value);
  const cases::Outcome outcome = outcome_of(value, admission);
  EXPECT_TRUE(outcome.crashed);
  EXPECT_FALSE(outcome.allowed);
  EXPECT_FALSE(outcome.status);
  EXPECT_EQ(cases::code_and_reason(*admission.status), "no answer: the API server panics");
  const auto read = cases::read_outcome(cases::write_outcome(outcome));
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_TRUE(cases::differences(outcome, *read).empty());
}

}  // namespace
}  // namespace fixpoint::apiserver
