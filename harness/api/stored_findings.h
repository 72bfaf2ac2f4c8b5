#pragma once

#include <fixpoint/fixpoint.h>

#include <memory>
#include <string>
#include <vector>

/// Findings that were stored: replayed as regression tests, or accepted for a time. This header needs the
/// standard library alone.
namespace fixpoint {

/// Returns the files of a folder and its subfolders that hold a Finding, sorted. `fixpoint fuzz` writes them
/// to run/findings; CheckFinding::document is the text of one. Throws std::invalid_argument if there is no
/// such folder.
std::vector<std::string> finding_files(const std::string& folder);

/// Reads a Finding from JSON or YAML. Throws std::invalid_argument with the place of the first mistake.
CheckFinding read_finding(const std::string& text);

/// The present answer to a stored Finding or Case.
struct Replayed {
  /// still failing, fails otherwise, not reached, not applicable, not run, or fixed; of a bare Case holds.
  std::string answer = {};
  std::string detail = {};  ///< the violation, or the reason of the answer
  std::string text = {};    ///< several lines: the answer, the detail, what each call did
  bool is_fixed() const { return answer == "fixed" || answer == "holds"; }
};

/// Replays a Finding or a Case, given as JSON or YAML. The webhook answers for its configuration in it,
/// whatever answered when it was found. A Finding is judged by its own property, a Case by all.
///
///     for (const std::string& file : fixpoint::finding_files("regressions"))
///       EXPECT_TRUE(fixpoint::replay(text_of(file), webhook).is_fixed()) << file;
///
/// Throws
/// std::invalid_argument if the text is neither, or if the configuration of the webhook cannot be used.
Replayed replay(const std::string& document, const Webhook& webhook = Webhook::bundled());

/// Findings that are known and accepted.
class AcceptedFindings {
 public:
  AcceptedFindings() = default;  ///< none
  /// Those with these fingerprints.
  explicit AcceptedFindings(std::vector<std::string> fingerprints);
  /// Those of the accepted problems of a policy file (docs/formats.md#policy), until their dates: `fixpoint
  /// gate` accepts the same. Throws std::invalid_argument with the file, line and column of a mistake.
  static AcceptedFindings read(const std::string& policy_file);

  /// Returns true if the finding is accepted today.
  bool covers(const CheckFinding& finding) const;

 private:
  struct Hidden;
  std::shared_ptr<const Hidden> hidden_;
};

}  // namespace fixpoint
