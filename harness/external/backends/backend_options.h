#pragma once

#include <string>
#include <vector>

#include "harness/cases/case.h"

namespace fixpoint::external {

/// Returns true if a backend is a URL that this process calls or a command that it runs.
bool is_external(const cases::Backend& backend);

/// The seconds that a webhook has to start once it can read its kubeconfig.
inline constexpr int kStartSecondsMax = 120;
/// As many calls a webhook behind a URL gets at a time.
inline constexpr int kConnections = 8;

/// The timeout of a call that somebody debugs.
inline constexpr int kDebugSeconds = 24 * 60 * 60;

/// The flags of a command line that concern webhooks behind URLs and commands.
struct ExternalOptions {
  std::vector<std::string> webhooks = {};  ///< NAME=URL or NAME=exec:CMD
  std::vector<std::string> services = {};  ///< NAMESPACE/NAME=URL
  std::string ca = {};                     ///< a file in PEM format, like the next two
  std::string client_certificate = {};
  std::string client_key = {};
  bool allow_exec = false;
  bool allow_remote = false;
  bool has_clean_environment = false;    ///< commands inherit PATH alone
  std::vector<std::string> limits = {};  ///< NAME=VALUE
  std::vector<std::string> code = {};    ///< folders of the webhooks' sources, to learn from
  /// A file for the kubeconfig of the cluster that webhooks behind URLs read; empty: they read none.
  std::string kubeconfig_out = {};
  int wait_seconds = kStartSecondsMax;
  /// Calls that URLs get at a time, at most; 0: kConnections, but one in a run of one thread where no webhook
  /// reads its cluster.
  int connections = 0;
  bool assumes_conditions = false;  ///< match conditions that are not supported yet count as true
  bool debugs = false;              ///< a call has no timeout: somebody steps through the webhook
  /// The file that contains `webhooks` and `services`, and the file that names the subjects; each is empty if
  /// the command line names them. A file may name a backend only if a flag allows it.
  std::string webhooks_file = {}, subjects_file = {};
};

/// The place that names the backend of a subject's webhook: a manifest's own clientConfig or a file that
/// holds Subjects alone, or a Subject among the other documents of a chart, which somebody else may have put
/// there.
enum class NamedBy { file_of_the_user, document_of_a_chart };

}  // namespace fixpoint::external
