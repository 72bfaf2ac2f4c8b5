#include "harness/conformance/cluster_comparison.h"

#include <algorithm>
#include <array>

#include "generators/requests.h"
#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/registry/whole_request.h"
#include "harness/conformance/cluster_shrink.h"
#include "harness/document/json.h"
#include "harness/runner/learning/choices.h"

namespace fixpoint::conformance {

namespace {

using document::Error;
using document::Result;
using document::Value;

constexpr std::array<const char*, 6> kExpectations{"out", "error", "errors", "warnings", "outcome", "expect"};

/// A line asks for the validating phase by a member of its Outcome, which stays as a mere question.
Value without_expectations(Value line) {
  const bool asks_judges = line["outcome"].find("validating") != nullptr;
  for (const char* name : kExpectations) line.remove(name);
  if (asks_judges) line.set("outcome", {{"validating", Value::empty_object()}});
  return line;
}

/// Returns a drawn document as it reads back from its text, so that live and recorded lines are equal.
Value read_back(const std::string& text) {
  auto read = document::read_json(text, {}, document::Strictness::foreign);
  return read.ok() ? *std::move(read) : Value();
}

Result<Judged> judge_answer(const Value& request, const Answered& answered) {
  if (!answered.refusal.empty()) return Judged{.line = request, .is_refused = true};
  const auto answer = document::read_json(answered.line, {}, document::Strictness::foreign);
  const std::string id(request["id"].text());
  if (!answer) return Error{"the recorder's answer to " + id + " is no JSON: " + answer.error().text()};
  if ((*answer)["id"].text() != id || (*answer)["kind"].text() != request["kind"].text()) {
    return Error{"the recorder answered \"" + std::string((*answer)["id"].text()) + "\" where \"" + id +
                 "\" was asked"};
  }
  Judged judged{.line = request};
  for (const char* name : kExpectations) {
    if (const Value* expected = answer->find(name)) judged.line.set(name, *expected);
  }
  judged.compared = check_line(judged.line);
  return judged;
}

std::string without_keys(std::string_view field) {
  std::string out;
  bool is_inside = false;
  for (const char c : field) {
    if (c == ']') is_inside = false;
    if (!is_inside) out += c;
    if (c == '[') is_inside = true;
  }
  return out;
}

void add_sites(const Value& line, std::set<std::string>& sites) {
  for (const Value* list : {&line["errors"], &line["outcome"]["invalid"]}) {
    for (const Value& error : list->elements()) {
      sites.insert(std::string(error["type"].text()) + " " + without_keys(error["field"].text()));
    }
  }
}

/// Returns true if the simulator accepts a request that the recorder refused: it is then more lenient than
/// the server.
bool is_answered(const Value& request) {
  const std::string_view kind = request["kind"].text();
  if (kind == "cel") return false;  // refused since its answer changes in Go, not since it has none
  if (kind == "admit") return check_line(request).answer != Compared::Answer::unsupported;
  const Value& pod = request[kind == "warn" || kind == "validate" ? "pod" : "in"];
  return apiserver::defaulted_pod(pod).ok();
}

class Run {
 public:
  Run(const LiveOptions& options, const Ask& ask) : options_(options), ask_(ask) {}

  std::optional<Error> kind(const std::string& name) {
    const auto place = std::find(generators::kRequestKinds.begin(), generators::kRequestKinds.end(), name);
    const auto index = static_cast<std::uint64_t>(place - generators::kRequestKinds.begin());
    const std::uint64_t seed = runner::mix(options_.seed, index);
    std::vector<Value> requests;
    for (std::uint64_t i = 0; i < options_.lines; ++i) {
      runner::Choices choices(seed, i);
      const std::string id = name + "-" + std::to_string(options_.seed) + "-" + std::to_string(i);
      requests.push_back(generators::draw_request(name, id, choices, options_.minor));
      if (requests.size() < options_.batch_lines && i + 1 < options_.lines) continue;
      if (auto problem = batch(requests)) return problem;
      requests.clear();
    }
    return std::nullopt;
  }

  std::optional<Error> batch(const std::vector<Value>& requests) {
    const auto all = judge(requests, ask_);
    if (!all) return all.error();
    for (const Judged& judged : *all) {
      LiveReport::Counted& counted = report.by_kind[std::string(judged.line["kind"].text())];
      if (judged.is_refused) {
        ++counted.refused;
        counted.answered += is_answered(judged.line) ? 1 : 0;
        continue;
      }
      counted.counts.add(judged.compared.answer);
      add_sites(judged.line, report.sites);
      if (judged.compared.answer == Compared::Answer::unsupported) {
        ++report.unsupported[judged.compared.differences.front()];
      }
      if (judged.compared.answer != Compared::Answer::disagreed) continue;
      if (auto problem = note({.line = judged.line, .compared = judged.compared})) return problem;
    }
    return std::nullopt;
  }

  LiveReport report;

 private:
  std::optional<Error> note(Disagreement found) {
    if (shrunk_ < options_.shrinks_max) {
      ++shrunk_;
      auto smaller = shrink_disagreement(found, ask_, options_.shrink_asks_max);
      if (!smaller) return smaller.error();
      found = *std::move(smaller);
    }
    const auto same = [&](const Disagreement& other) {
      Value a = without_expectations(found.line), b = without_expectations(other.line);
      for (Value* line : {&a, &b}) line->remove("id");
      return document::write_json(a) == document::write_json(b);
    };
    const auto known = std::find_if(report.disagreements.begin(), report.disagreements.end(), same);
    if (known != report.disagreements.end()) {
      ++known->times;
    } else {
      report.disagreements.push_back(std::move(found));
    }
    return std::nullopt;
  }

  const LiveOptions& options_;
  const Ask& ask_;
  std::size_t shrunk_ = 0;
};

}  // namespace

Result<std::vector<Judged>> judge(const std::vector<Value>& requests, const Ask& ask, Death death) {
  std::vector<Question> questions;
  for (const Value& request : requests) {
    questions.push_back(
        {std::string(request["id"].text()), document::write_json(without_expectations(request))});
  }
  const auto answers = ask(questions, death);
  if (!answers) return answers.error();
  if (answers->size() != questions.size()) return Error{"the recorder answered another number of requests"};
  std::vector<Judged> all;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    auto judged = judge_answer(read_back(questions[i].line), (*answers)[i]);
    if (!judged) return judged.error();
    all.push_back(*std::move(judged));
  }
  return all;
}

Result<LiveReport> run_live(const LiveOptions& options, const Ask& ask) {
  Run run(options, ask);
  for (std::size_t from = 0; from < options.requests.size(); from += options.batch_lines) {
    const auto to = std::min(from + options.batch_lines, options.requests.size());
    const auto begin = options.requests.begin();
    const std::vector<Value> some(begin + static_cast<std::ptrdiff_t>(from),
                                  begin + static_cast<std::ptrdiff_t>(to));
    if (auto problem = run.batch(some)) return *std::move(problem);
  }
  if (!options.requests.empty()) return std::move(run.report);
  for (const std::string& kind : options.kinds) {
    if (auto problem = run.kind(kind)) return *std::move(problem);
  }
  return std::move(run.report);
}

}  // namespace fixpoint::conformance
