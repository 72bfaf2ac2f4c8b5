#include "harness/cases/problem.h"

#include <algorithm>
#include <array>

namespace fixpoint::cases {

namespace {

struct Sentence {
  std::string_view kind, text;
};
constexpr std::array kSentences = std::to_array<Sentence>({
    {"add-if-absent", "add {} only if nothing has its key"},
    {"look-up-by-name", "find {} by name instead of by its place in the list"},
    {"merge", "merge into {} instead of replacing it"},
    {"keep-fields", "write back every field that the webhook does not set itself"},
    {"keep-order", "keep the order of {}"},
    {"answer-as-first", "look for the webhook's own result before changing {}"},
});

}  // namespace

std::string sentence_of(const Repair& repair) {
  const auto row = std::find_if(kSentences.begin(), kSentences.end(),
                                [&](const Sentence& sentence) { return sentence.kind == repair.kind; });
  if (row == kSentences.end()) return repair.kind + " " + repair.operation;
  std::string text(row->text);
  const auto gap = text.find("{}");
  return gap == std::string::npos ? text : text.replace(gap, 2, repair.operation);
}

std::vector<std::vector<Problem>> rows_of(const std::vector<Problem>& problems) {
  std::vector<std::vector<Problem>> rows;
  for (const Problem& problem : problems) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const std::vector<Problem>& one) {
      const Problem& first = one.front();
      return !problem.line.empty() && first.line == problem.line && first.part == problem.part &&
             first.webhook == problem.webhook && first.severity == problem.severity;
    });
    if (row == rows.end())
      rows.push_back({problem});
    else
      row->push_back(problem);
  }
  return rows;
}

std::string title_of_row(const std::vector<Problem>& row) {
  if (row.size() == 1) return row.front().title;
  std::string text = row.front().line;
  const auto gap = text.find("{}");
  return gap == std::string::npos ? text : text.replace(gap, 2, std::to_string(row.size()));
}

std::string cause_key(const std::string& who, const std::string& place, const std::string& symptom,
                      const std::string& change) {
  const bool is_sentence = change.find(' ') != std::string::npos;
  return "cause " + who + " " + place + " " + symptom + (is_sentence ? " " + change : "");
}

std::string known_as(const Problem& problem, const std::map<std::string, std::string>& known) {
  for (const std::string& fingerprint : problem.findings)
    if (const auto found = known.find(fingerprint); found != known.end() && !found->second.empty())
      return found->second;
  // A regression of one part says nothing of another part of the same webhook.
  const bool is_whole = problem.part == problem.webhook ||
                        std::ranges::find(problem.subjects, problem.part) != problem.subjects.end();
  for (const std::string& who : {problem.part, is_whole ? problem.webhook : problem.part})
    if (const auto found = known.find(cause_key(who, problem.place, problem.symptom, problem.change));
        found != known.end())
      return found->second;
  return {};
}

std::string_view published_as(std::string_view known_as) {
  const auto colon = known_as.find(": ");
  return colon == std::string_view::npos ? std::string_view() : known_as.substr(colon + 2);
}

std::string_view state_word(std::string_view known_as) {
  if (known_as.empty()) return "NEW";
  if (known_as == kStill) return "STILL";
  return known_as == kReopened ? "REOPENED" : "KNOWN";
}

Value write_problem(const Problem& problem) {
  Value out{{"apiVersion", kApiVersion}, {"kind", "Problem"},
            {"id", problem.id},          {"ids", document::list_of(problem.ids)},
            {"title", problem.title},    {"severity", problem.severity},
            {"part", problem.part},      {"webhook", problem.webhook},
            {"place", problem.place},    {"symptom", problem.symptom}};
  if (const auto& repair = problem.repair) {
    out.set("repair", {{"does", sentence_of(*repair)},
                       {"kind", repair->kind},
                       {"operation", repair->operation},
                       {"heals", Value::list({Value::number(std::to_string(problem.healed)),
                                              Value::number(std::to_string(problem.findings.size()))})}});
  } else {
    out.set("repair", Value());
  }
  if (problem.unclassified > 0) out.set("unclassified", Value::number(std::to_string(problem.unclassified)));
  out.set("findings", document::list_of(problem.findings));
  out.set("subjects", document::list_of(problem.subjects));
  return out;
}

}  // namespace fixpoint::cases
