#include <cstdio>
#include <filesystem>
#include <string>

#include "harness/cli/command.h"
#include "harness/cli/options.h"
#include "harness/document/document_stream.h"
#include "harness/document/output_file.h"
#include "harness/document/printable.h"
#include "harness/document/shell_word.h"

namespace fixpoint::cli {

namespace {

constexpr const char* kFolder = "fixpoint-demo";

constexpr std::string_view kHead =
    R"(# A webhook that gives every Pod a sidecar. Its rules stand here in the place of a program:
# fixpoint runs them as it runs a command or calls a URL.
apiVersion: fixpoint/v1
kind: Subject
name: sidecar
configuration:
  apiVersion: admissionregistration.k8s.io/v1
  kind: MutatingWebhookConfiguration
  metadata: {name: sidecar}
  webhooks:
    - name: sidecar.example.io
      admissionReviewVersions: [v1]
      sideEffects: None
      reinvocationPolicy: IfNeeded
      rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
webhooks:
  sidecar/sidecar.example.io:
    script:
)";
constexpr std::string_view kWrong =
    R"(      - patch: [{op: add, path: /spec/containers/-, value: {name: proxy, image: "proxy:1"}}]
)";
constexpr std::string_view kRight = R"(      - when:
          not:
            any:
              - {named: {path: /spec/containers, name: proxy}}
              - {named: {path: /spec/initContainers, name: proxy}}
        patch: [{op: add, path: /spec/containers/-, value: {name: proxy, image: "proxy:1"}}]
)";

constexpr std::string_view kStory = R"(
When another webhook changes the Pod afterwards, the API server calls this one again (IfNeeded). It does
not look for the sidecar that it added before, adds it again, and the server refuses the Pod.

Mended, it looks first:

)";
constexpr std::string_view kFarewell = R"(
Your own webhook: its configuration as you apply it, and what answers behind it.

  {} fuzz manifest.yaml --webhook 'NAME=exec:./my-webhook --stdio'
  {} fuzz manifest.yaml --webhook NAME=https://127.0.0.1:9443/mutate --ca ca.pem

NAME is the webhook's in the manifest. docs/first-ten-minutes.md has the few lines that let a webhook in
Python, Go or Node answer on standard input, and what to do with policies and charts.
)";

void say(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

/// Puts a mark in front of each line, as `diff` does.
std::string marked(std::string_view text, const char* mark) {
  std::string out;
  for (std::size_t from = 0; from < text.size();) {
    const auto to = text.find('\n', from) + 1;
    out.append(mark).append(text.substr(from, to - from));
    from = to;
  }
  return out;
}

/// Writes the demo's webhook; an error if the file is somebody else's.
std::optional<document::Error> write_webhook(const std::string& file, std::string_view rules) {
  std::error_code problem;
  if (std::filesystem::exists(file, problem)) {
    const auto text = document::read_text_file(file);
    if (!text) return text.error();
    const bool is_ours =
        *text == std::string(kHead).append(kWrong) || *text == std::string(kHead).append(kRight);
    if (!is_ours) return document::Error{"is changed, and is not overwritten: name another folder", file};
  }
  return document::write_file(file, std::string(kHead).append(rules));
}

/// Prints a command as one would type it, and runs it.
int run_fuzz(const Arguments& arguments) {
  std::string line = "$ " + invoked_as() + " fuzz";
  for (const std::string& word : arguments) line += " " + document::printable(document::shell_word(word));
  say(line + "\n");
  const int code = fuzz(arguments);
  std::fflush(stdout);
  return code;
}

std::string farewell() {
  std::string text(kFarewell);
  for (auto at = text.find("{}"); at != std::string::npos; at = text.find("{}"))
    text.replace(at, 2, invoked_as());
  return text;
}

}  // namespace

int demo(const Arguments& arguments) {
  std::string folder = kFolder;
  Options line(
      "demo",
      "Finds, explains and mends the bug of a small webhook, and says how to run your own. Takes a few "
      "seconds; all files are in one folder.",
      "  fixpoint demo");
  line.positional("DIR", folder, "the folder to write into (default fixpoint-demo/)", false);
  if (const auto code = line.parse(arguments)) return *code;
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  const std::string file = folder + "/webhook.yaml", out = folder + "/run";
  // A second run without a seed begins with what the first one found.
  const Arguments first{file, "--seed", "1", "--cases", "500", "--out", out};
  const Arguments second{file, "--cases", "500", "--out", out};
  if (auto refused = write_webhook(file, kWrong)) return bad_input(*refused);
  say("A small webhook that gives every Pod a sidecar: " + document::printable(file) + "\n\n");
  std::filesystem::remove_all(out, problem);  // the demo's own: nothing of an earlier one is retried
  if (const int code = run_fuzz(first); code != kFound)
    return code == kNothingFound ? int{kUnfinished} : code;
  say(std::string(kStory).append(marked(kWrong, "-")).append(marked(kRight, "+")).append("\n"));
  if (auto refused = write_webhook(file, kRight)) return bad_input(*refused);
  if (const int code = run_fuzz(second); code != kNothingFound) return code;
  say(farewell());
  return kNothingFound;
}

}  // namespace fixpoint::cli
