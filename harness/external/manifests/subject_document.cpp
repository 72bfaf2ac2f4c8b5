#include "harness/external/manifests/subject_document.h"

#include "harness/apiserver/registrations/validate_configuration.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/fields.h"
#include "harness/document/json.h"
#include "harness/external/manifests/subject_triggers.h"
#include "harness/properties/contract.h"

namespace fixpoint::external {

using document::Error;
using document::Result;
using document::Value;

Result<SubjectDocument> read_subject_document(const Value& document) {
  std::optional<Error> problem;
  SubjectDocument said;
  std::vector<std::string> owns;
  Value promises, &configuration = said.subject.configuration;
  document::Fields fields(document, "", problem);
  for (const char* known : {"apiVersion", "kind"}) fields.has(known);
  fields.required("name", said.subject.name);
  fields.optional("owns", owns);
  read_promises(fields, promises);
  fields.optional("peers", said.peers);
  fields.optional("code", said.code);
  fields.required("configuration", configuration);
  fields.optional("cluster", said.cluster);
  fields.optional("webhooks", said.backends);
  read_triggers(fields, said.subject.vocabulary);
  fields.finish();
  if (!problem && !cases::is_webhook_configuration(configuration))
    problem = Error{"expected a MutatingWebhookConfiguration", "/configuration/kind"};
  if (!problem && !configuration["metadata"]["name"].is_string())
    problem = Error{"expected the object's name", "/configuration/metadata/name"};
  for (std::size_t i = 0; i < owns.size() && !problem; ++i) {
    problem = properties::problem_of_owned_path(owns[i]);
    if (problem) problem = std::move(*problem).within("/owns/" + std::to_string(i));
  }
  if (problem) return *std::move(problem);
  if (auto refused = apiserver::refusal_of_configuration(configuration))
    return std::move(*refused).within("/configuration");
  properties::add_owned_paths(configuration, owns);
  if (!promises.is_null())
    configuration.edit("metadata")
        .edit("annotations")
        .set(properties::kPromisesAnnotation, document::write_json(promises));
  return said;
}

}  // namespace fixpoint::external
