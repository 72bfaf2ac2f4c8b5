#pragma once

#include <fixpoint/fixpoint.h>
#include <fixpoint/stored_findings.h>

#include <cstdint>
#include <string>
#include <vector>

/// The verdict of a test on a webhook, in words: for the matchers of gtest.h, and for other test libraries.
/// This header needs the standard library alone.
namespace fixpoint {

struct TestOptions {
  CheckOptions check = {};
  AcceptedFindings accepted = {};  ///< findings that fail no test
  bool fails_on_warnings = false;  ///< findings of the severity warning fail, too
  std::uint64_t acted_min = 5;  ///< a webhook that acts in fewer of a hundred Cases was not tested: a failure
};

/// The verdict of a run of `check` on some properties. Tests with the same Webhook and the same options share
/// one run.
struct TestVerdict {
  bool passes = false;
  std::string text = {};  ///< a relative clause with the findings: "which has 2 findings in …"
};
/// Judges the webhook by these properties (property_names), by all if the list is empty. It passes if it has
/// no finding of them, acted often enough, and each of them was decided in some Case.
TestVerdict test_verdict(const Webhook& webhook, const std::vector<std::string>& properties,
                         const TestOptions& options = {});

/// The properties of a webhook that is at rest on its own result: called again, alone or at the end of a
/// chain, it changes nothing, and nothing grows.
std::vector<std::string> properties_of_settling();

/// Returns true if some Case of the run decided the property. Others do not concern the webhook
/// (docs/judging.md#skips).
bool is_decided(const Webhook& webhook, const std::string& property, const CheckOptions& options = {});

}  // namespace fixpoint
