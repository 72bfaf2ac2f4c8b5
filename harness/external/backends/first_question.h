#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/external/backends/external_webhooks.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::external {

/// A webhook that does not work: what it did, and whole lines of what it wrote to its standard error.
struct NotWorking {
  document::Error error;
  std::string words = {};
};

/// The first requests to the programs and URLs behind the subjects: harmless ones, the first example where
/// there is one, and two plain objects. Then further ones: a webhook that crashes on each plain object has a
/// bug, and works.
class FirstQuestions {
 public:
  /// Returns further objects of the kind to send to a subject.
  using Further = std::function<std::vector<document::Value>(const runner::Subject&, const cases::Kind&)>;

  /// The subjects and the webhooks must outlive it.
  FirstQuestions(std::span<const runner::Subject> subjects, const ExternalWebhooks& outside,
                 const Further& further);

  /// Asks each webhook until it answers. One that answers none of them, each time in the same way, does not
  /// work: that is no finding. A late answer counts as an answer, and so does a denial.
  std::optional<NotWorking> ask() const;
  /// Returns the first URL that answers one connection at a time: while one is open, and waits for its next
  /// request, it does not answer another one within a second. To call it over two would be to wait for its
  /// timeout. Nothing if the command line states how many.
  std::optional<std::string> server_of_one_connection() const;

 private:
  struct Question {
    std::string webhook;
    const cases::Backend& backend;
    std::size_t requests;  ///< their index
  };
  const ExternalWebhooks& outside_;
  std::vector<std::vector<cases::Case>> requests_ = {};  ///< of each subject
  std::vector<Question> questions_ = {};
};

}  // namespace fixpoint::external
