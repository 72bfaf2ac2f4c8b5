#include "generators/put_trigger.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "generators/draw.h"
#include "harness/cases/request_user.h"
#include "harness/runner/learning/trigger.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::generators {
namespace {

using runner::kUserGroups;
using runner::kUserName;
using Groups = std::vector<std::string>;

bool has(const Groups& groups, std::string_view name) {
  return std::find(groups.begin(), groups.end(), name) != groups.end();
}

TEST(PutUser, GivesAUserTheGroupsOfAServerAndThoseThatAreAsked) {
  cases::Case value;
  put_user(value, kUserGroups, "system:nodes");
  ASSERT_TRUE(value.request.user_info);
  EXPECT_EQ(value.request.user_info->groups, (Groups{"system:nodes", "system:authenticated"}));
  EXPECT_FALSE(value.request.user_info->username.empty());
  put_user(value, kUserName, "system:serviceaccount:ci:bot");
  EXPECT_EQ(value.request.user_info->groups, (Groups{"system:nodes", "system:serviceaccounts",
                                                     "system:serviceaccounts:ci", "system:authenticated"}))
      << "the group that was asked for stays";
  put_user(value, kUserGroups, {});
  EXPECT_FALSE(has(value.request.user_info->groups, "system:nodes"));
  put_user(value, kUserName, {});
  EXPECT_FALSE(value.request.user_info) << "the administrator's again";
  put_user(value, kUserGroups, {});
  EXPECT_FALSE(value.request.user_info);
}

/// Fields of a Pod's spec are set in the template of a workload, and in no object of a kind without them.
TEST(PutTrigger, SetsAFieldOfAPodWhereThePodIs) {
  const runner::Trigger policy =
      runner::trigger_of(runner::Trigger::Where::field, "spec.dnsPolicy", {"\"None\""});
  const auto with_it = [&](Value object) {
    cases::Case value;
    value.request.object = std::move(object);
    put_trigger(value, policy, 1);
    EXPECT_EQ(runner::option_of(policy, value), value.request.object["kind"].text() == "ConfigMap" ? 0u : 1u);
    return value.request.object;
  };
  const Value deployment = with_it({{"apiVersion", "apps/v1"},
                                    {"kind", "Deployment"},
                                    {"spec", {{"template", {{"spec", Value::empty_object()}}}}}});
  EXPECT_EQ(deployment["spec"]["template"]["spec"]["dnsPolicy"].text(), "None");
  EXPECT_TRUE(deployment["spec"]["dnsPolicy"].is_null());
  const Value map = with_it({{"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"metadata", {{"name", "a"}}}});
  EXPECT_TRUE(map["spec"].is_null());
  EXPECT_EQ(with_it({{"apiVersion", "v1"}, {"kind", "Pod"}})["spec"]["dnsPolicy"].text(), "None");
}

RC_GTEST_PROP(PutUser, IsTheOptionOfTheTrigger, ()) {
  cases::Case value;
  value.request.object = {{"metadata", {{"name", "p"}}}};
  const runner::Trigger trigger{.where = runner::Trigger::Where::user,
                                .key = *rc::gen::element<std::string>(kUserName, kUserGroups),
                                .values = {"ann", "system:node:n", "devs"}};
  for (const auto option :
       *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, 4))) {
    put_trigger(value, trigger, option);
    RC_ASSERT(runner::option_of(trigger, value) == option);
    RC_ASSERT(has(cases::user_of(value.request).groups, cases::kAuthenticated));
  }
}

TEST(Draw, EveryUserIsOneThatAServerKnows) {
  DrawOptions options;
  options.subjects = {injectors::find_subject("kserve/modelcar@0.12.0").value()};
  options.peers = injectors::newest(injectors::Role::peer);
  options.resolve = injectors::resolve;
  const DrawContext context(options);
  std::size_t drawn = 0;
  for (std::uint64_t i = 0; i < 600; ++i) {
    runner::Choices choices(7, i);
    const cases::Case value = draw(choices, context);
    if (!value.request.user_info) continue;
    ++drawn;
    EXPECT_FALSE(value.request.user_info->username.empty());
    EXPECT_TRUE(has(value.request.user_info->groups, cases::kAuthenticated));
  }
  EXPECT_GT(drawn, 20U);
}

}  // namespace
}  // namespace fixpoint::generators
