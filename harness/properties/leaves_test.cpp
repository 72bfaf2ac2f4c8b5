#include "harness/properties/leaves.h"

#include <gtest/gtest.h>

#include "generators/draw.h"
#include "harness/document/json.h"
#include "harness/runner/examine.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::properties {
namespace {

std::string text_of(const std::vector<Leaf>& leaves) {
  std::string text;
  for (const Leaf& leaf : leaves) text.append(leaf.path).append(" = ").append(leaf.text()).append("\n");
  return text;
}

/// Compares `differing` with the plain computation from all leaves of both Pods.
void expect_same_as_plain(const Value& a, const Value& b) {
  const auto plain_a = leaves_of(a), plain_b = leaves_of(b);
  const Differing two = differing(a, b);
  EXPECT_EQ(text_of(added(two.before, two.after)), text_of(added(plain_a, plain_b)));
  EXPECT_EQ(text_of(added(two.after, two.before)), text_of(added(plain_b, plain_a)));
  EXPECT_EQ(first_difference(two), first_difference(plain_a, plain_b));
  for (const Leaf& leaf : plain_a) {
    const Leaf* there = find(plain_b, leaf.path);
    EXPECT_EQ(agrees(two, leaf), there != nullptr && *there == leaf) << leaf.path;
  }
}

/// The Pod with its lists turned round: all that is keyed stays what it is, all that is not does not.
Value reversed(Value pod) {
  for (const char* list : {"containers", "volumes", "tolerations"}) {
    const document::Name name(list);
    if (pod["spec"][name].empty()) continue;
    auto& elements = pod.edit("spec").edit(name).edit_elements();
    std::reverse(elements.begin(), elements.end());
  }
  return pod;
}

TEST(Leaves, OfTheDifferingPartsAloneSayTheSame) {
  const generators::Repertoire repertoire({.subjects = injectors::newest(injectors::Role::subject),
                                           .peers = injectors::newest(injectors::Role::peer)});
  int compared = 0;
  for (std::uint64_t index = 0; index < 300; ++index) {
    runner::Choices choices(5, index);
    const auto prepared = runner::prepare(generators::draw(choices, repertoire), injectors::resolve, {});
    if (!prepared || prepared->admission.calls.empty()) continue;
    const Value& first = prepared->admission.first;
    Value last = first;
    for (const auto& event : prepared->admission.calls) {
      if (!event.hop.applied || event.hop.after["spec"].is_null()) continue;
      expect_same_as_plain(event.before, event.hop.after);
      last = event.hop.after;
    }
    expect_same_as_plain(first, last);
    expect_same_as_plain(last, reversed(last));
    expect_same_as_plain(last, reversed(first));
    ++compared;
  }
  EXPECT_GT(compared, 200);
}

}  // namespace
}  // namespace fixpoint::properties
