#include "harness/apiserver/cel/cost.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "harness/apiserver/cel/functions.h"
#include "harness/apiserver/cel/meter.h"
#include "harness/apiserver/cel/numbers.h"
#include "harness/apiserver/cel/opaque.h"
#include "harness/document/utf8.h"

namespace fixpoint::apiserver::cel {

namespace {

constexpr double kTextFactor = 0.1;      ///< for each character that is read
constexpr double kPatternFactor = 0.25;  ///< for each character of a pattern

struct FunctionCost {
  const char* function;
  CostRule rule;
};
/// apiserver/pkg/cel/library/cost.go CostEstimator.CallCost, which looks at the name alone.
constexpr std::array kFunctionCosts = {
    FunctionCost{"check", CostRule::authorization},
    FunctionCost{"fieldSelector", CostRule::selector},
    FunctionCost{"labelSelector", CostRule::selector},
    FunctionCost{"isSorted", CostRule::traversal},
    FunctionCost{"sum", CostRule::traversal},
    FunctionCost{"max", CostRule::traversal},
    FunctionCost{"min", CostRule::traversal},
    FunctionCost{"indexOf", CostRule::traversal},
    FunctionCost{"lastIndexOf", CostRule::traversal},
    FunctionCost{"url", CostRule::first_size},
    FunctionCost{"lowerAscii", CostRule::first_size},
    FunctionCost{"upperAscii", CostRule::first_size},
    FunctionCost{"substring", CostRule::first_size},
    FunctionCost{"trim", CostRule::first_size},
    FunctionCost{"jsonpatch.escapeKey", CostRule::first_size},
    FunctionCost{"replace", CostRule::first_size_twice},
    FunctionCost{"split", CostRule::first_size_twice},
    FunctionCost{"join", CostRule::result_size_twice},
    FunctionCost{"find", CostRule::pattern},
    FunctionCost{"findAll", CostRule::pattern},
    FunctionCost{"cidr", CostRule::first_size},
    FunctionCost{"isIP", CostRule::first_size},
    FunctionCost{"isCIDR", CostRule::first_size},
    FunctionCost{"ip", CostRule::first_size},
    FunctionCost{"ip.isCanonical", CostRule::first_size_twice},
    FunctionCost{"containsIP", CostRule::contains_ip},
    FunctionCost{"containsCIDR", CostRule::contains_cidr},
    FunctionCost{"quantity", CostRule::first_size},
    FunctionCost{"isQuantity", CostRule::first_size},
    FunctionCost{"semver", CostRule::first_size},
    FunctionCost{"isSemver", CostRule::first_size},
    FunctionCost{"validate", CostRule::named_format},
};

/// cel-go/interpreter/runtimecost.go costCall, which looks at the overload.
constexpr std::array kOverloadCosts = {
    FunctionCost{"cidr_ip", CostRule::one},
    FunctionCost{"cidr_contains_ip_string", CostRule::contains_ip_text},
    FunctionCost{"cidr_contains_cidr_string", CostRule::contains_cidr_text},
    FunctionCost{"starts_with_string", CostRule::first_size},
    FunctionCost{"ends_with_string", CostRule::first_size},
    FunctionCost{"string_to_bytes", CostRule::first_size},
    FunctionCost{"bytes_to_string", CostRule::first_size},
    FunctionCost{"strings_quote", CostRule::first_size},
    FunctionCost{"string_format", CostRule::first_size},
    FunctionCost{"in_list", CostRule::second_size_whole},
    FunctionCost{"less_string", CostRule::smaller_size},
    FunctionCost{"less_bytes", CostRule::smaller_size},
    FunctionCost{"less_equals_string", CostRule::smaller_size},
    FunctionCost{"less_equals_bytes", CostRule::smaller_size},
    FunctionCost{"greater_string", CostRule::smaller_size},
    FunctionCost{"greater_bytes", CostRule::smaller_size},
    FunctionCost{"greater_equals_string", CostRule::smaller_size},
    FunctionCost{"greater_equals_bytes", CostRule::smaller_size},
    FunctionCost{"equals", CostRule::equality},
    FunctionCost{"not_equals", CostRule::smaller_size},
    FunctionCost{"add_string", CostRule::sum_of_sizes},
    FunctionCost{"add_bytes", CostRule::sum_of_sizes},
    FunctionCost{"matches_string", CostRule::pattern},
    FunctionCost{"contains_string", CostRule::product_of_sizes},
    FunctionCost{"list_sets_contains_list", CostRule::sets},
    FunctionCost{"list_sets_intersects_list", CostRule::sets},
    FunctionCost{"list_sets_equivalent_list", CostRule::sets_twice},
    FunctionCost{"list_slice", CostRule::new_list},
    FunctionCost{"lists_range", CostRule::range},
    FunctionCost{"list_reverse", CostRule::new_list},
    FunctionCost{"list_flatten", CostRule::flattened_list},
    FunctionCost{"list_flatten_int", CostRule::flattened_list},
    FunctionCost{"list_distinct", CostRule::compared_list},
};

/// The size of strings in code points, of bytes, lists and maps; 1 of everything else. Only Kubernetes' own
/// rules look no further than an optional.
std::uint64_t size_of(const Datum& value, bool unwraps = true) {
  switch (value.kind()) {
    case Kind::text:
      return document::rune_count(value.text());
    case Kind::bytes:
      return value.text().size();
    case Kind::list:
    case Kind::map:
      return value.size();
    case Kind::optional:
      return unwraps && value.held() != nullptr ? size_of(*value.held()) : 1;
    case Kind::opaque:
      return opaque_size(value.opaque());
    default:
      return 1;
  }
}

std::uint64_t scaled(std::uint64_t size, double factor) {
  return static_cast<std::uint64_t>(std::ceil(static_cast<double>(size) * factor));
}

std::uint64_t traversal_cost(const Datum& value) {
  spend_step();
  std::uint64_t cost = 0;
  switch (value.kind()) {
    case Kind::text:
    case Kind::bytes:
      return static_cast<std::uint64_t>(static_cast<double>(value.text().size()) * kTextFactor);
    case Kind::list:
      for (std::size_t i = 0; i < value.size(); ++i) cost += traversal_cost(value.element(i));
      return cost;
    case Kind::map:
      for (std::size_t i = 0; i < value.size(); ++i) {
        const auto [key, of] = value.entry(i);
        cost += traversal_cost(key) + traversal_cost(of);
      }
      return cost;
    default:
      return 1;
  }
}

/// A list of so many elements, each of which costs `factor`.
std::uint64_t list_cost(std::uint64_t size, double factor) {
  // A negative cost wraps, as in Go, and one that is no integer is the least.
  const double product = static_cast<double>(size) * factor;
  const auto cost = std::abs(product) < 0x1p63 ? static_cast<std::int64_t>(product)
                                               : std::numeric_limits<std::int64_t>::min();
  return static_cast<std::uint64_t>(cost) + 1 + kListCost;
}

/// Comparing the elements of a list with one another.
std::uint64_t comparison_cost(const Datum& list) {
  const std::uint64_t size = size_of(list, false);
  const bool has_texts =
      size > 0 && list.is(Kind::list) && (list.element(0).is(Kind::text) || list.element(0).is(Kind::bytes));
  return list_cost(size * size, has_texts ? 2 + kTextFactor : 2);
}

}  // namespace

bool is_known_before(CostRule rule) {
  return rule != CostRule::result_size_twice && rule != CostRule::new_list;
}

CostRule cost_rule(std::string_view function, std::string_view overload) {
  for (const FunctionCost& row : kOverloadCosts) {
    if (overload == row.function) return row.rule;
  }
  if (overload.ends_with("_sort") && overload.starts_with("list_")) return CostRule::compared_list;
  if (overload.ends_with("_sortByAssociatedKeys")) return CostRule::compared_keys;
  for (const FunctionCost& row : kFunctionCosts) {
    if (function == row.function) return row.rule;
  }
  return CostRule::one;
}

std::string cost_failure(CostRule rule, std::span<const Datum> arguments) {
  if (rule == CostRule::flattened_list && arguments.size() > 1 && !arguments[1].is(Kind::integer)) {
    return "internal error: interface conversion: ref.Val is " + go_type_name(arguments[1]) +
           ", not types.Int";
  }
  if (rule != CostRule::compared_list && rule != CostRule::compared_keys) return {};
  const Datum& list = arguments[rule == CostRule::compared_list ? 0 : 1];
  if (list.is(Kind::list)) return {};
  // Go names the first method that the type lacks, in alphabetical order: Add, then Contains.
  const bool adds = is_number(list) || list.is(Kind::text) || list.is(Kind::bytes) ||
                    list.is(Kind::duration) || list.is(Kind::timestamp);
  return "internal error: interface conversion: " + go_type_name(list) +
         " is not traits.Lister: missing method " + (adds ? "Contains" : "Add");
}

std::uint64_t call_cost(CostRule rule, std::span<const Datum> arguments, const Datum& result) {
  const auto size = [&](std::size_t index, bool unwraps = false) {
    return size_of(arguments[index], unwraps);
  };
  switch (rule) {
    case CostRule::one:
      return 1;
    case CostRule::authorization:
      return 350'000;
    case CostRule::selector: {
      // A list, the reading of the text, and a requirement, a struct and a list, for each two characters.
      if (arguments.size() < 2) return 1;
      const std::uint64_t length = size(1);
      return kListCost + scaled(length, kTextFactor) + scaled(scaled(length, 0.5), kListCost + kMessageCost);
    }
    case CostRule::traversal:
      return arguments.empty() ? 0 : traversal_cost(arguments[0]);
    case CostRule::first_size:
      return scaled(size(0, true), kTextFactor);
    case CostRule::first_size_twice:
      return scaled(size(0), 2 * kTextFactor);
    case CostRule::result_size_twice:
      return scaled(size_of(result, false), 2 * kTextFactor);
    case CostRule::pattern:
      return scaled(size(0) + 1, kTextFactor) * scaled(size(1), kPatternFactor);
    case CostRule::contains_ip:
      return scaled(2 * size(0), kTextFactor);
    case CostRule::contains_ip_text:
      return scaled(2 * size(0), kTextFactor) + scaled(size(1), kTextFactor);
    case CostRule::contains_cidr:
      return scaled(2 * size(0), kTextFactor) + scaled(size(0), kTextFactor) + 1;
    case CostRule::contains_cidr_text:
      return scaled(2 * size(0), kTextFactor) + scaled(size(0), kTextFactor) + 1 +
             scaled(size(1), kTextFactor);
    case CostRule::named_format:
      return scaled(size(1) + 1, kTextFactor) * scaled(format_pattern_size(arguments[0]), kPatternFactor);
    case CostRule::second_size_whole:
      return size(1, true);
    case CostRule::equality:
      if (arguments[0].is(Kind::opaque) && has_unit_equality(arguments[0].opaque())) return 1;
      return scaled(std::min(size(0, true), size(1, true)), kTextFactor);
    case CostRule::smaller_size:
      return scaled(std::min(size(0, true), size(1, true)), kTextFactor);
    case CostRule::sum_of_sizes:
      return scaled(size(0, true) + size(1, true), kTextFactor);
    case CostRule::sets:
    case CostRule::sets_twice:
      return 1 + size(0) * size(1) * (rule == CostRule::sets ? 1 : 2);
    case CostRule::new_list:
      return list_cost(size_of(result, false), 1);
    case CostRule::range: {
      const bool is_count = arguments[0].is(Kind::integer);
      const std::int64_t count = is_count ? std::max<std::int64_t>(arguments[0].integer(), 0) : 1;
      return list_cost(static_cast<std::uint64_t>(count), 1);
    }
    case CostRule::flattened_list: {
      const bool has_depth = arguments.size() > 1 && arguments[1].is(Kind::integer);
      return list_cost(size(0), has_depth ? static_cast<double>(arguments[1].integer()) : 1);
    }
    case CostRule::compared_list:
      return comparison_cost(arguments[0]);
    case CostRule::compared_keys:
      return comparison_cost(arguments[1]);
    case CostRule::product_of_sizes:
      return scaled(size(0, true), kTextFactor) * scaled(size(1, true), kTextFactor);
  }
  return 1;
}

void CostTracker::shrink(std::size_t size) {
  for (std::size_t i = size; i < stack_.size(); ++i) --present_[static_cast<std::size_t>(stack_[i].id)];
  stack_.resize(size);
}

int CostTracker::origin_of(const Datum& error) const {
  const auto found = std::find_if(errors_.begin(), errors_.end(), [&](const Entry& one) {
    return one.value.text().data() == error.text().data();
  });
  return found == errors_.end() ? 0 : found->id;
}

void CostTracker::note_error(const Datum& error, int id) {
  if (origin_of(error) != 0) return;
  if (errors_.size() == kErrorsMax) errors_.erase(errors_.begin());
  errors_.push_back({error, id});
}

void CostTracker::drop(int id) {
  if (present_[static_cast<std::size_t>(id)] == 0) return;
  for (std::size_t i = stack_.size(); i-- > 0;) {
    if (stack_[i].id != id) continue;
    return shrink(i);
  }
}

bool CostTracker::take(std::span<const int> ids, std::span<Datum> into) {
  for (std::size_t argument = ids.size(); argument-- > 0;) {
    if (present_[static_cast<std::size_t>(ids[argument])] == 0) return false;
    std::size_t i = stack_.size();
    while (i > 0 && stack_[i - 1].id != ids[argument]) --i;
    into[argument] = std::move(stack_[i - 1].value);
    shrink(i - 1);
  }
  return true;
}

}  // namespace fixpoint::apiserver::cel
