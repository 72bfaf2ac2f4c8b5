#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "generators/subjects.h"
#include "harness/compare/case_differences.h"
#include "harness/document/result.h"
#include "harness/external/backends/external_webhooks.h"
#include "harness/runner/learning/choices.h"

namespace fixpoint::compare {

/// A difference on the smallest Case or Sequence that shows it.
struct ShownDifference {
  Difference difference;
  std::string name;            ///< of both files, followed by -a and -b
  const char* measure;         ///< the unit of `size`: scalars, steps
  std::size_t size;            ///< of the smallest Case or Sequence
  std::string smallest;        ///< the smallest Case or Sequence for display
  std::string see;             ///< the command and its flags that show both files
  std::string text_a, text_b;  ///< of the Case or Sequence with either side
  /// The parts of the smallest Case that make the sides differ, joined: annotations, settings of ConfigMaps,
  /// other objects; steps. Differences with one trigger have one cause. Empty if it has nothing of that.
  std::string trigger = {};
  bool is_valid = true;  ///< without the webhooks the server takes the object
};

/// Two subjects that run on the same Cases or Sequences.
class Comparison {
 public:
  Comparison(std::string a, std::string b) : a_(std::move(a)), b_(std::move(b)) {}
  virtual ~Comparison() = default;
  Comparison(const Comparison&) = delete;
  Comparison& operator=(const Comparison&) = delete;

  const std::string& a() const { return a_; }
  const std::string& b() const { return b_; }
  virtual const char* drawn() const = 0;  ///< Cases, Sequences
  /// Draws a Case or Sequence and returns the results of both sides on it.
  virtual Compared draw(runner::Choices& choices) = 0;
  /// Shrinks the Case or Sequence of the last draw while it keeps this difference.
  virtual ShownDifference shrunk(const Difference& difference) = 0;

 private:
  const std::string a_, b_;
};

/// Makes the comparison of two webhooks, each alone in its chain, or of two reconcilers. First learns the
/// vocabulary of subjects from files. An error for any other pair. `outside` must outlive the comparison.
document::Result<std::unique_ptr<Comparison>> comparison_of(const std::string& a, const std::string& b,
                                                            std::uint64_t seed,
                                                            const external::ExternalWebhooks& outside,
                                                            const generators::FindSubjects& find_subjects);

struct ComparisonOptions {
  std::uint64_t seed = 0;
  std::optional<std::uint64_t> cases = {};  ///< or Sequences
  double seconds_max = 0;                   ///< 0: no bound
  std::uint64_t kinds_max = 20;             ///< bound on the kinds of difference
  /// Called after each Case; returns a reason to stop now in one word, or an empty text.
  std::function<std::string()> why_to_stop = [] { return std::string(); };
};

struct ComparisonSummary {
  std::uint64_t cases = 0, differing = 0, kinds = 0;
  std::uint64_t acted = 0;  ///< Cases in which at least one side acted
  std::string why = {};     ///< why it stopped: cases, kinds, time, or the word of `why_to_stop`
};

/// Draws until a bound is reached and reports each kind of difference once, as soon as it is shrunk.
ComparisonSummary compare_drawn(Comparison& comparison, const ComparisonOptions& options,
                                const std::function<void(const ShownDifference&)>& report);

}  // namespace fixpoint::compare
