#pragma once

#include <fixpoint/fixpoint.h>
#include <fixpoint/object_handler.h>
#include <fixpoint/stored_findings.h>
#include <fixpoint/test_verdict.h>
#include <gtest/gtest.h>

#include <cctype>
#include <fstream>
#include <iterator>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/// Matchers and parameters for GoogleTest. Link fixpoint::gtest. With GoogleMock, or without:
///
///     EXPECT_THAT(fixpoint::on_object(inject), fixpoint::Settles());
///     EXPECT_TRUE(fixpoint::matches(fixpoint::on_object(inject), fixpoint::Settles()));
///
/// A matcher takes a Webhook, or a handler, which is then called for the creation of every Pod.
namespace fixpoint {

/// Matches a webhook that violates none of some properties in a run of `check`. Tests with the same Webhook
/// and the same options share one run.
class PropertiesMatcher {
 public:
  using is_gtest_matcher = void;

  /// All properties if `properties` is empty. `claim` completes "a webhook that …".
  PropertiesMatcher(std::string claim, std::vector<std::string> properties, TestOptions options)
      : claim_(std::move(claim)), properties_(std::move(properties)), options_(std::move(options)) {}

  bool MatchAndExplain(const Webhook& webhook, std::ostream* out) const {
    const TestVerdict verdict = test_verdict(webhook, properties_, options_);
    if (out != nullptr) *out << verdict.text;
    return verdict.passes;
  }
  void DescribeTo(std::ostream* out) const { *out << "a webhook that " << claim_; }
  void DescribeNegationTo(std::ostream* out) const { *out << "no webhook that " << claim_; }

 private:
  std::string claim_;
  std::vector<std::string> properties_;
  TestOptions options_;
};

/// Matches a webhook that is at rest on its own result: it changes nothing when it is called again, alone or
/// at the end of a chain, and nothing grows (idempotent, converges, bounded-growth).
inline PropertiesMatcher Settles(TestOptions options = {}) {
  return {"settles: called again, it changes nothing", properties_of_settling(), std::move(options)};
}
/// Matches a webhook for which a property holds (docs/properties.md). A property that no Case decided does
/// not hold: `if (!is_decided(own, GetParam())) GTEST_SKIP();`
inline PropertiesMatcher Holds(const std::string& property, TestOptions options = {}) {
  return {"holds " + property + ": " + claim_of(property), {property}, std::move(options)};
}
/// Matches a webhook that violates nothing.
inline PropertiesMatcher IsSound(TestOptions options = {}) {
  return {"violates no property", {}, std::move(options)};
}

/// Matches a webhook that no longer shows a stored Finding.
class ReplayMatcher {
 public:
  using is_gtest_matcher = void;

  /// The path of a Finding, or of a Case.
  explicit ReplayMatcher(std::string file) : file_(std::move(file)) {}

  bool MatchAndExplain(const Webhook& webhook, std::ostream* out) const {
    std::ifstream stream(file_, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    if (text.empty()) {
      if (out != nullptr) *out << "but the file is missing or empty";
      return false;
    }
    const Replayed now = replay(text, webhook);
    if (out != nullptr) *out << "which is " << now.text;
    return now.is_fixed();
  }
  void DescribeTo(std::ostream* out) const { *out << "a webhook that no longer shows " << file_; }
  void DescribeNegationTo(std::ostream* out) const { *out << "a webhook that still shows " << file_; }

 private:
  std::string file_;
};
inline ReplayMatcher Fixes(std::string file) { return ReplayMatcher(std::move(file)); }

/// The verdict of a matcher with its explanation, for EXPECT_TRUE.
template <class Matcher>
testing::AssertionResult matches(const Webhook& webhook, const Matcher& matcher) {
  std::ostringstream expected, actual;
  matcher.DescribeTo(&expected);
  if (matcher.MatchAndExplain(webhook, &actual)) return testing::AssertionSuccess() << actual.str();
  return testing::AssertionFailure() << "Expected: " << expected.str() << "\n  Actual: " << webhook.name()
                                     << ", " << actual.str();
}

/// Names parameterised tests after their parameter, a property or a file: no_duplicate_names, 2af3367e9629.
///
///     INSTANTIATE_TEST_SUITE_P(Own, Property, testing::ValuesIn(fixpoint::property_names()),
///                              fixpoint::TestName());
///     INSTANTIATE_TEST_SUITE_P(Own, Stored, testing::ValuesIn(fixpoint::finding_files("run/findings")),
///                              fixpoint::TestName());
struct TestName {
  std::string operator()(const testing::TestParamInfo<std::string>& info) const {
    std::string name = info.param.substr(info.param.find_last_of('/') + 1);
    name = name.substr(0, name.find('.'));
    for (char& letter : name)
      if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
    return name.empty() ? std::to_string(info.index) : name;
  }
};

/// Prints a webhook in the messages of GoogleTest.
inline void PrintTo(const Webhook& webhook, std::ostream* out) { *out << "webhook " << webhook.name(); }

}  // namespace fixpoint
