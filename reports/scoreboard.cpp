#include "reports/scoreboard.h"

#include <algorithm>
#include <optional>

#include "harness/cases/renamed_keys.h"
#include "harness/document/fields.h"
#include "reports/score_losses.h"

namespace fixpoint::reports {

using document::Fields;
using document::Member;

namespace {

Value write(const std::map<std::string, std::int64_t>& counts) {
  std::vector<Member> members;
  for (const auto& [name, count] : counts) members.push_back({name, count});
  return members;
}

Value write(const BugScore& bug) {
  return {{"name", bug.name},
          {"subject", bug.subject},
          {"fixed", bug.fixed},
          {"property", bug.property},
          {"seeds", bug.seeds},
          {"found", bug.found},
          {"verdicts", write(bug.verdicts)},
          {"others", write(bug.others)},
          {"cases", write_spread(bug.cases)},
          {bug.is_sequence ? "commands" : "leaves", write_spread(bug.size)},
          {"webhooks", write_spread(bug.webhooks)},
          {"problems", bug.problems},
          {"repair", bug.repair},
          {"silence",
           {{"cases", bug.silent_cases},
            {cases::kAllPropertiesInBoard.now, bug.silent_fully_asked},
            {cases::kAllPropertiesInBoard.before, bug.silent_fully_asked},
            {"falseAlarms", bug.false_alarms}}},
          {"milliseconds", write_spread(bug.milliseconds)}};
}

void read(Fields& fields, const char* name, std::map<std::string, std::int64_t>& into) {
  fields.map(name, [&](const std::string& key, const Value& value, const std::string&) {
    const auto count = value.integer();
    if (!count) return fields.fail(name, "whole numbers");
    into[key] = *count;
  });
}

BugScore read_bug(const Value& document, const std::string& pointer,
                  std::optional<document::Error>& problem) {
  BugScore bug;
  Fields fields(document, pointer, problem);
  fields.required("name", bug.name);
  fields.required("subject", bug.subject);
  fields.required("fixed", bug.fixed);
  fields.required("property", bug.property);
  fields.optional("seeds", bug.seeds);
  fields.optional("found", bug.found);
  read(fields, "verdicts", bug.verdicts);
  read(fields, "others", bug.others);
  read_spread(fields, "cases", bug.cases);
  bug.is_sequence = fields.has("commands");
  read_spread(fields, bug.is_sequence ? "commands" : "leaves", bug.size);
  read_spread(fields, "webhooks", bug.webhooks);
  fields.optional("problems", bug.problems);
  fields.optional("repair", bug.repair);
  fields.object("silence", [&](Fields& silence) {
    silence.optional("cases", bug.silent_cases);
    silence.optional(key_in(silence, cases::kAllPropertiesInBoard), bug.silent_fully_asked);
    silence.optional("falseAlarms", bug.false_alarms);
    silence.finish();
  });
  read_spread(fields, "milliseconds", bug.milliseconds);
  fields.finish();
  return bug;
}

}  // namespace

Value write_scoreboard(const Scoreboard& board) {
  std::vector<Value> bugs;
  for (const BugScore& bug : board.bugs) bugs.push_back(write(bug));
  return {{"apiVersion", "fixpoint/v1"}, {"kind", "Scoreboard"},        {"seeds", board.seeds},
          {"silence", board.silence},    {"casesMax", board.cases_max}, {"bugs", std::move(bugs)}};
}

Result<Scoreboard> read_scoreboard(const Value& document) {
  Scoreboard board;
  std::optional<document::Error> problem;
  Fields fields(document, "", problem);
  std::string version, kind;
  fields.choice("apiVersion", version, {"fixpoint/v1"});
  fields.choice("kind", kind, {"Scoreboard"});
  fields.optional("seeds", board.seeds);
  fields.optional("silence", board.silence);
  fields.optional("casesMax", board.cases_max);
  fields.list("bugs", [&](const Value& one, const std::string& pointer) {
    board.bugs.push_back(read_bug(one, pointer, problem));
  });
  fields.list("mutations", [](const Value&, const std::string&) {});  // a member that version 0.1.0 wrote
  if (kind.empty()) fields.fail("kind", "Scoreboard");
  fields.finish();
  if (problem) return *std::move(problem);
  return board;
}

namespace {

/// Returns true if the shrunk Cases are much larger than committed: by half, and by more than a few values.
bool is_much_more(const Spread& fresh, const Spread& committed) {
  return 2 * fresh.worst > 3 * committed.worst + 4;
}

void compare(const BugScore& committed, const BugScore& fresh, std::vector<std::string>& lost) {
  const auto say = [&](const std::string& what) { lost.push_back(committed.name + ": " + what); };
  if (committed.property != fresh.property)
    say("is found by " + fresh.property + ", the scoreboard says " + committed.property);
  if (is_found_less(committed.found, committed.seeds, fresh.found, fresh.seeds)) {
    say(fresh.property + " finds it in " + share_text(fresh.found, fresh.seeds) +
        " seeds, the scoreboard says " + share_text(committed.found, committed.seeds) +
        (fresh.others.empty() ? "" : "; " + fresh.others.begin()->first + " finds something"));
  }
  if (fresh.false_alarms > committed.false_alarms) {
    say(std::to_string(fresh.false_alarms) + " false alarms on " + fresh.fixed + ", the scoreboard says " +
        std::to_string(committed.false_alarms));
  }
  if (fresh.problems > std::max(committed.problems, kProblemsOfDefectMax)) {
    say("is " + std::to_string(fresh.problems) + " problems, the scoreboard says " +
        std::to_string(committed.problems));
  }
  if (fresh.found > 0 && is_much_more(fresh.size, committed.size)) {
    say("is shrunk to " + std::to_string(fresh.size.worst) + (fresh.is_sequence ? " commands" : " values") +
        ", the scoreboard says " + std::to_string(committed.size.worst));
  }
}

}  // namespace

std::vector<std::string> losses(const Scoreboard& committed, const Scoreboard& fresh, bool is_partial) {
  return losses_by_name(committed.bugs, fresh.bugs, is_partial, compare);
}

}  // namespace fixpoint::reports
