#include "harness/external/cluster_api/list_options.h"

#include <charconv>
#include <string_view>

namespace fixpoint::external {

namespace {

template <class T>
std::optional<T> number_of(std::string_view text) {
  T number{};
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (bad != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string forbidden_option(std::string_view option, std::string_view why) {
  return std::string(option) + ": Forbidden: " + std::string(why);
}

std::string unsupported_match(std::string_view match, std::string_view supported) {
  return "resourceVersionMatch: Unsupported value: \"" + std::string(match) +
         "\": supported values: " + std::string(supported);
}

constexpr std::string_view kMatch = "resourceVersionMatch";

/// Returns the text of the first rule that a list breaks; empty if there is none.
std::string problem_of_list(const ApiQuery& query) {
  const std::string_view match = query[kMatch], version = query["resourceVersion"];
  if (!query["sendInitialEvents"].empty())
    return forbidden_option("sendInitialEvents", "sendInitialEvents is forbidden for list");
  if (match.empty()) return {};
  if (version.empty())
    return forbidden_option(kMatch, "resourceVersionMatch is forbidden unless resourceVersion is provided");
  if (!query["continue"].empty())
    return forbidden_option(kMatch, "resourceVersionMatch is forbidden when continue is provided");
  if (match != "Exact" && match != "NotOlderThan")
    return unsupported_match(match, "\"Exact\", \"NotOlderThan\"");
  if (match == "Exact" && version == "0")
    return forbidden_option(kMatch, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
  return {};
}

/// The same of a watch.
std::string problem_of_watch(const ApiQuery& query) {
  const std::string_view match = query[kMatch];
  const bool has_initial = !query["sendInitialEvents"].empty();
  if (has_initial && match.empty())
    return forbidden_option(kMatch,
                            "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
  if (match.empty()) return {};
  if (!has_initial) {
    return forbidden_option(
        kMatch, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
  }
  if (match != "NotOlderThan") return unsupported_match(match, "\"NotOlderThan\"");
  if (!query["continue"].empty())
    return forbidden_option(kMatch, "resourceVersionMatch is forbidden when continue is provided");
  return {};
}

}  // namespace

ReadListOptions read_list_options(const ApiQuery& query, bool is_watch) {
  if (const std::string problem = is_watch ? problem_of_watch(query) : problem_of_list(query);
      !problem.empty())
    return {.failure = invalid_options(problem)};
  ListOptions options{.is_exact = query[kMatch] == "Exact",
                      .allows_bookmarks = query.is_true("allowWatchBookmarks"),
                      .timeout_seconds = number_of<std::int64_t>(query["timeoutSeconds"])};
  if (!query["sendInitialEvents"].empty()) options.sends_initial = query.is_true("sendInitialEvents");
  const std::string_view version = query["resourceVersion"];
  if (version.empty()) return {.options = options};
  options.version = number_of<std::uint64_t>(version);
  if (!options.version) {
    return {.failure =
                bad_request("Invalid value: \"" + std::string(version) + "\": strconv.ParseUint: parsing \"" +
                            std::string(version) + "\": invalid syntax")};
  }
  return {.options = options};
}

}  // namespace fixpoint::external
