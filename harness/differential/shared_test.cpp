#include <gtest/gtest.h>

#include <tuple>

#include "generators/draw.h"
#include "harness/apiserver/decoding/objects.h"
#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/registry/registry.h"
#include "harness/apiserver/types/equality.h"
#include "harness/document/json.h"
#include "harness/document/patch.h"
#include "harness/document/patch_model.h"
#include "harness/runner/examine.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::apiserver {
namespace {

using document::Value;

/// Returns the same document without shared parts, stamps and caches: it is written and read again, as
/// between two processes.
Value stranger(const Value& value) {
  return document::read_json(document::write_json(value), {}, document::Strictness::foreign).value();
}

/// Checks that the result of one call equals that of the slow way: the plain patch on an unshared copy,
/// decoded and defaulted without stamps.
void expect_as_by_reference(const CallEvent& event, int minor) {
  const auto patched = document::apply_patch_plainly(stranger(event.before), *event.result.answer.patch, {});
  ASSERT_TRUE(patched.ok());
  const auto decoded = decode_object(stranger(patched.document), minor);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(default_pod(stranger(*decoded), minor), event.result.after);
  EXPECT_TRUE(semantically_equal(stranger(event.result.after), event.result.after));
  EXPECT_EQ(semantically_equal(stranger(event.before), stranger(*decoded)),
            semantically_equal(event.before, *decode_object(patched.document, minor)));
}

/// Shared subtrees and stamps are the fast path of decoding, defaulting, equality and validation. They must
/// give the same results as unshared documents.
TEST(Shared, SubtreesGiveWhatStrangersGive) {
  const generators::DrawContext draw_context({.subjects = injectors::newest(injectors::Role::subject),
                                              .peers = injectors::newest(injectors::Role::peer)});
  int compared = 0;
  for (std::uint64_t index = 0; index < 1500; ++index) {
    runner::Choices choices(2026, index);
    const auto prepared = runner::prepare(generators::draw(choices, draw_context), injectors::resolve, {});
    if (!prepared) continue;
    const auto& [request, cluster] = std::tie(prepared->value.request, prepared->value.cluster);
    const int minor = minor_of(prepared->value.cluster);
    for (const CallEvent& event : prepared->admission.calls) {
      if (!event.result.applied || event.result.answer.patch->is_string()) continue;
      expect_as_by_reference(event, minor);
      const Value& after = event.result.after;
      if (!is_pod(after)) continue;
      EXPECT_EQ(store(request, cluster, after, request.old_object, minor).invalid,
                store(request, cluster, stranger(after), stranger(request.old_object), minor).invalid);
      ++compared;
    }
    if (HasFatalFailure() || HasNonfatalFailure()) {
      FAIL() << cases::canonical_text(prepared->value);
    }
  }
  EXPECT_GT(compared, 1000);
}

}  // namespace
}  // namespace fixpoint::apiserver
