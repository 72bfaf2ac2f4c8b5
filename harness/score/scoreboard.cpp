#include "harness/score/scoreboard.h"

#include <algorithm>

#include "harness/document/document_stream.h"
#include "harness/document/fields.h"
#include "harness/document/json.h"
#include "harness/document/output_file.h"

namespace fixpoint::score {

namespace {

using document::Error;
using document::Fields;
using document::Member;
using document::Result;
using document::Value;

constexpr const char* kKind = "Scoreboard";

struct Count {
  const char* name;
  std::int64_t Score::* count;
};
constexpr Count kCounts[] = {{"runs", &Score::runs},
                             {"found", &Score::found},
                             {"cases", &Score::cases},
                             {"acted", &Score::acted},
                             {"noVerdict", &Score::no_verdict}};

struct Figure {
  const char* name;
  Spread Score::* spread;
};
constexpr Figure kFigures[] = {{"until", &Score::until},
                               {"milliseconds", &Score::milliseconds},
                               {"size", &Score::size},
                               {"findings", &Score::findings},
                               {"problems", &Score::problems}};

struct Items {
  const char* name;
  std::vector<ReportedItem> Score::* items;
};
constexpr Items kItems[] = {
    {"alarms", &Score::alarms}, {"others", &Score::others}, {"observations", &Score::observations}};

Value write(const std::vector<ReportedItem>& all) {
  Value list = Value::empty_list();
  for (const ReportedItem& one : all) {
    list.push_back({{"severity", one.severity},
                    {"property", one.property},
                    {"webhook", one.webhook},
                    {"message", one.reason},
                    {"runs", one.runs}});
  }
  return list;
}

/// Members that say nothing are left out.
Value write(const Score& score) {
  std::vector<Member> members{{"name", score.name}, {"right", score.is_right}};
  if (!score.not_run.empty()) members.push_back({"notRun", score.not_run});
  if (!score.expected.empty()) members.push_back({"expected", score.expected});
  for (const auto& [name, count] : kCounts)
    if (score.*count != 0) members.push_back({name, score.*count});
  if (!score.complaints.empty()) members.push_back({"complaints", document::list_of(score.complaints)});
  for (const auto& [name, spread] : kFigures)
    if ((score.*spread).worst != 0) members.push_back({name, write_spread(score.*spread)});
  for (const auto& [name, items] : kItems)
    if (!(score.*items).empty()) members.push_back({name, write(score.*items)});
  return members;
}

void read(Fields& fields, const char* name, std::vector<ReportedItem>& into, std::optional<Error>& problem) {
  fields.list(name, [&](const Value& element, const std::string& pointer) {
    ReportedItem& one = into.emplace_back();
    Fields item(element, pointer, problem);
    item.choice("severity", one.severity, {"error", "warning", "observation"});
    item.required("property", one.property);
    item.optional("webhook", one.webhook);
    item.required("message", one.reason);
    item.optional("runs", one.runs);
    item.finish();
  });
}

Score read_score(const Value& document, const std::string& pointer, std::optional<Error>& problem) {
  Score score;
  Fields fields(document, pointer, problem);
  fields.required("name", score.name);
  fields.optional("right", score.is_right);
  fields.optional("notRun", score.not_run);
  fields.optional("expected", score.expected);
  for (const auto& [name, count] : kCounts) fields.optional(name, score.*count);
  fields.optional("complaints", score.complaints);
  for (const auto& [name, spread] : kFigures) read_spread(fields, name, score.*spread);
  for (const auto& [name, items] : kItems) read(fields, name, score.*items, problem);
  fields.finish();
  return score;
}

}  // namespace

Value write_scoreboard(const Scoreboard& board) {
  Value scores = Value::empty_list();
  for (const Score& score : board.scores) scores.push_back(write(score));
  return {{"apiVersion", "fixpoint/v1"}, {"kind", kKind},        {"family", board.family},
          {"bound", board.bound},        {"seeds", board.seeds}, {"scores", std::move(scores)}};
}

Result<Scoreboard> read_scoreboard(const Value& document) {
  Scoreboard board;
  std::optional<Error> problem;
  Fields fields(document, "", problem);
  std::string version, kind;
  fields.choice("apiVersion", version, {"fixpoint/v1"});
  fields.choice("kind", kind, {kKind});
  fields.choice("family", board.family, {"bugs", "strangers"});
  fields.optional("bound", board.bound);
  fields.optional("seeds", board.seeds);
  fields.list("scores", [&](const Value& one, const std::string& pointer) {
    board.scores.push_back(read_score(one, pointer, problem));
  });
  if (kind.empty()) fields.fail("kind", kKind);
  fields.finish();
  if (problem) return *std::move(problem);
  return board;
}

Result<Scoreboard> read_scoreboard_file(const std::string& path) {
  const auto documents = document::read_documents(path);
  if (!documents) return documents.error();
  if (documents->size() != 1) return Error{"expected one Scoreboard", path};
  auto board = read_scoreboard(documents->front());
  if (!board) return std::move(board).error().within(path);
  return board;
}

std::optional<Error> save_scoreboard(const Scoreboard& board, const std::string& file) {
  for (const Score& score : board.scores)
    if (!score.not_run.empty()) return Error{score.name + " " + score.not_run + "; nothing is written"};
  const std::string json = document::write_json_pretty(write_scoreboard(board));
  if (auto problem = document::write_file(file + ".json", json)) return problem;
  return document::write_file(file + ".md", scoreboard_text(board));
}

namespace {

/// Returns true if all committed runs found the bug and some fresh one does not, or if some committed one
/// found it and no fresh one does.
bool is_found_less(const Score& committed, const Score& fresh) {
  if (committed.found == committed.runs) return fresh.found < fresh.runs;
  return committed.found > 0 && fresh.found == 0;
}

/// Returns true if the shrunk Cases are much larger than committed: by half, and by more than a few values.
bool is_much_more(const Spread& fresh, const Spread& committed) {
  return 2 * fresh.worst > 3 * committed.worst + 4;
}

bool is_blamed_by(const Score& score, const std::string& property) {
  return std::any_of(score.alarms.begin(), score.alarms.end(),
                     [&](const ReportedItem& one) { return one.property == property; });
}

void compare(const Score& committed, const Score& fresh, std::vector<std::string>& lost) {
  if (!committed.not_run.empty() || !fresh.not_run.empty()) return;
  const auto say = [&](const std::string& what) { lost.push_back(fresh.name + ": " + what); };
  if (committed.is_right != fresh.is_right)
    return say(std::string("is ") + (fresh.is_right ? "right" : "wrong") + ", the scoreboard says " +
               (committed.is_right ? "right" : "wrong"));
  if (committed.expected != fresh.expected)
    say("is found by " + fresh.expected + ", the scoreboard says " + committed.expected);
  if (!fresh.is_right && is_found_less(committed, fresh))
    say("is found in " + share_text(fresh.found, fresh.runs) + " runs, the scoreboard says " +
        share_text(committed.found, committed.runs));
  for (const ReportedItem& one : fresh.alarms) {
    if (!is_blamed_by(committed, one.property))
      say("is right and blamed by " + one.property + " (" + one.severity + "): " + one.reason);
  }
  if (committed.no_verdict == 0 && fresh.no_verdict > 0) {
    say("no verdict in " + share_text(fresh.no_verdict, fresh.runs) + " runs" +
        (fresh.complaints.empty() ? "" : ": " + fresh.complaints.front()));
  }
  if (fresh.expected.empty()) return;
  if (fresh.problems.worst > std::max(committed.problems.worst, kProblemsOfBugMax))
    say("is " + std::to_string(fresh.problems.worst) + " problems, the scoreboard says " +
        std::to_string(committed.problems.worst));
  if (fresh.found > 0 && is_much_more(fresh.size, committed.size))
    say("is shrunk to the size " + std::to_string(fresh.size.worst) + ", the scoreboard says " +
        std::to_string(committed.size.worst));
}

}  // namespace

std::vector<std::string> losses(const Scoreboard& committed, const Scoreboard& fresh, bool is_partial) {
  std::vector<std::string> lost;
  const auto find = [](const std::vector<Score>& scores, const std::string& name) {
    return std::find_if(scores.begin(), scores.end(), [&](const Score& one) { return one.name == name; });
  };
  for (const Score& before : committed.scores) {
    const auto now = find(fresh.scores, before.name);
    if (now != fresh.scores.end())
      compare(before, *now, lost);
    else if (!is_partial)
      lost.push_back(before.name + ": stands on the scoreboard and is known no more");
  }
  for (const Score& now : fresh.scores) {
    if (find(committed.scores, now.name) == committed.scores.end())
      lost.push_back(now.name + ": does not stand on the scoreboard");
  }
  return lost;
}

bool is_perfect(const Scoreboard& board) {
  return std::all_of(board.scores.begin(), board.scores.end(), [](const Score& score) {
    return score.no_verdict == 0 && score.alarms.empty() && (score.is_right || score.found == score.runs);
  });
}

}  // namespace fixpoint::score
