#include "reports/stranger_scores.h"

#include <algorithm>
#include <optional>

#include "harness/cases/renamed_keys.h"
#include "harness/document/fields.h"
#include "reports/score_losses.h"

namespace fixpoint::reports {

using document::Fields;
using document::Member;
using document::Result;
using document::Value;

std::int64_t StrangerScore::false_alarms() const {
  std::int64_t sum = 0;
  if (is_right)
    for (const ReportedItem& one : unexpected) sum += one.runs;
  return sum;
}

namespace {

constexpr const char* kKind = "StrangerScoreboard";

Value write(const std::vector<ReportedItem>& all) {
  Value list = Value::empty_list();
  for (const ReportedItem& one : all) {
    Value told{{"severity", one.severity}, {"property", one.property}, {"webhook", one.webhook}};
    document::set(told, cases::kMessage, one.because);
    told.set("runs", one.runs);
    list.push_back(std::move(told));
  }
  return list;
}

Value write(const StrangerScore& score) {
  std::vector<Member> members{{"name", score.name}, {"right", score.is_right}};
  if (!score.not_run.empty()) {
    members.push_back({"notRun", score.not_run});
    return members;
  }
  members.insert(members.end(), {{"runs", score.runs},
                                 {"cases", score.cases},
                                 {"acted", score.acted},
                                 {"noVerdict", score.no_verdict},
                                 {"complaints", document::list_of(score.complaints)}});
  if (score.is_right) {
    members.insert(members.end(),
                   {{"alarmedRuns", score.alarmed_runs}, {"falseAlarms", write(score.unexpected)}});
  } else {
    members.insert(members.end(), {{"found", score.found},
                                   {"milliseconds", write_spread(score.milliseconds)},
                                   {"findings", write_spread(score.findings)},
                                   {"problems", write_spread(score.problems)},
                                   {"otherFindings", write(score.unexpected)}});
  }
  members.push_back({"observations", write(score.observations)});
  return members;
}

void read(Fields& fields, const char* name, std::vector<ReportedItem>& into,
          std::optional<document::Error>& problem) {
  fields.list(name, [&](const Value& element, const std::string& pointer) {
    ReportedItem& one = into.emplace_back();
    Fields told(element, pointer, problem);
    told.choice("severity", one.severity, {"error", "warning", "observation"});
    told.required("property", one.property);
    told.optional("webhook", one.webhook);
    told.required(key_in(told, cases::kMessage), one.because);
    told.optional("runs", one.runs);
    told.finish();
  });
}

StrangerScore read_score(const Value& document, const std::string& pointer,
                         std::optional<document::Error>& problem) {
  StrangerScore score;
  Fields fields(document, pointer, problem);
  fields.required("name", score.name);
  fields.optional("right", score.is_right);
  fields.optional("notRun", score.not_run);
  fields.optional("runs", score.runs);
  fields.optional("cases", score.cases);
  fields.optional("acted", score.acted);
  fields.optional("noVerdict", score.no_verdict);
  fields.optional("complaints", score.complaints);
  fields.optional("found", score.found);
  read_spread(fields, "milliseconds", score.milliseconds);
  read_spread(fields, "findings", score.findings);
  read_spread(fields, "problems", score.problems);
  fields.optional("alarmedRuns", score.alarmed_runs);
  read(fields, score.is_right ? "falseAlarms" : "otherFindings", score.unexpected, problem);
  read(fields, "observations", score.observations, problem);
  fields.finish();
  return score;
}

}  // namespace

Value write_stranger_board(const StrangerBoard& board) {
  Value strangers = Value::empty_list();
  for (const StrangerScore& score : board.strangers) strangers.push_back(write(score));
  return {{"apiVersion", "fixpoint/v1"},
          {"kind", kKind},
          {"bound", board.bound},
          {"seeds", board.seeds},
          {"strangers", std::move(strangers)}};
}

Result<StrangerBoard> read_stranger_board(const Value& document) {
  StrangerBoard board;
  std::optional<document::Error> problem;
  Fields fields(document, "", problem);
  std::string version, kind;
  fields.choice("apiVersion", version, {"fixpoint/v1"});
  fields.choice("kind", kind, {kKind});
  fields.optional("bound", board.bound);
  fields.optional("seeds", board.seeds);
  fields.list("strangers", [&](const Value& one, const std::string& pointer) {
    board.strangers.push_back(read_score(one, pointer, problem));
  });
  if (kind.empty()) fields.fail("kind", kKind);
  fields.finish();
  if (problem) return *std::move(problem);
  return board;
}

namespace {

bool is_blamed_by(const StrangerScore& score, const std::string& property) {
  return std::any_of(score.unexpected.begin(), score.unexpected.end(),
                     [&](const ReportedItem& one) { return one.property == property; });
}

void compare(const StrangerScore& committed, const StrangerScore& fresh, std::vector<std::string>& lost) {
  if (!committed.not_run.empty() || !fresh.not_run.empty()) return;
  const auto say = [&](const std::string& what) { lost.push_back(fresh.name + ": " + what); };
  if (committed.is_right != fresh.is_right)
    return say(std::string("is ") + (fresh.is_right ? "right" : "wrong") + ", the scoreboard says " +
               (committed.is_right ? "right" : "wrong"));
  if (!fresh.is_right && is_found_less(committed.found, committed.runs, fresh.found, fresh.runs))
    say("is found in " + share_text(fresh.found, fresh.runs) + " runs, the scoreboard says " +
        share_text(committed.found, committed.runs));
  for (const ReportedItem& one : fresh.unexpected) {
    if (fresh.is_right && !is_blamed_by(committed, one.property))
      say("is right and blamed by " + one.property + " (" + one.severity + "): " + one.because);
  }
  if (committed.no_verdict == 0 && fresh.no_verdict > 0) {
    say("no verdict in " + share_text(fresh.no_verdict, fresh.runs) + " runs" +
        (fresh.complaints.empty() ? "" : ": " + fresh.complaints.front()));
  }
}

}  // namespace

std::vector<std::string> losses(const StrangerBoard& committed, const StrangerBoard& fresh, bool is_partial) {
  return losses_by_name(committed.strangers, fresh.strangers, is_partial, compare);
}

}  // namespace fixpoint::reports
