#include <array>
#include <cstdio>

#include "harness/apiserver/admission.h"
#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/types/decode.h"
#include "harness/apiserver/validation/validate.h"
#include "harness/apiserver/warnings/warnings.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "harness/document/patch.h"
#include "harness/program/program.h"
#include "reports/text.h"

namespace fixpoint::program {

namespace {

/// How one line of a vector file came out.
struct Compared {
  enum class Answer { agreed, disagreed, unsupported } answer = Answer::agreed;
  std::vector<std::string> differences = {};  ///< or why it is unsupported
};

Compared unsupported(std::string why) { return {Compared::Answer::unsupported, {std::move(why)}}; }

Compared compare(const Value& expected, const Value& found, const char* what) {
  if (expected == found) return {};
  return {Compared::Answer::disagreed,
          {std::string(what) + ": expected " + write_json(sorted(expected)) + ", found " +
           write_json(sorted(found))}};
}

/// The minor a line was recorded from; 1.36 when it says none.
int minor_of_line(const Value& line) {
  const auto version = line["version"].text();
  if (!version.starts_with("1.")) return 36;
  return static_cast<int>(Value::number(version.substr(2)).integer().value_or(0));
}

/// `out` or `error`, where any error stands for any.
Compared compare_result(const Value& line, const Result<Value>& found) {
  if (!line["error"].is_null()) return found.ok() ? compare(line["error"], *found, "error") : Compared{};
  if (!found) return compare(line["out"], Value(found.error().text()), "out");
  return compare(line["out"], *found, "out");
}

Compared check_default(const Value& line, int minor) {
  return compare_result(line, apiserver::default_vector(line["in"], minor));
}
Compared check_decode(const Value& line, int minor) {
  return compare_result(line, apiserver::decode_vector(line["in"], minor));
}

Compared check_patch(const Value& line, int minor) {
  if (const auto problem = document::decoding_problem(line["patch"])) {
    return compare(line["error"], Value("syntax"), "error");
  }
  const auto patched = document::apply_patch(line["doc"], line["patch"], {}, apiserver::patch_library(minor));
  if (!patched.ok()) return compare(line["error"], Value("apply"), "error");
  if (!line["error"].is_null()) return compare(line["error"], patched.document, "error");
  return compare(line["out"], patched.document, "out");
}

Compared check_validate(const Value& line, int minor) {
  const auto found = apiserver::validate_vector(line["operation"].text(), line["pod"], line["old"], minor);
  if (!found) return compare(line["errors"], Value(found.error().text()), "errors");
  std::vector<Value> errors;
  for (const cases::FieldError& error : *found)
    errors.push_back({{"type", error.type}, {"field", error.field}});
  return compare(line["errors"], Value(std::move(errors)), "errors");
}

Compared check_warn(const Value& line, int minor) {
  const auto found = apiserver::warn_vector(line["pod"], minor);
  if (!found) return compare(line["warnings"], Value(found.error().text()), "warnings");
  return compare(line["warnings"], Value(std::vector<Value>(found->begin(), found->end())), "warnings");
}

Compared check_admit(const Value& line, int) {
  const auto value = cases::read_case(line["case"], known_injectors());
  if (!value) return unsupported(value.error().text());
  const auto expected = cases::read_outcome(line["outcome"]);
  if (!expected) return unsupported(expected.error().text());
  const auto handlers = webhooks::handlers(*value, bundled());
  if (!handlers) return unsupported(handlers.error().text());
  const auto admission = apiserver::admit(*value, webhooks::with_all_faults(*handlers, value->faults));
  if (!admission) return unsupported(admission.error().text());
  auto differences = cases::differences(*expected, apiserver::outcome_of(*value, *admission));
  if (differences.empty()) return {};
  return {Compared::Answer::disagreed, std::move(differences)};
}

struct Kind {
  std::string_view name;
  Compared (*check)(const Value& line, int minor);
};
constexpr std::array<Kind, 6> kKinds{{{"default", check_default},
                                      {"decode", check_decode},
                                      {"patch", check_patch},
                                      {"validate", check_validate},
                                      {"warn", check_warn},
                                      {"admit", check_admit}}};

Compared check_line(const Value& line) {
  const int minor = minor_of_line(line);
  if (minor < apiserver::kOldestMinor || minor > apiserver::kNewestMinor) {
    return unsupported("version " + std::string(line["version"].text()));
  }
  for (const Kind& kind : kKinds) {
    if (kind.name == line["kind"].text()) return kind.check(line, minor);
  }
  return unsupported("kind " + std::string(line["kind"].text()));
}

struct Counts {
  long agreed = 0, disagreed = 0, unsupported = 0;
  long all() const { return agreed + disagreed + unsupported; }
  std::string text() const {
    return std::to_string(agreed) + " agreed, " + std::to_string(disagreed) + " disagreed, " +
           std::to_string(unsupported) + " unsupported";
  }
};

void print_differences(const Value& line, const Compared& compared) {
  std::printf("%s %s%s\n", std::string(line["kind"].text()).c_str(),
              reports::printable(line["id"].text()).c_str(),
              compared.answer == Compared::Answer::unsupported ? " is unsupported" : "");
  for (const std::string& difference : compared.differences) {
    std::printf("  %s\n", reports::printable(difference).c_str());
  }
}

/// One file, line by line, so that a large one needs little memory.
std::optional<document::Error> check_file(const std::string& path, bool shows_differences, Counts& total) {
  Limits limits;
  limits.file_bytes_max = 1u << 30;
  const auto text = document::read_text_file(path, limits);
  if (!text) return text.error();
  std::map<std::string, Counts> by_kind;
  Counts counts;
  std::size_t offset = 0, number = 0;
  while (text->find_first_not_of(" \n\r\t", offset) != std::string::npos) {
    ++number;
    const auto line = document::read_json_at(*text, offset, limits, document::Strictness::foreign);
    if (!line) return document::Error{line.error().text(), path + ": document " + std::to_string(number)};
    const Compared compared = check_line(*line);
    for (Counts* each : {&counts, &by_kind[std::string((*line)["kind"].text())], &total}) {
      each->agreed += compared.answer == Compared::Answer::agreed ? 1 : 0;
      each->disagreed += compared.answer == Compared::Answer::disagreed ? 1 : 0;
      each->unsupported += compared.answer == Compared::Answer::unsupported ? 1 : 0;
    }
    if (shows_differences && compared.answer != Compared::Answer::agreed) print_differences(*line, compared);
  }
  std::printf("%s: %s\n", path.c_str(), counts.text().c_str());
  if (by_kind.size() > 1) {
    for (const auto& [kind, each] : by_kind) std::printf("  %s: %s\n", kind.c_str(), each.text().c_str());
  }
  return std::nullopt;
}

}  // namespace

int conform(const Arguments& arguments) {
  std::vector<std::string> paths;
  bool shows_differences = false;
  Options line(
      "conform", "Compares the simulator with recorded behaviour of the real API server.",
      "  fixpoint conform corpus/conformance/kubernetes/*.ndjson\n  fixpoint conform --diff admit.ndjson");
  line.positionals("VECTORS", paths, "NDJSON files of vectors");
  line.flag("--diff", shows_differences, "each line that does not agree, and how");
  if (const auto code = line.parse(arguments)) return *code;
  if (paths.empty()) return bad_input("conform: expected at least one file of vectors");
  Counts total;
  for (const std::string& path : paths) {
    if (auto problem = check_file(path, shows_differences, total)) return bad_input(*problem);
  }
  if (total.all() == 0) return bad_input("conform: not one line was read");
  std::printf("total: %s\n", total.text().c_str());
  return total.agreed == total.all() ? kNothingFound : kFound;
}

}  // namespace fixpoint::program
