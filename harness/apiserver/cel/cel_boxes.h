#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/apiserver/cel/cel_value.h"

// The contents of values; for the files of this folder.
namespace fixpoint::apiserver::cel {

struct TextBox : Box {
  explicit TextBox(std::string_view of) : text(of) {}
  std::string text;
};

struct TimeBox : Box {
  explicit TimeBox(const Time& of) : time(of) {}
  Time time;
};

struct ListBox : Box {
  void add(Datum element);
  std::vector<Datum> elements = {};
  bool grows = false;
  bool is_joined = false;
  bool is_set = false;
  std::vector<std::string> keys = {};  ///< of a list by key; empty for other lists
  bool has_order() const { return !is_set && keys.empty(); }
};

struct MapBox : Box {
  std::vector<std::pair<Datum, Datum>> entries = {};
  /// Places of the entries by the hash of their keys, kept once there are more than a few.
  std::unordered_multimap<std::uint64_t, std::size_t> places = {};
  bool grows = false;
  const Datum* find(const Datum& key) const;
  /// The entry's value is replaced if the key is there.
  void put(Datum key, Datum value);
};

struct OptionalBox : Box {
  Datum value;
};

}  // namespace fixpoint::apiserver::cel
