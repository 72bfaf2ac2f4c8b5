#include "reports/scoreboard.h"

#include <algorithm>
#include <optional>

#include "harness/document/fields.h"

namespace fixpoint::reports {

using document::Fields;
using document::Member;

Spread spread_of(std::vector<std::int64_t> figures) {
  if (figures.empty()) return {};
  std::sort(figures.begin(), figures.end());
  return {figures[(figures.size() - 1) / 2], figures.back()};
}

namespace {

Value write(const Spread& spread) { return {{"median", spread.median}, {"worst", spread.worst}}; }

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
          {"cases", write(bug.cases)},
          {bug.is_sequence ? "commands" : "leaves", write(bug.size)},
          {"webhooks", write(bug.webhooks)},
          {"silence",
           {{"cases", bug.silent_cases},
            {"fullyAsked", bug.silent_fully_asked},
            {"falseAlarms", bug.false_alarms}}},
          {"milliseconds", write(bug.milliseconds)}};
}

void read(Fields& fields, const char* name, Spread& into) {
  fields.object(name, [&](Fields& spread) {
    spread.optional("median", into.median);
    spread.optional("worst", into.worst);
    spread.finish();
  });
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
  read(fields, "cases", bug.cases);
  bug.is_sequence = fields.has("commands");
  read(fields, bug.is_sequence ? "commands" : "leaves", bug.size);
  read(fields, "webhooks", bug.webhooks);
  fields.object("silence", [&](Fields& silence) {
    silence.optional("cases", bug.silent_cases);
    silence.optional("fullyAsked", bug.silent_fully_asked);
    silence.optional("falseAlarms", bug.false_alarms);
    silence.finish();
  });
  read(fields, "milliseconds", bug.milliseconds);
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
  fields.list("mutations", [](const Value&, const std::string&) {});  // version 0.1.0 wrote it
  if (kind.empty()) fields.fail("kind", "Scoreboard");
  fields.finish();
  if (problem) return *std::move(problem);
  return board;
}

namespace {

/// Shrunk to much more than committed: by half, and by more than a field or two.
bool is_much_more(const Spread& fresh, const Spread& committed) {
  return 2 * fresh.worst > 3 * committed.worst + 4;
}

std::string share(std::int64_t part, std::int64_t whole) {
  return std::to_string(part) + " of " + std::to_string(whole);
}

void compare(const BugScore& committed, const BugScore& fresh, std::vector<std::string>& lost) {
  const auto say = [&](const std::string& what) { lost.push_back(committed.name + ": " + what); };
  if (committed.property != fresh.property)
    say("is found by " + fresh.property + ", the scoreboard says " + committed.property);
  const bool was_found_always = committed.found == committed.seeds;
  if (was_found_always ? fresh.found < fresh.seeds : committed.found > 0 && fresh.found == 0) {
    say(fresh.property + " finds it in " + share(fresh.found, fresh.seeds) + " seeds, the scoreboard says " +
        share(committed.found, committed.seeds) +
        (fresh.others.empty() ? "" : "; " + fresh.others.begin()->first + " finds something"));
  }
  if (fresh.false_alarms > committed.false_alarms) {
    say(std::to_string(fresh.false_alarms) + " false alarms on " + fresh.fixed + ", the scoreboard says " +
        std::to_string(committed.false_alarms));
  }
  if (fresh.found > 0 && is_much_more(fresh.size, committed.size)) {
    say("is shrunk to " + std::to_string(fresh.size.worst) + (fresh.is_sequence ? " commands" : " leaves") +
        ", the scoreboard says " + std::to_string(committed.size.worst));
  }
}

}  // namespace

std::vector<std::string> losses(const Scoreboard& committed, const Scoreboard& fresh, bool is_partial) {
  std::vector<std::string> lost;
  const auto find = [](const Scoreboard& board, const std::string& name) {
    return std::find_if(board.bugs.begin(), board.bugs.end(),
                        [&](const BugScore& bug) { return bug.name == name; });
  };
  for (const BugScore& bug : committed.bugs) {
    const auto now = find(fresh, bug.name);
    if (now != fresh.bugs.end())
      compare(bug, *now, lost);
    else if (!is_partial)
      lost.push_back(bug.name + ": stands on the scoreboard and is known no more");
  }
  for (const BugScore& bug : fresh.bugs) {
    if (find(committed, bug.name) == committed.bugs.end())
      lost.push_back(bug.name + ": does not stand on the scoreboard");
  }
  return lost;
}

}  // namespace fixpoint::reports
