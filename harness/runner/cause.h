#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/finding.h"
#include "harness/runner/examine.h"

namespace fixpoint::runner {

/// A step of a place: a member, or in brackets the key of an element or of a map's entry: `name=LOG`,
/// `/mnt/models`, `*`.
struct PlaceStep {
  std::string text;
  bool is_key = false;
};
std::vector<PlaceStep> steps_of(std::string_view place);

/// A message by which findings are told apart: numbers of ports, processes and times are no part of it.
std::string without_digits(std::string_view message);

/// The cause of a violation that a Case shows: who does it, where, and of which class it is. A key stays in
/// its place only if the webhook writes it whatever the user calls things: that is asked by a call of the
/// webhook with other names. Of an injector that is made of parts the one that shows the violation alone is
/// to blame, and the whole for what most of them show, or none alone.
cases::Cause cause_of(const Prepared& prepared, const properties::Property& property,
                      const properties::Violation& violation, const webhooks::Resolve& resolve,
                      const Limits& limits);

/// The same of a Sequence: the place is the command and the kind of the object.
cases::Cause cause_of(const cases::Sequence& value, std::string_view property,
                      const properties::Violation& violation);

}  // namespace fixpoint::runner
