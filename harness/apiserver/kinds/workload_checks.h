#pragma once

#include <initializer_list>
#include <string_view>

#include "harness/apiserver/kinds/typed_kind.h"
#include "harness/apiserver/validation/checks.h"

namespace fixpoint::apiserver::kinds {

using validation::Errors;
using validation::Path;
using validation::Text;

// Parts that the checks of several kinds have in common.

inline constexpr Name kInSpec[] = {"spec", "template"}, kLabels[] = {"metadata", "labels"};

/// Up to this minor, some updates were checked as a creation, too.
inline constexpr int kLastCheckedTwice = 33;

/// The strategy of a Deployment or a DaemonSet as Go writes the struct.
inline constexpr document::GoMember kSurgeMembers[] = {{"MaxUnavailable", "maxUnavailable", "0"},
                                                       {"MaxSurge", "maxSurge", "0"}};
inline constexpr document::GoMember kSurgeStrategyMembers[] = {
    {"Type", "type", "\"\""}, {"RollingUpdate", "rollingUpdate", "null", kSurgeMembers}};

/// Sets a member, and the objects on the way to it. The object must be canonical.
void put_at(Value& object, const Type& type, std::span<const Name> path, Value value);
/// Sets it if it is absent, or empty where that is the same.
void put_default(Value& object, const Type& type, std::initializer_list<Name> path, const Value& value);

/// The names of most kinds (NameIsDNSSubdomain).
validation::Problems check_subdomain(std::string_view name, int minor);
/// Reports negative numbers; absent ones are none.
void check_not_negative(const Value& object, std::initializer_list<Name> members, const Path& path,
                        Errors& errors);
/// Reports a value that is another than the stored one (ValidateImmutableField).
void check_fixed(const Value& now, const Value& old, const Type& type, const Path& path, Errors& errors);
void check_fixed(const Value& now, const Value& old, const Path& path, Errors& errors);

/// The match of a label selector with the labels of a template.
enum class Selected { yes, no, cannot_tell };
Selected selected(const Value& selector, const Value& labels);
/// Checks a selector that must be there and select something; `kind` is the server's word for the kind.
void check_selector(const Value& selector, std::string_view kind, const Path& path, Errors& errors);
/// Returns true if a value in an expression of the selector is none that a label can have.
bool has_bad_value(const Value& selector);
/// Reports a template that its own selector does not select.
void check_selected(const Value& spec, const Path& spec_path, Errors& errors);
/// Checks that Pods are restarted always, and live as long as they will.
void check_lasting_pods(const Value& spec, std::string_view kind, const Path& path, Errors& errors);

/// A number or a percentage that is not negative.
void check_amount(const Value& amount, const Path& path, Errors& errors);
void check_at_most_all(const Value& amount, const Path& path, Errors& errors);
/// The number of a number or of a percentage.
std::int64_t number_of(const Value& amount);

/// The rules of a status: what may not be negative, and what may not be greater than another member.
struct StatusRules {
  struct Limit {
    Name member, limit;
    Text text;
  };
  std::span<const Name> not_negative;
  std::span<const Limit> limits;
};
inline constexpr Text kAboveStatusReplicas("cannot be greater than status.replicas");
void check_status_numbers(const Change& change, const StatusRules& rules, Errors& errors);

/// Removes `terminatingReplicas` of a status in a minor that has it switched off.
void drop_terminating_replicas(Value& object, const Value& old, int minor);

}  // namespace fixpoint::apiserver::kinds
