#include "harness/cli/external_options.h"

#include "injectors/bundled.h"

namespace fixpoint::cli {

void add_external_options(Options& line, external::ExternalOptions& options) {
  line.value("--webhook", options.webhooks,
             "NAME=https://… or NAME=exec:CMD answers behind the webhook NAME");
  line.value("--service", options.services,
             "NAMESPACE/NAME=https://… answers behind a clientConfig's service");
  line.value("--ca", options.ca, "a file of PEM certificates: the authorities of https webhooks");
  line.value("--client-cert", options.client_certificate, "a PEM certificate to show to https webhooks");
  line.value("--client-key", options.client_key, "its key");
  line.value("--limit", options.limits, "NAME=VALUE, a bound on foreign input; `fixpoint list` has them all");
  line.flag("--allow-exec", options.allow_exec,
            "run the commands that a file names: a Case, a history, a policy");
  line.flag("--allow-remote", options.allow_remote,
            "call the URLs that a file names, and hosts beyond loopback");
}

void add_allowances(Options& line, external::ExternalOptions& options) {
  line.flag("--allow-exec", options.allow_exec, "Cases may name commands");
  line.flag("--allow-remote", options.allow_remote, "Cases may name URLs that are not loopback");
}

document::Result<external::ExternalWebhooks> external_webhooks(const external::ExternalOptions& options) {
  return external::ExternalWebhooks::of(options, injectors::bundled());
}

}  // namespace fixpoint::cli
