#include "harness/cli/external_options.h"

#include "injectors/bundled.h"

namespace fixpoint::cli {

void add_external_options(Options& line, external::ExternalOptions& options) {
  line.value("--webhook", options.webhooks,
             "NAME=https://… or NAME=exec:CMD: the backend of the webhook NAME");
  line.value("--service", options.services,
             "NAMESPACE/NAME=https://…: the backend of a clientConfig's service");
  line.value("--ca", options.ca, "a PEM file with the CA certificates of https webhooks");
  line.value("--client-cert", options.client_certificate, "a PEM client certificate for https webhooks");
  line.value("--client-key", options.client_key, "its key");
  line.value("--limit", options.limits,
             "NAME=VALUE: a limit on foreign input; `fixpoint list` shows all of them");
  line.flag("--allow-exec", options.allow_exec,
            "run commands that a file names (a Case, a history, a policy)");
  line.flag("--allow-remote", options.allow_remote,
            "call URLs that a file names, and hosts other than loopback");
}

void add_allowances(Options& line, external::ExternalOptions& options) {
  line.flag("--allow-exec", options.allow_exec, "Cases may name commands");
  line.flag("--allow-remote", options.allow_remote, "Cases may name URLs that are not loopback");
}

document::Result<external::ExternalWebhooks> external_webhooks(const external::ExternalOptions& options) {
  return external::ExternalWebhooks::of(options, injectors::bundled());
}

}  // namespace fixpoint::cli
