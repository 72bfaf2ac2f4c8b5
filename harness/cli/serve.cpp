#include <algorithm>
#include <cstdio>
#include <iostream>

#include "generators/subjects.h"
#include "harness/cli/command.h"
#include "harness/cli/external_options.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/standard_output.h"
#include "harness/cli/subject_names.h"
#include "harness/document/output_file.h"
#include "harness/document/yaml.h"
#include "harness/external/backends/external_webhooks.h"
#include "harness/external/backends/served_subjects.h"
#include "harness/external/backends/served_webhook.h"
#include "harness/webhooks/authority.h"
#include "harness/webhooks/review_server.h"

namespace fixpoint::cli {

namespace {

using document::Error;

struct ServeOptions {
  std::vector<std::string> subjects = {};
  std::string listen = "127.0.0.1:0";
  std::vector<std::string> names = {};
  std::vector<std::string> objects = {};
  std::string service = {};
  std::string certificate = {}, key = {}, authority = {};
  std::string write_ca = {};
  bool is_stdio = false;
  external::ExternalOptions outside = {};
};

/// Returns the certificate to serve with, and the authority that callers trust.
Result<webhooks::Authority> authority_of(const ServeOptions& options, const std::string& host) {
  if (options.certificate.empty() != options.key.empty())
    return Error{"--cert and --key: expected both or neither"};
  if (options.certificate.empty())
    return webhooks::make_authority(webhooks::names_of_server(host, options.names, options.service));
  return webhooks::read_authority(
      {.certificate = options.certificate, .key = options.key, .authority = options.authority});
}

/// Prints the configurations and closes standard output, so that `| kubectl apply -f -` can go on. Returns
/// false if the output could not be written.
bool print(const std::vector<runner::Subject>& subjects, const ServeOptions& options, const std::string& base,
           const webhooks::Authority& authority) {
  std::printf("# fixpoint serve listens on %s\n", base.c_str());
  for (const runner::Subject& subject : subjects) {
    const Value configuration =
        external::configuration_of(subject, base, options.service, authority.authority.certificate);
    std::printf("---\n%s", document::write_yaml(configuration).c_str());
  }
  return end_standard_output();
}

Result<std::vector<runner::Subject>> subjects_of(const ServeOptions& options,
                                                 const external::ExternalWebhooks& outside) {
  auto found = find_subjects(options.subjects, outside);
  if (!found) return std::move(found).error();
  if (!options.subjects.empty() && !found->reconcilers.empty())
    return Error{"a reconciler is no webhook", found->reconcilers.front()};
  for (const std::string& note : found->notes) std::fprintf(stderr, "fixpoint: %s\n", note.c_str());
  auto subjects = std::move(found->chains.subjects);
  if (options.subjects.empty()) external::keep_one_a_configuration(subjects);
  if (auto problem = external::same_configuration(subjects)) return *std::move(problem);
  return subjects;
}

/// Answers as `exec:` expects it: reads one review a line from standard input, and writes one answer a line.
/// Ends if a handler gives no answer, as a crash would.
int speak(const webhooks::Server::Respond& respond, const Limits& limits) {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    auto review = webhooks::read_request(line, limits);
    if (!review) return bad_input(std::move(review).error().within("standard input"));
    const auto answer = respond(review->request, review->name, review->uid, review->version);
    const auto text = webhooks::write_answer(*review, answer);
    if (!text) {
      std::fprintf(stderr, "fixpoint: %s\n", answer.problem.c_str());
      return kUnfinished;
    }
    print_now(*text + "\n");
    if (is_output_lost()) break;
  }
  return kNothingFound;
}

int run(const ServeOptions& options, const webhooks::Address& address,
        const external::ExternalWebhooks& outside) {
  const auto subjects = subjects_of(options, outside);
  if (!subjects) return bad_input(subjects.error());
  auto cluster = external::served_cluster(options.objects, *subjects);
  if (!cluster) return bad_input(cluster.error());
  auto paths = external::served_paths(*subjects, outside, *std::move(cluster));
  if (!paths) return bad_input(paths.error());
  if (options.is_stdio) {
    if (paths->size() == 1) return speak(paths->begin()->second, outside.limits());
    return bad_input("--stdio: expected one webhook, found " + std::to_string(paths->size()));
  }
  const auto authority = authority_of(options, address.host);
  if (!authority) return bad_input(authority.error());
  hold_interrupts();  // before any thread starts
  const auto server = webhooks::Server::start(
      {.host = address.host,
       .port = address.port,
       .identity = authority->server,
       .limits = outside.limits(),
       .handlers_wait = std::any_of(subjects->begin(), subjects->end(), generators::calls_out)},
      *std::move(paths));
  if (!server) return bad_input(server.error());
  if (!options.write_ca.empty()) {
    if (const auto problem = document::write_file(options.write_ca, authority->authority.certificate))
      return unfinished(*problem);
  }
  const std::string host = options.names.empty() ? address.host : options.names.front();
  const std::string base = webhooks::url_of(host, (*server)->port());
  if (!print(*subjects, options, base, *authority)) return kUnfinished;
  std::fprintf(stderr, "serving at %s, until Ctrl-C or SIGTERM\n", base.c_str());
  wait_for_interrupt();
  std::fprintf(stderr, "stopped after %llu reviews\n", static_cast<unsigned long long>((*server)->reviews()));
  return kNothingFound;
}

}  // namespace

int serve(const Arguments& arguments) {
  ServeOptions options;
  Options line("serve",
               "Serves injectors as HTTPS admission webhooks, and prints the configuration to apply: "
               "AdmissionReview v1 and v1beta1, certificates made on start.",
               "  fixpoint serve kserve/pod-mutator@0.14.1 --listen 127.0.0.1:9443 --write-ca ca.pem\n"
               "  fixpoint serve peers/sidecar-guarded | kubectl apply -f -\n"
               "  fixpoint serve --listen 0.0.0.0:8443 --service fixpoint/injectors");
  line.positionals(
      "SUBJECT", options.subjects,
      "names from `fixpoint list`, files of Subjects; default: the newest of every configuration");
  line.value("--listen HOST:PORT", options.listen,
             "where to listen (default 127.0.0.1:0; port 0 is a free one)");
  line.value("--name NAME", options.names,
             "a name by which callers know the host; the first stands in the URL");
  line.value("--service NAMESPACE/NAME", options.service, "print this service instead of a URL");
  line.value("--objects FILE", options.objects, "a file of manifests that the injectors read");
  line.value("--cert FILE", options.certificate, "a PEM certificate to serve with (default: made on start)");
  line.value("--key FILE", options.key, "its key");
  line.value("--cert-ca FILE", options.authority, "the authority of --cert (default: itself)");
  line.value("--write-ca FILE", options.write_ca, "write the authority's certificate to this file");
  line.flag("--stdio", options.is_stdio, "answer one webhook on standard input and output, a line each");
  line.value("--limit NAME=VALUE", options.outside.limits, "a bound; `fixpoint list` has them all");
  line.value("--webhook NAME=BACKEND", options.outside.webhooks,
             "what answers behind the webhook NAME of a file: exec:CMD");
  if (const auto code = line.parse(arguments)) return *code;
  const auto address = webhooks::parse_address(options.listen);
  if (!address) return bad_input("--listen " + options.listen + ": expected HOST:PORT");
  const auto slash = options.service.find('/');
  const bool is_named = slash != std::string::npos && slash > 0 && slash + 1 < options.service.size();
  if (!options.service.empty() && !is_named)
    return bad_input("--service " + options.service + ": expected NAMESPACE/NAME");
  const auto outside = external_webhooks(options.outside);
  if (!outside) return bad_input(outside.error());
  return run(options, *address, *outside);
}

}  // namespace fixpoint::cli
