#include "harness/oracle/oracle_tracking.h"

#include <algorithm>
#include <tuple>

namespace fixpoint::oracle {

namespace {

std::string word(const Json& entry, const char* name) {
  return entry.is_object() && entry.contains(name) && entry[name].is_string() ? entry[name].get<std::string>()
                                                                              : std::string();
}

bool is_own(const Json& entry) {
  return word(entry, "manager") == "fixpoint" && word(entry, "operation") == "Update";
}

bool are_readable(const Json& entries) {
  return entries.is_array() && !entries.empty() && complaint_about(entries).empty();
}

}  // namespace

std::string complaint_about(const Json& entries) {
  if (!entries.is_array()) return {};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string operation = word(entries[i], "operation"), type = word(entries[i], "fieldsType");
    if (operation != "Apply" && operation != "Update") return "operation must be `Apply` or `Update`";
    if (word(entries[i], "apiVersion").empty()) return "apiVersion must not be empty";
    const std::string number = std::to_string(i);
    if (type.empty()) return "missing fieldsType in managed fields entry " + number;
    if (type != "FieldsV1") return "invalid fieldsType \"" + type + "\" in managed fields entry " + number;
  }
  return {};
}

Json entries_before_admission(const Json& sent, const Json& stored, bool is_update, bool is_subresource,
                              bool changes) {
  Json entries = Json::array();
  if (!is_subresource && sent.is_array()) {
    const bool is_reset = sent.empty() || (sent.size() == 1 && (sent[0].is_null() || sent[0].empty()));
    if (is_reset && is_update) return nullptr;
    if (are_readable(sent)) entries = sent;
  }
  if (entries.empty() && are_readable(stored)) entries = stored;
  const auto place = [](const Json& entry) {
    return std::tuple(word(entry, "operation"), word(entry, "time"), word(entry, "manager"),
                      word(entry, "apiVersion"), word(entry, "subresource"));
  };
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const Json& a, const Json& b) { return place(a) < place(b); });
  if (!changes) return entries.empty() ? Json() : entries;
  Json others = Json::array();
  std::copy_if(entries.begin(), entries.end(), std::back_inserter(others),
               [](const Json& entry) { return !is_own(entry); });
  others.push_back({{"manager", "fixpoint"},
                    {"operation", "Update"},
                    {"apiVersion", "v1"},
                    {"time", "2023-11-14T22:13:20Z"},
                    {"fieldsType", "FieldsV1"},
                    {"fieldsV1", Json::object()}});
  return others;
}

}  // namespace fixpoint::oracle
