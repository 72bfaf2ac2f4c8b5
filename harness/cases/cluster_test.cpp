#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

#include "harness/cases/case.h"

namespace fixpoint::cases {
namespace {

const std::vector<std::string> kKinds{"Secret", "Service", "Service.serving.knative.dev"},
    kNames{"a", "b", "c"}, kSpaces{"", "default"}, kVersions{"v1", "v2"};

/// An object of one of the kinds in any version: versions of one group are one kind.
Value random_object() {
  const std::string text = *rc::gen::elementOf(kKinds), version = *rc::gen::elementOf(kVersions);
  const GroupKind kind(text);
  const std::string group(kind.group);
  Value object{{"apiVersion", group.empty() ? version : group + "/" + version},
               {"kind", kind.kind},
               {"metadata", {{"name", *rc::gen::elementOf(kNames)}}}};
  const auto space = *rc::gen::elementOf(kSpaces);
  if (!space.empty()) object.edit("metadata").set("namespace", space);
  return object;
}

bool is_of(const Value& object, const std::string& kind) {
  const std::string version(object["apiVersion"].text()), own(object["kind"].text());
  const auto slash = version.find('/');
  return kind == (slash == std::string::npos ? own : own + "." + version.substr(0, slash));
}

/// Finds the object by comparing every object, without a directory.
const Value* plainly_found(const Cluster& cluster, const std::string& kind, const std::string& space,
                           const std::string& name) {
  const Value* found = nullptr;
  for (const Value& object : cluster.objects) {
    const Value& metadata = object["metadata"];
    if (is_of(object, kind) && metadata["name"].text() == name && metadata["namespace"].text() == space)
      found = &object;
  }
  return found;
}

void expect_the_plain_answers(const Cluster& cluster) {
  for (const auto& kind : kKinds) {
    for (const auto& space : kSpaces) {
      for (const auto& name : kNames)
        RC_ASSERT(cluster.find(kind, space, name) == plainly_found(cluster, kind, space, name));
    }
    const auto all = cluster.of_kind(kind);
    RC_ASSERT(static_cast<std::ptrdiff_t>(all.size()) ==
              std::count_if(cluster.objects.begin(), cluster.objects.end(),
                            [&](const Value& object) { return is_of(object, kind); }));
    RC_ASSERT(std::is_sorted(all.begin(), all.end(), [](const Value* a, const Value* b) {
      return (*a)["metadata"]["name"].text() < (*b)["metadata"]["name"].text();
    }));
  }
}

/// The directory is right whatever clusters were searched before, and however this one was changed.
RC_GTEST_PROP(Cluster, FindsWhatALookAtEveryObjectFinds, ()) {
  Cluster cluster, other;
  for (int step = 0; step < 12; ++step) {
    switch (*rc::gen::inRange(0, 5)) {
      case 0:
        if (!cluster.objects.empty()) cluster.objects.erase(cluster.objects.begin());
        break;
      case 1:
        if (!cluster.objects.empty())
          cluster.objects.back().edit("metadata").set("name", *rc::gen::elementOf(kNames));
        break;
      case 2:
        std::swap(cluster, other);
        break;
      default:
        cluster.objects.push_back(random_object());
    }
    expect_the_plain_answers(cluster);
  }
}

}  // namespace
}  // namespace fixpoint::cases
