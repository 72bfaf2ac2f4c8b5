#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/cases/finding.h"
#include "harness/properties/property.h"

namespace fixpoint::runner {

/// The meaning of a judgement of a property for the webhooks under test: `skipped` if the property was not
/// reached, or if only neighbours violate it.
enum class Decision { held, violated, skipped, not_applicable };

using Decisions = std::vector<std::pair<std::string_view, Decision>>;  ///< by property

/// Adds each counter that `Counts::each` gives to `visit(name, member)`, named as in the stop event.
template <class Counts>
void add_counts(Counts& into, const Counts& more) {
  Counts::each([&](const char*, std::uint64_t Counts::* member) { into.*member += more.*member; });
}

/// The number of checks of a property, and their results.
struct Tally {
  std::uint64_t asked = 0, held = 0, violated = 0, skipped = 0, not_applicable = 0;
  void take(Decision decision);
  static void each(const auto& visit) {
    visit("checked", &Tally::asked);
    visit("held", &Tally::held);
    visit("violated", &Tally::violated);
    visit("skipped", &Tally::skipped);
    visit("notApplicable", &Tally::not_applicable);
  }
  /// Returns true if it was decided at least once, or concerns hardly any of the Cases.
  bool was_reached() const;
};
using Tallies = std::map<std::string, Tally>;  ///< by property

/// The numbers of the Cases about one kind of objects.
struct KindCounts {
  std::uint64_t cases = 0, acted = 0;  ///< `acted`: some subject did
  Tallies properties = {};
};

/// The numbers of a subject's Cases: in which it acted, that is changed the object or refused it on purpose
/// (a denial whose code is not 500); in which it refused and changed nothing; and in which it had no effect.
struct Acted {
  std::uint64_t acted = 0, refused = 0, no_effect = 0;
  std::map<std::string, std::uint64_t> denials = {};  ///< the number of Cases by message of refusal
  /// Counts one more Case with that message, whose secrets are hidden; only the first different messages are
  /// kept.
  void take_denial(const std::string& message);
};

/// A vacuity check: something that must have happened at least once in a long run.
struct VacuityCheck {
  std::string name;
  bool held = false;
  bool judged = false;  ///< false in runs of fewer than vacuity_cases_min Cases
};

/// The contents of all drawn Cases together.
struct CaseCounts {
  std::uint64_t containers = 0, init_containers = 0, probes = 0, webhooks = 0, if_needed = 0, updates = 0,
                dry_runs = 0;
  static void each(const auto& visit) {
    visit("containers", &CaseCounts::containers);
    visit("initContainers", &CaseCounts::init_containers);
    visit("probes", &CaseCounts::probes);
    visit("webhooks", &CaseCounts::webhooks);
    visit("ifNeeded", &CaseCounts::if_needed);
    visit("updates", &CaseCounts::updates);
    visit("dryRuns", &CaseCounts::dry_runs);
  }
};

/// An observation, and the number of Cases in which it was made.
struct Observed {
  properties::Observation observation = {};
  std::uint64_t cases = 0;
};

/// The numbers of Cases by what happened in them. Those of one Case are 0 or 1.
struct CaseTotals {
  std::uint64_t cases = 0;
  std::uint64_t all_properties = 0;  ///< all properties were checked
  std::uint64_t reinvoked = 0, rejected = 0, late_containers = 0;
  std::uint64_t without_effect = 0;  ///< no judged webhook changed the object
  std::uint64_t faults = 0;
  std::uint64_t broken = 0;  ///< they could not run
  std::uint64_t sequences = 0;

  static void each(const auto& visit) {
    visit("cases", &CaseTotals::cases);
    visit("allProperties", &CaseTotals::all_properties);
    visit("reinvoked", &CaseTotals::reinvoked);
    visit("rejected", &CaseTotals::rejected);
    visit("lateContainers", &CaseTotals::late_containers);
    visit("casesWithoutEffect", &CaseTotals::without_effect);
    visit("faults", &CaseTotals::faults);
    visit("notRunnable", &CaseTotals::broken);
    visit("sequences", &CaseTotals::sequences);
  }
  void count(const CaseTotals& more) { add_counts(*this, more); }
};

struct RunSummary : CaseTotals {
  std::string why;                          ///< cases, time, interrupted, found
  std::map<std::string, Acted> acted = {};  ///< by subject
  /// By kind, as the API server names its resource: `pods`, `widgets.example.io`.
  std::map<std::string, KindCounts> kinds = {};
  std::uint64_t acted_min = 5;  ///< in how many of a hundred Cases a subject must act
  CaseCounts drawn = {};
  Tallies properties = {};
  std::vector<cases::Finding> findings = {};  ///< shrunk, once per fingerprint, in the order found
  std::vector<cases::Finding> notes = {};     ///< in which no judged webhook has a part
  std::vector<Observed> observations = {};    ///< once each, by webhook, kind and path
  /// Conditions that were both true and false, as <policy>/<binding>, a blank, and the path of the condition.
  std::set<std::string> varying = {};
  std::vector<VacuityCheck> vacuity_checks = {};
  /// The objects of the cluster on which a server would act, and the run did not.
  std::vector<std::string> not_simulated = {};
  bool fails_on_warnings = false;  ///< a finding of severity warning fails the run, too
  double seconds = 0;
  std::string pace = {};  ///< how slowly the webhooks answer, if so (loop/pace.h); in no file
  /// Returns true if every Case is about a Pod, or none is about an object.
  bool is_about_pods() const { return kinds.size() <= kinds.count("pods"); }
  /// Adds the counts and the times of another run; the reason of its end, findings, notes and gates are not
  /// added. A subject must act as often as the stricter of the two runs demands.
  void add(const RunSummary& other);
  /// Counts the decisions on one Case about an object of that kind, which is empty for a Sequence.
  void take(const std::string& kind, bool has_acted, const Decisions& decisions);
  /// Counts an observation that was made in so many more Cases. Of a condition that was always true, until it
  /// was false, nothing is observed.
  void observe(const properties::Observation& observation, std::uint64_t cases = 1);
  /// Forgets that conditions were always true or false in fewer than that many Cases.
  void forget_rare_constants(std::uint64_t cases_min);
};

/// Returns the reasons why the run has no verdict, a sentence each: a subject acted in none of its Cases, or
/// in too few of at least 200, no subject acted on one of several kinds, or no property was decided.
std::vector<std::string> missing_verdicts(const RunSummary& summary);

/// Returns true if a run without findings proves nothing: a subject never acted, or a judged check did not
/// hold.
bool is_vacuous(const RunSummary& summary);

/// Returns the vacuity checks of a run, or of several together, from their counts.
std::vector<VacuityCheck> vacuity_checks_of(const RunSummary& summary, bool draws_cases,
                                            std::uint64_t vacuity_cases_min);

}  // namespace fixpoint::runner
