#include "harness/cli/external_options.h"

#include "injectors/bundled.h"

namespace fixpoint::cli {

void add_external_options(Options& line, external::ExternalOptions& options) {
  const std::string before = line.group("Webhooks outside of this process");
  line.value("--webhook NAME=BACKEND", options.webhooks,
             "what answers behind the webhook NAME: https://… or exec:CMD");
  line.value("--service NAMESPACE/NAME=URL", options.services,
             "what answers behind a clientConfig's service");
  line.value(
      "--code DIR", options.code,
      "a folder with the sources of the webhooks, in any language: keys, values and examples in them are "
      "drawn");
  line.value("--ca FILE", options.ca, "a PEM file with the CA certificates of https webhooks");
  line.value("--client-cert FILE", options.client_certificate, "a PEM client certificate for https webhooks");
  line.value("--client-key FILE", options.client_key, "its key");
  line.value("--limit NAME=VALUE", options.limits,
             "a limit on foreign input; `fixpoint list` shows all of them");
  line.value("--kubeconfig-out FILE", options.kubeconfig_out,
             "writes a kubeconfig: https webhooks that use it read the cluster of each Case; fixpoint waits "
             "until they are up. Commands get such a file by themselves, as KUBECONFIG");
  line.value("--wait SECONDS", options.wait_seconds,
             "how long to wait for a webhook that uses that kubeconfig (default 120)");
  line.value("--connections", options.connections,
             "how many requests a webhook behind a URL gets at a time (default 8; one with --jobs 1, unless "
             "it reads its cluster); findings do not depend on it");
  line.flag(
      "--assume-conditions", options.assumes_conditions,
      "match conditions of a manifest that are not supported yet count as true, which the verdict says");
  line.flag("--debug", options.debugs, "calls have no timeout: for stepping through a webhook");
  line.flag("--clean-env", options.has_clean_environment,
            "commands get PATH and what fixpoint sets, such as KUBECONFIG, instead of the whole environment");
  line.flag("--allow-exec", options.allow_exec,
            "run commands that a file names (a Case, a history, a policy)");
  line.flag("--allow-remote", options.allow_remote,
            "call URLs that a file names, and hosts other than loopback");
  line.group(before);
}

void add_allowances(Options& line, external::ExternalOptions& options) {
  line.flag("--clean-env", options.has_clean_environment,
            "commands get PATH and what fixpoint sets, such as KUBECONFIG, alone");
  line.flag("--allow-exec", options.allow_exec, "Cases may name commands");
  line.flag("--allow-remote", options.allow_remote, "Cases may name URLs that are not loopback");
}

document::Result<external::ExternalWebhooks> external_webhooks(const external::ExternalOptions& options) {
  return external::ExternalWebhooks::of(options, injectors::bundled());
}

}  // namespace fixpoint::cli
