#include "harness/external/backends/process_account.h"

#include "harness/document/printable.h"
#include "harness/webhooks/crash_line.h"

namespace fixpoint::external {

std::string account_of(const std::string& program, const webhooks::ProcessTally& tally) {
  tally.end_idle_processes();
  std::string text;
  if (tally.strays > 0) {
    text += document::printable(
                "exec " + program + ": " + std::to_string(tally.strays) +
                " of its descendants had left its process group, and were killed: " + tally.stray_names()) +
            "\n";
  }
  if (const std::string logged = tally.logged(); !logged.empty())
    text += document::printable("exec " + program + ": logs to standard output: \"" + logged +
                                "\"; such lines are skipped") +
            "\n";
  if (tally.died == 0 && tally.killed == 0) return text;
  std::string line = "exec " + program + ": " + std::to_string(tally.started) + " processes, " +
                     std::to_string(tally.died) + " died, " + std::to_string(tally.killed) + " killed";
  if (const std::string words = tally.last_words(); !words.empty()) {
    constexpr std::size_t kLastWordsMax = 300;
    const std::string crash = webhooks::crash_line(words);
    const std::string end = words.substr(words.size() > kLastWordsMax ? words.size() - kLastWordsMax : 0);
    line += "; last words: " + (crash.empty() ? end : crash.substr(0, kLastWordsMax));
  }
  return text + document::printable(line) + "\n";
}

}  // namespace fixpoint::external
