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
  line.value(
      "--kubeconfig-out", options.kubeconfig_out,
      "FILE for a kubeconfig: https webhooks that use it read the cluster of each Case; fixpoint waits "
      "until they are up. Commands get such a file by themselves, as KUBECONFIG");
  line.flag(
      "--assume-conditions", options.assumes_conditions,
      "match conditions of a manifest that are not supported yet count as true, which the verdict says");
  line.flag("--debug", options.debugs, "calls have no timeout: for stepping through a webhook");
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
