#include <algorithm>
#include <array>
#include <numeric>

#include "harness/apiserver/cel/cel_boxes.h"
#include "harness/apiserver/cel/functions.h"
#include "harness/apiserver/cel/meter.h"
#include "harness/apiserver/cel/numbers.h"

namespace fixpoint::apiserver::cel {

namespace {

using Arguments = std::span<const Datum>;

std::vector<Datum> elements_of(const Datum& list) {
  std::vector<Datum> all;
  spend_bytes(list.size() * sizeof(Datum));
  all.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) all.push_back(list.element(i));
  return all;
}

/// Returns true if values of the kind have an order (cel-go common/types/traits Comparer).
bool has_order(Kind kind) {
  constexpr std::array kOrdered{Kind::boolean, Kind::integer, Kind::unsigned_integer, Kind::real,
                                Kind::text,    Kind::bytes,   Kind::duration,         Kind::timestamp};
  return std::find(kOrdered.begin(), kOrdered.end(), kind) != kOrdered.end();
}
Datum without_order() { return Datum::error("no such overload"); }

Datum call_is_sorted(Arguments a, const CallContext&) {
  for (std::size_t i = 0; i < a[0].size(); ++i) {
    const Datum element = a[0].element(i);
    if (!has_order(element.kind())) return without_order();
    if (i == 0) continue;
    const Datum order = compare_values(a[0].element(i - 1), element);
    if (order.is(Kind::integer) && order.integer() > 0) return Datum::of(false);
  }
  return Datum::of(true);
}

/// The sum with the zero of the elements' type.
Datum sum_from(Datum sum, const Datum& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    sum = add_values(sum, list.element(i));
    if (sum.is_error()) return sum;
  }
  return sum;
}
Datum call_sum_int(Arguments a, const CallContext&) { return sum_from(Datum::of(std::int64_t{0}), a[0]); }
Datum call_sum_uint(Arguments a, const CallContext&) { return sum_from(Datum::of(std::uint64_t{0}), a[0]); }
Datum call_sum_double(Arguments a, const CallContext&) { return sum_from(Datum::of(0.0), a[0]); }
Datum call_sum_duration(Arguments a, const CallContext&) { return sum_from(Datum::duration(0), a[0]); }

template <int kReplaces>
Datum call_extreme(Arguments a, const CallContext&) {
  if (a[0].size() == 0)
    return Datum::error(std::string(kReplaces > 0 ? "min" : "max") + " called on empty list");
  Datum best;
  for (std::size_t i = 0; i < a[0].size(); ++i) {
    Datum element = a[0].element(i);
    if (!has_order(element.kind())) return without_order();
    const Datum order = i == 0 ? Datum() : compare_values(best, element);
    const bool is_better = order.is(Kind::integer) && order.integer() == kReplaces;
    if (i == 0 || is_better) best = std::move(element);
  }
  return best;
}

Datum call_list_index_of(Arguments a, const CallContext&) {
  for (std::size_t i = 0; i < a[0].size(); ++i) {
    if (equal(a[0].element(i), a[1])) return Datum::of(static_cast<std::int64_t>(i));
  }
  return Datum::of(std::int64_t{-1});
}
Datum call_list_last_index_of(Arguments a, const CallContext&) {
  for (std::size_t i = a[0].size(); i-- > 0;) {
    if (equal(a[0].element(i), a[1])) return Datum::of(static_cast<std::int64_t>(i));
  }
  return Datum::of(std::int64_t{-1});
}

bool has_element(const Datum& list, const Datum& element) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (equal(element, list.element(i))) return true;
  }
  return false;
}
bool has_all(const Datum& list, const Datum& of) {
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (!has_element(list, of.element(i))) return false;
  }
  return true;
}
Datum call_sets_contains(Arguments a, const CallContext&) { return Datum::of(has_all(a[0], a[1])); }
Datum call_sets_equivalent(Arguments a, const CallContext&) {
  return Datum::of(has_all(a[0], a[1]) && has_all(a[1], a[0]));
}
Datum call_sets_intersects(Arguments a, const CallContext&) {
  for (std::size_t i = 0; i < a[0].size(); ++i) {
    if (has_element(a[1], a[0].element(i))) return Datum::of(true);
  }
  return Datum::of(false);
}

Datum call_slice(Arguments a, const CallContext&) {
  const std::int64_t start = a[1].integer(), end = a[2].integer();
  const std::string call = "cannot slice(" + std::to_string(start) + ", " + std::to_string(end) + "), ";
  if (start < 0 || end < 0) return Datum::error(call + "negative indexes not supported");
  if (start > end) return Datum::error(call + "start index must be less than or equal to end index");
  if (static_cast<std::int64_t>(a[0].size()) < end) {
    return Datum::error(call + "list is length " + std::to_string(a[0].size()));
  }
  std::vector<Datum> part;
  spend_bytes(static_cast<std::size_t>(end - start) * sizeof(Datum));
  for (std::int64_t i = start; i < end; ++i) part.push_back(a[0].element(static_cast<std::size_t>(i)));
  return Datum::of(std::move(part));
}

void flatten_into(std::vector<Datum>& flat, const Datum& list, std::int64_t depth) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    Datum element = list.element(i);
    if (element.is(Kind::list) && depth > 0) {
      flatten_into(flat, element, depth - 1);
    } else {
      spend_step();
      spend_bytes(sizeof(Datum));
      flat.push_back(std::move(element));
    }
  }
}
Datum call_flatten(Arguments a, const CallContext&) {
  if (!a[0].is(Kind::list)) {
    return Datum::error("no such overload: " + std::string(type_name(a[0])) + ".flatten(" +
                        (a.size() > 1 ? std::string(type_name(a[1])) : "") + ")");
  }
  const std::int64_t depth = a.size() > 1 ? a[1].integer() : 1;
  if (depth < 0) return Datum::error("level must be non-negative");
  std::vector<Datum> flat;
  flatten_into(flat, a[0], depth);
  return Datum::of(std::move(flat));
}

Datum sorted_by(const Datum& list, const Datum& keys) {
  if (list.size() != keys.size()) {
    return Datum::error(
        "@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got " +
        std::to_string(list.size()) + " and " + std::to_string(keys.size()) + " elements respectively");
  }
  if (list.size() == 0) return list;
  const std::vector<Datum> key = elements_of(keys);
  const Datum& first = key[0];
  if (first.is(Kind::null) || first.is(Kind::list) || first.is(Kind::map) || first.is(Kind::type) ||
      first.is(Kind::optional) || first.is(Kind::opaque)) {
    return Datum::error("list elements must be comparable");
  }
  for (const Datum& one : key) {
    if (one.kind() != first.kind()) return Datum::error("list elements must have the same type");
  }
  std::vector<std::size_t> order(key.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    const Datum compared = compare_values(key[x], key[y]);
    return compared.is(Kind::integer) && compared.integer() < 0;
  });
  std::vector<Datum> sorted;
  for (std::size_t i : order) sorted.push_back(list.element(i));
  return Datum::of(std::move(sorted));
}
Datum call_sort(Arguments a, const CallContext&) {
  if (a[0].is(Kind::list)) return sorted_by(a[0], a[0]);
  const bool says_less = a[0].is(Kind::text) || a[0].is(Kind::duration) || a[0].is(Kind::timestamp);
  return Datum::error(says_less ? "no such overload" : "no such overload: sort");
}
Datum call_sort_by_keys(Arguments a, const CallContext&) {
  if (!a[0].is(Kind::list)) return Datum::error("no such overload: @sortByAssociatedKeys");
  return sorted_by(a[0], a[1]);
}

Datum call_range(Arguments a, const CallContext&) {
  std::vector<Datum> numbers;
  if (a[0].integer() > 0) spend_bytes(static_cast<std::size_t>(a[0].integer()) * sizeof(Datum));
  for (std::int64_t i = 0; i < a[0].integer(); ++i) numbers.push_back(Datum::of(i));
  return Datum::of(std::move(numbers));
}

Datum call_reverse(Arguments a, const CallContext&) {
  std::vector<Datum> all = elements_of(a[0]);
  std::reverse(all.begin(), all.end());
  return Datum::of(std::move(all));
}

Datum call_distinct(Arguments a, const CallContext&) {
  std::vector<Datum> distinct;
  for (std::size_t i = 0; i < a[0].size(); ++i) {
    Datum element = a[0].element(i);
    const bool seen = std::any_of(distinct.begin(), distinct.end(),
                                  [&](const Datum& other) { return equal(element, other); });
    if (!seen) distinct.push_back(std::move(element));
  }
  return Datum::of(std::move(distinct));
}

/// A map with further entries, none of whose keys may be there; the map of a fold grows in place.
Datum inserted(const Datum& map, std::vector<std::pair<Datum, Datum>> entries) {
  Datum result = map;
  MapBox* box = map.growing_map();
  if (box == nullptr) {
    std::vector<std::pair<Datum, Datum>> all;
    for (std::size_t i = 0; i < map.size(); ++i) all.push_back(map.entry(i));
    result = Datum::growing(Kind::map);
    box = result.growing_map();
    for (auto& [key, value] : all) box->put(std::move(key), std::move(value));
    box->grows = false;
  }
  for (auto& [key, value] : entries) {
    if (box->find(key) != nullptr) {
      return Datum::error("insert failed: key " + message_text(key) + " already exists");
    }
    box->put(std::move(key), std::move(value));
  }
  return result;
}
Datum call_map_insert(Arguments a, const CallContext&) { return inserted(a[0], {{a[1], a[2]}}); }
Datum call_map_insert_map(Arguments a, const CallContext&) {
  std::vector<std::pair<Datum, Datum>> entries;
  for (std::size_t i = 0; i < a[1].size(); ++i) entries.push_back(a[1].entry(i));
  return inserted(a[0], std::move(entries));
}

constexpr std::array kListBindings = {
    Binding{"list_int_is_sorted_bool", call_is_sorted},
    Binding{"list_uint_is_sorted_bool", call_is_sorted},
    Binding{"list_double_is_sorted_bool", call_is_sorted},
    Binding{"list_bool_is_sorted_bool", call_is_sorted},
    Binding{"list_duration_is_sorted_bool", call_is_sorted},
    Binding{"list_timestamp_is_sorted_bool", call_is_sorted},
    Binding{"list_string_is_sorted_bool", call_is_sorted},
    Binding{"list_bytes_is_sorted_bool", call_is_sorted},
    Binding{"list_int_sum_int", call_sum_int},
    Binding{"list_uint_sum_uint", call_sum_uint},
    Binding{"list_double_sum_double", call_sum_double},
    Binding{"list_duration_sum_duration", call_sum_duration},
    Binding{"list_int_max_int", call_extreme<-1>},
    Binding{"list_uint_max_uint", call_extreme<-1>},
    Binding{"list_double_max_double", call_extreme<-1>},
    Binding{"list_bool_max_bool", call_extreme<-1>},
    Binding{"list_duration_max_duration", call_extreme<-1>},
    Binding{"list_timestamp_max_timestamp", call_extreme<-1>},
    Binding{"list_string_max_string", call_extreme<-1>},
    Binding{"list_bytes_max_bytes", call_extreme<-1>},
    Binding{"list_int_min_int", call_extreme<1>},
    Binding{"list_uint_min_uint", call_extreme<1>},
    Binding{"list_double_min_double", call_extreme<1>},
    Binding{"list_bool_min_bool", call_extreme<1>},
    Binding{"list_duration_min_duration", call_extreme<1>},
    Binding{"list_timestamp_min_timestamp", call_extreme<1>},
    Binding{"list_string_min_string", call_extreme<1>},
    Binding{"list_bytes_min_bytes", call_extreme<1>},
    Binding{"list_a_index_of_int", call_list_index_of},
    Binding{"list_a_last_index_of_int", call_list_last_index_of},
    Binding{"list_sets_contains_list", call_sets_contains},
    Binding{"list_sets_equivalent_list", call_sets_equivalent},
    Binding{"list_sets_intersects_list", call_sets_intersects},
    Binding{"list_slice", call_slice},
    Binding{"list_flatten", call_flatten},
    Binding{"list_flatten_int", call_flatten},
    Binding{"sort", call_sort},
    Binding{"@sortByAssociatedKeys", call_sort_by_keys},
    Binding{"lists_range", call_range},
    Binding{"list_reverse", call_reverse},
    Binding{"list_distinct", call_distinct},
    Binding{"@mapInsert_map_key_value", call_map_insert},
    Binding{"@mapInsert_map_map", call_map_insert_map},
};

}  // namespace

std::span<const Binding> list_bindings() { return kListBindings; }

}  // namespace fixpoint::apiserver::cel
