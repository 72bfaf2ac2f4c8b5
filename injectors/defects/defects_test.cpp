#include "injectors/defects/defects.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "generators/draw.h"
#include "generators/reduce.h"
#include "harness/properties/property.h"
#include "harness/runner/loop/run.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::injectors {
namespace {

/// The property that must find a defect, or the kind of observation that names it.
struct Expected {
  const char* defect;
  const char* property;
};

constexpr Expected kExpected[] = {
    {"defects/env-without-guard", "no-duplicate-names"},
    {"defects/volume-without-guard", "no-duplicate-names"},
    {"defects/mount-without-guard", "no-duplicate-names"},
    {"defects/port-without-guard", "no-duplicate-names"},
    {"defects/container-without-guard", "no-duplicate-names"},
    {"defects/init-container-without-guard", "no-duplicate-names"},
    {"defects/toleration-without-guard", "bounded-growth"},
    {"defects/privileged-setup", "admitted-by-cluster"},
    {"defects/guard-on-one-thing", "reinvocation-complete"},
    {"defects/guard-looks-at-containers-only", "no-duplicate-names"},
    {"defects/guard-looks-at-first-only", "reinvocation-valid"},
    {"defects/guard-by-image-substring", "request-context"},
    {"defects/guard-under-another-key", "idempotent"},
    {"defects/volume-named-by-hash", "idempotent"},
    {"defects/override-lost", "idempotent"},
    {"defects/first-at-first-call-only", "order-independent"},
    {"defects/two-insist-on-first", "converges"},
    {"defects/whole-array-replaced", "whole-list"},
    {"defects/typed-round-trip", "preserves-others"},
    {"defects/positional-diff-with-prepend", "preserves-others"},
    {"defects/explicit-zeros", "no-explicit-zeros"},
    {"defects/annotations-wiped", "preserves-others"},
    {"defects/slash-not-escaped", "patch-well-formed"},
    {"defects/text-template", "text-survives"},
    {"defects/append-to-missing-array", "patch-well-formed"},
    {"defects/array-made-for-each-helper", "absent-empty-present"},
    {"defects/removals-ascending", "patch-well-formed"},
    {"defects/numbers-as-doubles", "numbers-survive"},
    {"defects/probe-rewritten-twice", "idempotent"},
    {"defects/probes-ignored", "covers-all-containers"},
    {"defects/named-port-not-resolved", "covers-all-containers"},
    {"defects/image-prefix-doubled", "bounded-growth"},
    {"defects/image-cut-at-colon", "image-cut"},
    {"defects/options-replaced", "preserves-others"},
    {"defects/command-wrapped-twice", "idempotent"},
    {"defects/panic-on-empty-command", "protocol"},
    {"defects/first-container-assumed", "order-independent"},
    {"defects/request-above-limit", "valid-spec"},
    {"defects/env-used-before-defined", "preserves-order"},
    {"defects/user-env-reordered", "preserves-order"},
    {"defects/ports-merged-by-number", "preserves-others"},
    {"defects/hash-map-order", "deterministic"},
    {"defects/timestamp", "deterministic"},
    {"defects/name-of-object", "request-context"},
    {"defects/aggregate-computed-once", "aggregate-consistent"},
    {"defects/value-flipped", "idempotent"},
    {"defects/own-pods-selected", "configuration-sound"},
    {"defects/inject-on-update", "update-safe"},
    {"defects/finalizer-added-again", "update-safe"},
    {"defects/type-without-patch", "protocol"},
    {"defects/uid-not-echoed", "protocol"},
    {"defects/own-output-refused", "accepts-own-output"},
    {"defects/write-on-dry-run", "no-side-effects"},
    {"defects/dry-run-left-out", "dry-run-equal"},
    {"defects/slow-answer", "within-budget"},
    {"defects/constraint-known-by-content", "no-duplicate-names"},
    {"defects/env-known-by-value", "no-duplicate-names"},
    {"defects/dns-config-replaced", "preserves-others"},
    {"defects/affinity-term-added", "preserves-others"},
    {"defects/priority-class-alone", "valid-spec"},
    {"defects/mount-known-by-prefix", "request-context"},
    {"defects/level-in-capitals", "ignored-value"},
    {"defects/false-with-a-capital", "odd-spelling"},
    {"defects/pairs-not-escaped", "cut-list"},
    {"defects/password-of-another-secret", "mixed-secrets"},
    {"defects/scrape-port-undeclared", "undeclared-port"},
    {"defects/level-of-one-container", "left-out"},
    {"defects/mount-within-a-secret", "nested-mount"},
    {"defects/user-without-a-say", "kubelet-starts"},
    {"defects/probe-of-unknown-port", "kubelet-starts"},
    {"defects/waits-for-later-sidecar", "kubelet-starts"},
    {"defects/cache-never-written", "kubelet-starts"},
    {"defects/silent-on-taken-name", "asked-not-done"},
    {"defects/password-in-clear", "secrets-hidden"},
    {"defects/policy-field-absent", "expressions-evaluate"},
    {"defects/policy-append-without-guard", "no-duplicate-names"},
    {"defects/policy-name-generated", "expressions-evaluate"},
    {"defects/policy-atomic-list", "expressions-evaluate"},
    {"defects/policy-map-absent", "expressions-evaluate"},
    {"defects/policy-key-not-escaped", "expressions-evaluate"},
    {"defects/policy-wrong-type-name", "expressions-evaluate"},
    {"defects/policy-index-absent", "expressions-evaluate"},
    {"defects/policy-image-mirrored-again", "converges"},
    {"defects/policy-counts-runs", "converges"},
    {"defects/policy-value-is-no-label", "valid-spec"},
    {"defects/policy-replaces-annotations", "preserves-others"},
    {"defects/policy-mounts-absent-volume", "valid-spec"},
    {"defects/policy-adds-empty-env", "expressions-evaluate"},
    {"defects/policy-first-container-only", "order-independent"},
    {"defects/zero-taken-for-absent", "explicit-kept"},
    {"defects/port-of-widget-without-guard", "bounded-growth"},
    {"defects/finalizer-added-to-the-dying", "valid-spec"},
    {"defects/dying-object-refused", "update-safe"},
    {"defects/dying-object-judged-anew", "old-objects-live"},
    {"defects/label-at-creation-alone", "created-only"},
    {"defects/default-hidden-by-a-zero", "no-explicit-zeros"},
    {"defects/mark-that-is-not-stored", "settles-when-stored"},
    {"defects/member-of-the-next-version", "nothing-unknown"},
    {"defects/host-in-small-letters", "applied-equals-stored"},
    {"defects/host-that-may-not-change", "applied-again"},
    {"defects/default-of-what-is-immutable", "old-objects-live"},
    {"defects/label-in-updates-of-the-status", "subresources"},
    {"defects/default-in-one-version", "every-version"},
    {"defects/scale-in-checksum", "template-stable"},
    {"defects/workload-and-pods-traced", "once-per-pod"},
    {"defects/labels-of-template-replaced", "valid-spec"},
};

constexpr std::uint64_t kCasesMax = 1500;
constexpr std::size_t kScalarsMax = 12;

struct FindingListener : runner::Listener {
  std::string property;
  bool has_seen = false;
  void found(const cases::Finding& finding) override { has_seen = has_seen || finding.property == property; }
};

/// Runs the defect among the neighbours until the property has found something; with an empty name, to the
/// end.
runner::RunSummary run_of(const std::string& name, std::uint64_t seed, const std::string& until) {
  const runner::Subject subject = find_subject(name).value();
  const generators::DrawContext chains({.subjects = {subject},
                                        .peers = newest(Role::peer),
                                        .resolve = [](std::string_view one) { return resolve(one); }});
  FindingListener listener;
  listener.property = until;
  runner::RunOptions options;
  options.drawing.seed = seed;
  options.effort.cases_max = kCasesMax;
  options.effort.seconds_max = 0;
  options.subjects.configurations = {std::string(subject.configuration["metadata"]["name"].text())};
  options.drawing.draw = [&](runner::Choices& choices, auto) { return generators::draw(choices, chains); };
  options.drawing.reduce = generators::reduce;
  options.subjects.resolve = [](std::string_view injector) { return resolve(injector); };
  options.hooks.clock = [] { return 0.0; };
  options.hooks.is_enough_to_see = [&](const properties::Observation& seen) { return seen.kind == until; };
  options.hooks.interrupted = [&] { return listener.has_seen; };
  return runner::run(options, listener);
}

bool has_observed(const runner::RunSummary& summary, std::string_view kind) {
  return std::any_of(summary.observations.begin(), summary.observations.end(),
                     [&](const runner::Observed& one) { return one.observation.kind == kind; });
}

bool is_observation(std::string_view name) {
  const auto kinds = properties::observation_kinds();
  return std::find(kinds.begin(), kinds.end(), name) != kinds.end();
}

class Variants : public testing::TestWithParam<Expected> {};

TEST_P(Variants, TheBuggyOneIsFoundByTheExpectedProperty) {
  for (const std::uint64_t seed : {1U, 2U}) {
    const auto summary = run_of(std::string(GetParam().defect) + "@buggy", seed, GetParam().property);
    if (is_observation(GetParam().property)) {
      EXPECT_TRUE(has_observed(summary, GetParam().property)) << "seed " << seed;
      continue;
    }
    const auto found =
        std::find_if(summary.findings.begin(), summary.findings.end(),
                     [](const cases::Finding& finding) { return finding.property == GetParam().property; });
    ASSERT_NE(found, summary.findings.end()) << "seed " << seed;
    EXPECT_LE(runner::scalar_count(found->value.request.object), kScalarsMax) << "seed " << seed;
  }
}

TEST_P(Variants, NothingIsFoundOnTheFixedOne) {
  const auto summary = run_of(std::string(GetParam().defect) + "@fixed", 3, "");
  EXPECT_EQ(summary.cases, kCasesMax);
  EXPECT_EQ(summary.broken, 0u);
  EXPECT_FALSE(has_observed(summary, GetParam().property));
  for (const cases::Finding& finding : summary.findings) {
    ADD_FAILURE() << finding.property << ": " << finding.evidence.because << "\n"
                  << cases::canonical_text(finding.value);
  }
}

INSTANTIATE_TEST_SUITE_P(Defects, Variants, testing::ValuesIn(kExpected), [](const auto& row) {
  std::string name(std::string_view(row.param.defect).substr(8));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Defects, EveryRowSaysWhoIsExpectedToFindIt) {
  ASSERT_EQ(defects::all().size(), std::size(kExpected));
  for (std::size_t i = 0; i < std::size(kExpected); ++i) {
    EXPECT_EQ("defects/" + std::string(defects::all()[i].name), kExpected[i].defect);
    EXPECT_EQ(defects::all()[i].caught_by, kExpected[i].property);
    EXPECT_TRUE(is_observation(kExpected[i].property) || properties::find(kExpected[i].property) != nullptr);
  }
}

TEST(Defects, NoneJoinsAsANeighbour) {
  for (const runner::Subject& peer : newest(Role::peer)) EXPECT_FALSE(peer.name.starts_with("defects/"));
  for (const runner::Subject& subject : newest(Role::subject))
    EXPECT_FALSE(subject.name.starts_with("defects/"));
}

TEST(Defects, WithoutAVariantItIsTheBuggyOne) {
  EXPECT_EQ(find_subject("defects/timestamp").value().name, "defects/timestamp@buggy");
}

}  // namespace
}  // namespace fixpoint::injectors
