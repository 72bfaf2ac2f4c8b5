#include "injectors/kserve/hpa/hpa.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <rapidcheck/state.h>

#include <utility>

#include "harness/document/json.h"
#include "harness/reconcile/run_sequence.h"
#include "injectors/kserve/autoscaler/component.h"
#include "injectors/kserve/hpa/hpa_parts.h"
#include "injectors/reconcilers.h"

namespace fixpoint::injectors::kserve::hpa {
namespace {

using cases::reconcile_step;
using cases::Step;

Value json(const char* text) { return document::read_json(text).value(); }

constexpr std::array<const char*, 2> kSpecs{R"({"minReplicas":1,"maxReplicas":3})",
                                            R"({"minReplicas":2,"maxReplicas":5})"};

/// Returns "0.15.2" as 1502, so that releases can be compared.
int number_of(std::string_view release) {
  int number = 0, part = 0;
  for (char c : release) {
    if (c != '.') {
      part = 10 * part + (c - '0');
      continue;
    }
    number = 100 * number + std::exchange(part, 0);
  }
  return 100 * number + part;
}

/// The stored autoscaler as in the decision table of the releases, without any document.
struct Model {
  std::string release;
  std::optional<std::string> wanted_class = {};
  std::optional<bool> wanted_stop = {};
  bool exists = false, owned = false, filled = false, edited = false;
  int written = -1;  ///< an index of kSpecs; -1: a user's spec
  std::optional<std::string> stored_class = {};
  bool stored_stop = false;
  int scaled = -1;  ///< the index of the ScaledObject in kSpecs; -1: there is none

  bool is_at_least(const char* other) const { return number_of(release) >= number_of(other); }
  bool is_stopped() const { return wanted_stop.value_or(false); }
  std::string class_name() const { return wanted_class.value_or("hpa"); }

  bool is_refused() const {
    const std::string name = class_name();
    if (name == "external") return !is_at_least("0.12.0");
    if (name == "none") return !is_at_least("0.15.1");
    if (name == "keda") return !is_at_least("0.15.0");
    return name != "hpa";
  }
  bool is_same(int spec) const {
    const bool same_class = !is_at_least("0.13.0") || stored_class == wanted_class;
    const bool same_behavior = !is_at_least("0.12.0") || !filled;
    return written == spec && !edited && same_class && same_behavior;
  }
  /// Returns the expected request for the autoscaler.
  std::string action(int spec) const {
    const std::string name = class_name();
    if (is_refused() || name == "keda") return "none";
    const bool leaves = name != "hpa";
    if (leaves && !is_at_least("0.13.0")) return "none";
    if (!exists) return leaves || (is_at_least("0.16.0") && is_stopped()) ? "none" : "create";
    if (is_at_least("0.16.0") && owned && (stored_stop || leaves)) return "delete";
    if (is_same(spec)) return "none";
    const bool may_delete = is_at_least("0.15.1") ? owned : is_at_least("0.13.0");
    return leaves && may_delete ? "delete" : "update";
  }
  /// Returns the expected requests for the ScaledObject.
  std::vector<std::string> others(int spec) const {
    if (is_refused() || class_name() != "keda") return {};
    if (is_at_least("0.16.0") && is_stopped())
      return scaled < 0 ? std::vector<std::string>() : std::vector<std::string>{"delete"};
    if (scaled < 0) return {"create"};
    if (scaled != spec) return {"update", "update"};
    return {"update"};
  }
  void reconcile(int spec, bool server_defaults) {
    const std::string what = action(spec);
    const auto asked = others(spec);
    if (what == "delete") exists = false;
    if (what == "create" || what == "update") {
      exists = owned = true;
      edited = false;
      filled = server_defaults;
      written = spec;
      stored_class = wanted_class;
      stored_stop = is_stopped();
    }
    if (!asked.empty() && asked.front() == "delete")
      scaled = -1;
    else if (!asked.empty())
      scaled = spec;
  }
  void user(std::string_view verb) {
    if (verb == "delete") exists = false;
    if (verb == "update" && exists) {
      edited = true;
      filled = filled || written >= 0;
    }
    if (verb != "create" || exists) return;
    exists = true;
    owned = filled = edited = stored_stop = false;
    written = -1;
    stored_class = std::nullopt;
  }
};

/// The real reconciler: each step runs the whole Sequence again from its beginning.
struct Real {
  cases::Sequence so_far;
  reconcile::StepResult run(const cases::Step& step) {
    so_far.steps.push_back(step);
    return reconcile::run_sequence(so_far, resolve_reconciler(so_far.subject).value()).back();
  }
};

using Command = rc::state::Command<Model, Real>;

void expect_same_store(const Model& model, const reconcile::StepResult& result) {
  const Value* stored = result.after.find("HorizontalPodAutoscaler", "default", "model-predictor");
  RC_ASSERT((stored != nullptr) == model.exists);
  if (stored != nullptr) RC_ASSERT(autoscaler::is_owned(*stored) == model.owned);
  RC_ASSERT((result.after.find("ScaledObject", "default", "model-predictor") != nullptr) ==
            (model.scaled >= 0));
}

struct Switch : Command {
  Step step;
  explicit Switch(const Model&)
      : step{"set", *rc::gen::element<std::string>("absent", "hpa", "external", "none", "keda", "kpa")} {}
  void apply(Model& model) const override {
    model.wanted_class.reset();
    if (step.value.text() != "absent") model.wanted_class = step.value.text();
  }
  void run(const Model& model, Real& real) const override {
    expect_same_store(nextState(model), real.run(step));
  }
  void show(std::ostream& out) const override { out << cases::words(step); }
};

struct Stop : Command {
  Step step;
  explicit Stop(const Model&) : step{"stop", *rc::gen::arbitrary<bool>()} {}
  void apply(Model& model) const override { model.wanted_stop = step.value.is_true(); }
  void run(const Model& model, Real& real) const override {
    expect_same_store(nextState(model), real.run(step));
  }
  void show(std::ostream& out) const override { out << cases::words(step); }
};

struct User : Command {
  Step step;
  explicit User(const Model&) : step{"user", *rc::gen::element<std::string>("create", "update", "delete")} {}
  void apply(Model& model) const override { model.user(step.value.text()); }
  void run(const Model& model, Real& real) const override {
    expect_same_store(nextState(model), real.run(step));
  }
  void show(std::ostream& out) const override { out << cases::words(step); }
};

struct ReconcileOnce : Command {
  int spec;
  bool server_defaults;
  explicit ReconcileOnce(const Model&)
      : spec(*rc::gen::inRange(0, 2)),
        server_defaults(*rc::gen::weightedElement<bool>({{3, true}, {1, false}})) {}
  void apply(Model& model) const override { model.reconcile(spec, server_defaults); }
  void run(const Model& model, Real& real) const override {
    const auto result =
        real.run(reconcile_step({{"spec", json(kSpecs[static_cast<std::size_t>(spec)])}}, server_defaults));
    std::string action = "none";
    std::vector<std::string> others;
    for (const reconcile::Request& request : result.reconciled.requests) {
      if (request.object["kind"].text() == "HorizontalPodAutoscaler") {
        action = word(request.verb);
      } else {
        others.emplace_back(word(request.verb));
      }
    }
    RC_ASSERT(action == model.action(spec));
    RC_ASSERT(others == model.others(spec));
    RC_ASSERT(!result.reconciled.error.empty() == model.is_refused());
    RC_ASSERT(!result.reconciled.crashed);
    expect_same_store(nextState(model), result);
  }
  void show(std::ostream& out) const override {
    out << "reconcile " << kSpecs[static_cast<std::size_t>(spec)] << (server_defaults ? "" : " undefaulted");
  }
};

class EveryRelease : public testing::TestWithParam<std::string_view> {};

TEST_P(EveryRelease, DecidesAsItsTableSays) {
  const bool holds = rc::check(std::string(GetParam()), [&] {
    Real real{{.subject = "kserve/hpa@" + std::string(GetParam())}};
    rc::state::check(Model{.release = std::string(GetParam())}, real,
                     rc::state::gen::execOneOfWithArgs<Switch, Stop, User, ReconcileOnce, ReconcileOnce>());
  });
  EXPECT_TRUE(holds);
}

INSTANTIATE_TEST_SUITE_P(Hpa, EveryRelease, testing::ValuesIn(kHpaReleases), [](const auto& release) {
  std::string name(release.param);
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

TEST(Hpa, TheModelOfAnotherReleaseDoesNotFit) {
  testing::internal::CaptureStderr();
  const bool holds = rc::check([&] {
    Real real{{.subject = "kserve/hpa@0.15.0"}};
    rc::state::check(Model{.release = "0.15.2"}, real,
                     rc::state::gen::execOneOfWithArgs<Switch, Stop, User, ReconcileOnce>());
  });
  testing::internal::GetCapturedStderr();
  EXPECT_FALSE(holds) << "a state test that cannot fail is none";
}

/// Reconciles a component once with these stored objects.
reconcile::Reconciled reconcile(const char* release, const char* component, const char* stored = "null") {
  cases::Sequence sequence{.initial = json(stored), .steps = {reconcile_step(json(component))}};
  return reconcile::run_sequence(sequence, reconciler(release)).front().reconciled;
}
Value made(const char* release, const char* component) {
  const auto reconciled = reconcile(release, component);
  return reconciled.requests.empty() ? Value() : reconciled.requests.front().object;
}

TEST(Hpa, BoundsFollowTheSpec) {
  const Value spec = made("0.20.0", R"({"spec":{"minReplicas":-4,"maxReplicas":0}})")["spec"];
  EXPECT_EQ(spec["minReplicas"].integer(), 1);
  EXPECT_EQ(spec["maxReplicas"].integer(), 1);
  EXPECT_EQ(made("0.11.2", R"({"spec":{"minReplicas":7,"maxReplicas":3}})")["spec"]["maxReplicas"].integer(),
            7);
}

std::int64_t target(const char* release, const char* annotation) {
  Value component{{"annotations", {{"serving.kserve.io/targetUtilizationPercentage", annotation}}}};
  const auto listed = metrics(
      *std::find_if(kRows.begin(), kRows.end(), [&](const Release& row) { return row.name == release; }),
      component);
  return listed->front()["resource"]["target"]["averageUtilization"].integer().value_or(-1);
}

TEST(Hpa, TheAnnotationForTheTargetIsReadAsGoReadsIt) {
  EXPECT_EQ(target("0.14.1", "40"), 40);
  EXPECT_EQ(target("0.14.1", "+5"), 5);
  EXPECT_EQ(target("0.14.1", ""), 0);
  EXPECT_EQ(target("0.14.1", "4x"), 0);
  EXPECT_EQ(target("0.14.1", "4294967301"), 5) << "Go's int is cut to 32 bits";
  EXPECT_EQ(target("0.14.1", "99999999999999999999"), -1) << "the greatest int64, cut";
  EXPECT_EQ(target("0.15.0", "40"), 80) << "not read any more";
}

TEST(Hpa, MetricsAreListedSince015) {
  const char* component = R"({"spec":{"autoScaling":{"metrics":[
      {"type":"Resource","resource":{"name":"memory","target":{"type":"AverageValue",
      "averageValue":"1024Mi"}}},
      {"type":"Resource","resource":{"name":"other","target":{"type":"Utilization"}}},
      {"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization"}}}]}}})";
  const Value listed = made("0.15.0", component)["spec"]["metrics"];
  ASSERT_EQ(listed.size(), 2u);
  EXPECT_EQ(listed.at(0)["resource"]["target"]["averageValue"].text(), "1Gi");
  EXPECT_EQ(listed.at(1)["resource"]["target"]["averageUtilization"].integer(), 80);
  EXPECT_EQ(made("0.14.1", component)["spec"]["metrics"].size(), 1u);
  EXPECT_TRUE(made("0.15.0", R"({"spec":{"scaleMetric":"memory"}})")["spec"]["metrics"].is_null());
}

/// Release 0.15.0 prints the address of a trigger's number, so that no two objects are equal.
TEST(Hpa, UpdatesAScaledObjectThatDiffers) {
  const auto requests_at_last = [](const char* release, const std::string& target) {
    const auto step = reconcile_step(json(
        (R"({"annotations":{"serving.kserve.io/autoscalerClass":"keda"},"spec":{"autoScaling":{"metrics":[
             {"type":"Resource","resource":{"name":"cpu","target":)" +
         target + "}}]}}}")
            .c_str()));
    const cases::Sequence sequence{.steps = {step, step, step}};
    return reconcile::run_sequence(sequence, reconciler(release)).back().reconciled.requests.size();
  };
  const char *number = R"({"type":"Utilization","averageUtilization":50})",
             *none = R"({"type":"Utilization"})";
  EXPECT_EQ(requests_at_last("0.15.0", number), 2u);
  EXPECT_EQ(requests_at_last("0.15.0", none), 1u);
  EXPECT_EQ(requests_at_last("0.15.2", number), 1u);
  EXPECT_EQ(requests_at_last("0.20.0", number), 1u);
}

TEST(Hpa, CrashesWhereItsReleaseDoes) {
  const char* external = R"({"spec":{"autoScaling":{"metrics":[{"type":"External"}]}}})";
  EXPECT_TRUE(reconcile("0.15.2", R"({"spec":null})").crashed);
  EXPECT_FALSE(reconcile("0.16.0", R"({"spec":null})").crashed);
  EXPECT_TRUE(reconcile("0.15.2", external).crashed);
  EXPECT_FALSE(reconcile("0.16.0", external).crashed);
  const char* keda = R"({"annotations":{"serving.kserve.io/autoscalerClass":"keda"},"spec":null})";
  EXPECT_TRUE(reconcile("0.15.2", keda).crashed);
  EXPECT_EQ(made("0.16.0", keda)["kind"].text(), "ScaledObject");
  EXPECT_EQ(made("0.20.0", keda)["spec"]["maxReplicaCount"].integer(), 1);
  const char* bare =
      R"({"metadata":{"name":"model-predictor"},"spec":{"maxReplicas":1,"metrics":[{"type":"Resource",
      "resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":80}}}]}})";
  EXPECT_TRUE(reconcile("0.11.2", "{}", bare).crashed) << "it looks at minReplicas that is not there";
  EXPECT_FALSE(reconcile("0.12.0", "{}", bare).crashed);
}

TEST(Reconcilers, NamesAreFoundOrMeant) {
  EXPECT_EQ(full_reconciler_name("kserve/hpa").value(), "kserve/hpa@0.20.0");
  EXPECT_NE(resolve_reconciler("kserve/hpb").error().message.find("did you mean \"kserve/hpa\"?"),
            std::string::npos);
  EXPECT_NE(resolve_reconciler("kserve/hpa@9").error().message.find("expected one of 0.11.2"),
            std::string::npos);
}

}  // namespace
}  // namespace fixpoint::injectors::kserve::hpa
