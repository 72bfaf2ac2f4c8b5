#pragma once

#include <fixpoint/cases.h>
#include <fixpoint/command_sequences.h>
#include <rapidcheck.h>
#include <rapidcheck/state.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

/// fixpoint's Cases, their parts and its Sequences as values of RapidCheck, which shrink as fixpoint shrinks
/// them. Link fixpoint::rapidcheck.
///
///     const fixpoint::Webhook own(configuration, handler);
///     rc::check("settles", [](const fixpoint::Case& c) {
///       RC_ASSERT(fixpoint::violations(c, own).empty());
///     });
///
/// The size of RapidCheck does not count: a Case is as large as `fuzz` draws it.
namespace fixpoint {

/// Two of RapidCheck's random numbers are the decisions of a drawn value: a seed and a number.
struct RapidCheckDecisions {
  std::uint64_t seed, number;
  explicit RapidCheckDecisions(rc::Random random) : seed(random.next()), number(random.next()) {}
};

/// Returns the value with its shrinks, which `candidates` returns. A shrunk value goes on at the place in the
/// pass where it was found, as fixpoint's shrinker does, and then begins anew.
template <class T, class Candidates>
rc::Shrinkable<T> shrinkable_by(T value, Candidates candidates, std::size_t place = 0) {
  return rc::shrinkable::shrink(
      [value = std::move(value)] { return value; },
      [=](const T& current) {
        std::vector<std::pair<std::size_t, T>> tries;
        for (T& candidate : candidates(current)) tries.emplace_back(tries.size(), std::move(candidate));
        const auto first = static_cast<std::ptrdiff_t>(std::min(place, tries.size()));
        std::rotate(tries.begin(), tries.begin() + first, tries.end());
        return rc::seq::map(rc::seq::fromContainer(std::move(tries)), [=](std::pair<std::size_t, T> next) {
          return shrinkable_by(std::move(next.second), candidates, next.first);
        });
      });
}

/// Returns a generator of Cases in which the webhook is under test, led by what its configuration and its
/// answers say makes it act. Throws std::invalid_argument if its configuration cannot be used.
inline rc::Gen<Case> cases_for(const Webhook& webhook) {
  return [webhook](const rc::Random& random, int) {
    const RapidCheckDecisions decisions(random);
    return shrinkable_by(draw_case(decisions.seed, decisions.number, webhook),
                         [webhook](const Case& value) { return shrink_candidates(value, webhook); });
  };
}

/// Returns a generator of one part of such Cases: parts_for<Part::object>(webhook) of Pods.
template <Part kPart>
rc::Gen<PartOfCase<kPart>> parts_for(const Webhook& webhook) {
  return [webhook](const rc::Random& random, int) {
    const RapidCheckDecisions decisions(random);
    return shrinkable_by(PartOfCase<kPart>{draw_part(kPart, decisions.seed, decisions.number, webhook)},
                         [webhook](const PartOfCase<kPart>& value) {
                           std::vector<PartOfCase<kPart>> parts;
                           for (Case& candidate : shrink_candidates(kPart, value.whole, webhook))
                             parts.push_back({std::move(candidate)});
                           return parts;
                         });
  };
}

/// Returns a generator of Sequences for the reconciler.
inline rc::Gen<Sequence> sequences_for(const Reconciler& reconciler) {
  return [reconciler](const rc::Random& random, int) {
    const RapidCheckDecisions decisions(random);
    return shrinkable_by(
        draw_sequence(decisions.seed, decisions.number, reconciler),
        [reconciler](const Sequence& value) { return shrink_candidates(value, reconciler); });
  };
}

/// A command of a state-machine test of a reconciler, beside commands of the caller's own. The model is the
/// Sequence so far, and begins as Sequence(reconciler).
using ReconcilerCommand = rc::state::Command<Sequence, const Reconciler>;

/// One step of a Sequence as a command. It fails if the Sequence with this step violates a property.
class StepCommand : public ReconcilerCommand {
 public:
  explicit StepCommand(std::string step) : step_(std::move(step)) {}
  void apply(Sequence& so_far) const override { so_far = so_far.with_step(step_); }
  void run(const Sequence& so_far, const Reconciler& reconciler) const override {
    for (const CheckFinding& finding : violations(so_far.with_step(step_), reconciler)) RC_FAIL(finding.text);
  }
  void show(std::ostream& out) const override { out << step_; }

 private:
  std::string step_;
};

/// Returns a generator of commands for rc::state::check: a step of a drawn Sequence, and its simpler forms.
///
///     rc::state::check(fixpoint::Sequence(reconciler), reconciler,
///                      [&](const fixpoint::Sequence&) { return fixpoint::commands_for(reconciler); });
inline rc::Gen<std::shared_ptr<const ReconcilerCommand>> commands_for(const Reconciler& reconciler) {
  const auto with_one_step = [reconciler](const Sequence& value) {
    auto simpler = shrink_candidates(value, reconciler);
    std::erase_if(simpler, [](const Sequence& one) { return one.steps().empty(); });
    return simpler;
  };
  const auto one_step = rc::Gen<Sequence>([=](const rc::Random& random, int) {
    const RapidCheckDecisions decisions(random);
    const Sequence drawn = draw_sequence(decisions.seed, decisions.number, reconciler);
    return shrinkable_by(drawn.without_steps().with_step(drawn.steps().back()), with_one_step);
  });
  return rc::gen::map(one_step, [](const Sequence& value) -> std::shared_ptr<const ReconcilerCommand> {
    return std::make_shared<const StepCommand>(value.steps().back());
  });
}

/// Prints the values of a property that fails.
inline void showValue(const Case& value, std::ostream& out) { out << value.text(); }
inline void showValue(const Sequence& value, std::ostream& out) { out << value.text(); }
template <Part kPart>
void showValue(const PartOfCase<kPart>& value, std::ostream& out) {
  out << value.text();
}

}  // namespace fixpoint

namespace rc {

/// Cases of the injectors that ship with fixpoint, among neighbours. A property that passes one of them with
/// its own webhook to `admit` or `violations` runs it with that webhook in their place.
template <>
struct Arbitrary<fixpoint::Case> {
  static Gen<fixpoint::Case> arbitrary() { return fixpoint::cases_for(fixpoint::Webhook::bundled()); }
};

/// Sequences of the newest reconciler that ships with fixpoint.
template <>
struct Arbitrary<fixpoint::Sequence> {
  static Gen<fixpoint::Sequence> arbitrary() {
    return fixpoint::sequences_for(fixpoint::Reconciler("kserve/hpa"));
  }
};

template <fixpoint::Part kPart>
struct Arbitrary<fixpoint::PartOfCase<kPart>> {
  static Gen<fixpoint::PartOfCase<kPart>> arbitrary() {
    return fixpoint::parts_for<kPart>(fixpoint::Webhook::bundled());
  }
};

}  // namespace rc
