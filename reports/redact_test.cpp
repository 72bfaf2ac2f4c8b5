#include "reports/redact.h"

#include <gtest/gtest.h>

#include "harness/cases/redaction.h"
#include "harness/document/json.h"
#include "reports/events.h"
#include "reports/report_formats.h"

namespace fixpoint::reports {
namespace {

using document::read_json;

constexpr const char* kSecrets[] = {"hunter2hunter2", "AKIAIOSFODNN7EXAMPLE",
                                    "c2VjcmV0LWRhdGE=", "postgres://u:pa55word@db/x",
                                    "tok-8d7f8a6b5c4e3d2f1a0b"};

/// Returns a finding whose Case contains a secret in every possible place.
cases::Finding finding() {
  cases::Finding finding{.property = "text-survives",
                         .severity = "error",
                         .webhook = "c/w.example.io",
                         .fingerprint = "75925b08be9e"};
  finding.value.request.object = read_json(R"({"metadata":{"name":"p","annotations":{"example.io/mode":"on",
      "example.io/db":"postgres://u:pa55word@db/x","example.io/api-token":"tok-8d7f8a6b5c4e3d2f1a0b"}},
      "spec":{"containers":[{"name":"main","image":"x","args":["--password=hunter2hunter2","--v=2"],
      "env":[{"name":"PASS","value":"hunter2hunter2"},{"name":"PORT","value":"8080"},
             {"name":"ON","value":"true"},{"name":"URL","value":"$(HOST)/x"},
             {"name":"NAME","value":"main"}]}]}})")
                                     .value();
  finding.value.cluster.objects = {
      read_json(
          R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"data":{"k":"c2VjcmV0LWRhdGE="}})")
          .value(),
      read_json(R"({"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration",
                    "metadata":{"name":"c"},"webhooks":[{"name":"w.example.io"}]})")
          .value()};
  const auto script = read_json(R"([{"patch":[{"op":"add","path":"/spec/containers/0/env/-",
                                     "value":{"name":"KEY","value":"AKIAIOSFODNN7EXAMPLE"}}]}])")
                          .value();
  finding.value.webhooks = {{"c/w.example.io", cases::read_script(script).value()}};
  finding.evidence = {
      .path = "spec.containers[0].env[0].value",
      .value = "hunter2hunter2",
      .reason = "env PASS \"hunter2hunter2\" became \"hunter2hunter2!\" in main",
      .calls = {{.webhook = "c/w.example.io", .effect = {"~ env AKIAIOSFODNN7EXAMPLE of main"}}}};
  return finding;
}

RunRecord record() {
  RunRecord record{.complete = true};
  record.findings = {{.finding = finding(),
                      .call_diffs = {{.pass = 1,
                                      .webhook = "c/w.example.io",
                                      .lines = {{.after = "value: hunter2hunter2", .changed = true}}}}}};
  record.notes = {finding()};
  record.summary.observe({.kind = "denies",
                          .webhook = "c/w.example.io",
                          .path = "",
                          .reason = "it answered password=hunter2hunter2 once"});
  record.retries = {{finding(), "still failing"}};
  return record;
}

TEST(Redact, NoFormatShowsASecret) {
  for (const Format& format : all_formats()) {
    const std::string hidden = format.write(redacted(record())), shown = format.write(record());
    for (const char* secret : kSecrets)
      EXPECT_EQ(hidden.find(secret), std::string::npos) << format.name << secret;
    EXPECT_NE(shown.find("hunter2hunter2"), std::string::npos) << format.name << ": the test sees nothing";
  }
}

TEST(Redact, WhatInjectorsLookAtStays) {
  const auto value = cases::redacted(finding()).value;
  const auto& container = value.request.object["spec"]["containers"].at(0);
  EXPECT_EQ(container["env"].at(0)["value"].text(), cases::kRedacted);
  EXPECT_EQ(container["env"].at(1)["value"].text(), "8080");
  EXPECT_EQ(container["env"].at(2)["value"].text(), "true");
  EXPECT_EQ(container["env"].at(3)["value"].text(), "$(HOST)/x");
  EXPECT_EQ(container["args"].at(0).text(), "--password=redacted");
  EXPECT_EQ(container["args"].at(1).text(), "--v=2");
  EXPECT_EQ(container["name"].text(), "main") << "a name is shown though an env has its text";
  EXPECT_EQ(value.request.object["metadata"]["annotations"]["example.io/mode"].text(), "on");
}

TEST(Redact, TwiceIsOnce) {
  EXPECT_EQ(cases::redacted(cases::redacted(finding())), cases::redacted(finding()));
}

TEST(Redact, EventsLikeRecords) {
  const std::string shown = document::write_json(redacted_event(finding_event(finding())));
  for (const char* secret : kSecrets) EXPECT_EQ(shown.find(secret), std::string::npos) << secret;
  EXPECT_NE(shown.find("75925b08be9e"), std::string::npos) << "the fingerprint stays";
  EXPECT_EQ(redacted_event({{"event", "stop"}, {"reason", "cases"}}),
            (document::Value{{"event", "stop"}, {"reason", "cases"}}));
}

}  // namespace
}  // namespace fixpoint::reports
