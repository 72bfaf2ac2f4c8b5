#include "harness/apiserver/types/walk.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <string>

#include "harness/apiserver/types/pod_types.h"

namespace fixpoint::apiserver {
namespace {

using Visit = std::function<void(const std::string& path, const Field& field)>;

void walk(const Type& type, const std::string& prefix, const Visit& visit, int minor) {
  for (const Field& field : type.fields) {
    if (!field.known_in(minor)) continue;
    std::string path = prefix;
    path.append(field.name.text);
    visit(path, field);
    if (field.shape != Shape::object) continue;
    path.append(field.many == Many::list ? "[]." : ".");
    walk(*field.type, path, visit, minor);
  }
}

/// Calls `visit` for every field of a Pod, parents first, in declaration order.
void for_each_field(const Visit& visit, int minor = kNewestMinor) { walk(kPod, "", visit, minor); }

TEST(Walk, FindsFieldsAndTheirKeys) {
  const Field* env = field_at("spec.containers[].env");
  ASSERT_NE(env, nullptr);
  EXPECT_EQ(env->many, Many::list);
  ASSERT_EQ(env->keys.size(), 1u);
  EXPECT_EQ(env->keys[0].members[0], "name");
  EXPECT_EQ(env->keys[0].duplicate, Duplicate::warning);
  EXPECT_EQ(field_at("spec.containers.env"), nullptr);
  EXPECT_EQ(field_at("spec.nothing"), nullptr);
  EXPECT_EQ(field_at("metadata.labels.app"), nullptr);
}

TEST(Walk, KnowsWhenAFieldCame) {
  EXPECT_NE(field_at("spec.schedulingGroup", 36), nullptr);
  EXPECT_EQ(field_at("spec.schedulingGroup", 35), nullptr);
  EXPECT_NE(field_at("spec.workloadRef", 35), nullptr);
  EXPECT_EQ(field_at("spec.workloadRef", 36), nullptr);
}

TEST(Walk, TypesHaveNumbersOfTheirOwn) {
  std::map<std::uint32_t, std::string_view> names;
  for (int minor = kOldestLibrary; minor <= kNewestMinor; ++minor) {
    for_each_field(
        [&](const std::string& path, const Field& field) {
          if (field.type == nullptr) return;
          const auto [known, is_new] = names.emplace(field.type->id, field.type->name);
          EXPECT_TRUE(is_new || known->second == field.type->name) << path;
          EXPECT_GE(field.type->id, 16u);
          EXPECT_LT(field.type->id, 1u << 20);
          EXPECT_LE(field.type->fields.size(), 48u);
        },
        minor);
  }
}

TEST(Walk, EveryKeyNamesMembersOfItsElements) {
  for_each_field([](const std::string& path, const Field& field) {
    for (const ListKey& key : field.keys) {
      for (std::string_view member : key.members) {
        if (member.empty()) continue;
        EXPECT_NE(field_at(path + "[]." + std::string(member)), nullptr) << path;
      }
    }
  });
}

TEST(Walk, NoNameStandsTwiceInOneMinor) {
  for (int minor = kOldestLibrary; minor <= kNewestMinor; ++minor) {
    std::set<std::string> paths;
    for_each_field(
        [&](const std::string& path, const Field&) { EXPECT_TRUE(paths.insert(path).second) << path; },
        minor);
  }
}

}  // namespace
}  // namespace fixpoint::apiserver
