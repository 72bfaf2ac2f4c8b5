#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/cases/finding.h"
#include "harness/document/result.h"
#include "harness/external/backends/backend_options.h"
#include "harness/external/backends/bundled_webhooks.h"
#include "harness/external/backends/call_monitor.h"
#include "harness/webhooks/process.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::external {

/// Reaches external webhooks as the command line allows it (docs/judging.md#safety). A backend of
/// `--webhook`, or of a Subject file that the command line names, is allowed; one that any other file names
/// needs `--allow-exec` or `--allow-remote`. resolve() refuses every other backend, wherever it comes from.
/// Handlers live as long as this object and its copies: a command's processes and connections serve all
/// Cases.
class ExternalWebhooks {
 public:
  explicit ExternalWebhooks(Bundled bundled);
  /// Returns an error for an invalid flag: an unreadable file, `NAME` without `=`, or a URL that the API
  /// would reject or that is not loopback.
  static document::Result<ExternalWebhooks> of(const ExternalOptions& options, Bundled bundled);

  const Bundled& bundled() const;
  const ExternalOptions& options() const;
  /// Returns a resolver of the bundled injectors and the external webhooks.
  webhooks::Resolve resolve() const;
  /// Returns the same resolver with new processes for every command, which end with the last copy of the
  /// result. Webhooks behind URLs are called beside others, or alone and after a second of stillness.
  enum class Company { others, alone };
  webhooks::Resolve resolve_anew(Company company = Company::alone) const;
  /// Returns the same resolver with processes of its own for every command, which have these variables,
  /// NAME=VALUE, and end with the last copy of the result.
  webhooks::Resolve resolve_with(std::vector<std::string> environment) const;

  /// Returns the backend that `--webhook` names for <configuration>/<webhook>; the flag may name the webhook
  /// alone.
  std::optional<cases::Backend> named(const std::string& webhook) const;
  /// Returns the backend that `--service` names for a clientConfig.service: the URL that the API server
  /// calls, whose host is NAME.NAMESPACE.svc, with the connection to the address of the flag.
  std::optional<cases::Backend> of_service(const document::Value& service) const;
  /// Returns the URL of a clientConfig with its caBundle, or that of `--ca`.
  cases::Backend of_url(const std::string& url, const std::string& ca_bundle) const;

  /// Allows the backend that a subject's file gives to <configuration>/<webhook>, also for its stored Cases.
  /// Returns an error if the command line does not name that file, or the file is a chart, and no flag allows
  /// its backend.
  std::optional<document::Error> allow_subject(const std::string& webhook, const cases::Backend& backend,
                                               NamedBy named_by) const;

  /// Prepares a stored Case: inserts the backends of `--webhook` and of Subject files. Any other URL or
  /// command in it is an error unless `--allow-remote` or `--allow-exec` was given.
  document::Result<cases::Case> admit(cases::Case value) const;
  /// Does the same for the Cases of a stored Finding.
  document::Result<cases::Finding> admit(cases::Finding finding) const;
  /// Returns the `--webhook` names that neither named() nor admit() has used, for a message.
  std::vector<std::string> unmet() const;
  /// Returns the account of the processes, one line for each event: a process died, was killed, or left
  /// descendants behind. Empty if there are none. Ends the processes that wait for a call.
  std::string account() const;
  /// Returns a handler of the backend, whose commands run in processes that nobody else calls. The tally
  /// counts them. An error if no flag allows the backend.
  document::Result<webhooks::Handler> apart(const cases::Backend& backend,
                                            std::shared_ptr<webhooks::ProcessTally> tally) const;
  /// Returns the monitor that makes all external calls.
  CallMonitor& monitor() const;
  /// Returns the limits of the command line.
  const Limits& limits() const;
  /// Shows a cluster to the webhooks behind URLs that read one, and waits until all of them accept
  /// connections: some start only when the kinds are served that they read. Returns an error if one does not.
  std::optional<document::Error> await_start(const cases::Cluster& cluster) const;
  /// Returns true if webhooks behind URLs share a cluster (SharedCluster).
  bool has_shared_cluster() const;
  /// Calls that URLs get at a time in a run of so many threads, as ExternalOptions say.
  int connections(int jobs) const;
  /// From now on no request to a URL is concurrent with another one that a property sends.
  void call_one_by_one() const;
  /// Returns a handler of a URL that opens a connection of its own.
  document::Result<webhooks::Handler> over_another_connection(const cases::Url& url) const;
  /// Returns the flags that a replay of this Case needs, each after a blank.
  std::string flags_to_replay(const cases::Case& value) const;

 private:
  struct Hidden;
  std::shared_ptr<Hidden> hidden_;
};

}  // namespace fixpoint::external
