#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/draw.h"
#include "harness/document/result.h"
#include "harness/external/backends/external_webhooks.h"
#include "harness/runner/loop/run.h"

namespace fixpoint::generators {

/// The subjects of a run: webhooks in chains, and reconcilers, each of them alone.
struct Subjects {
  DrawOptions chains = {};
  std::vector<std::string> reconcilers = {};
  std::vector<runner::Steering> steering = {};    ///< what was learned for each subject of the chains
  std::map<std::string, std::string> files = {};  ///< the file of each configuration
  std::vector<std::string> notes = {};            ///< names the skipped documents of files, on standard error
  std::vector<std::string> not_simulated = {};    ///< the objects of files that the run goes on without
  std::vector<std::string> code = {};  ///< folders of the subjects' sources, in which examples are looked for
  bool has_files = false;
  bool calls_out = false;    ///< a subject calls URLs or commands
  bool names_peers = false;  ///< a file lists the neighbours in the chain
  std::vector<std::string> names() const;
  std::vector<properties::Tested> tested() const;  ///< views into this object
};

/// Finds the subjects of these names: rows of the catalog, or files.
using FindSubjects = std::function<document::Result<Subjects>(const std::vector<std::string>& names,
                                                              const external::ExternalWebhooks& webhooks)>;

/// Returns true if a URL or a command is behind one of the subject's webhooks.
bool calls_out(const runner::Subject& subject);
/// Returns true if a URL is behind one of the webhooks.
bool calls_urls(const Subjects& subjects);
/// Returns true if injectors of this program are behind all of its webhooks.
bool is_bundled(const runner::Subject& subject);
/// Returns true if Cases about Pods are drawn for the subject.
bool takes_pods(const runner::Subject& subject);

/// Draws a Case for a chain or a Sequence for a reconciler, each subject as often as any other.
runner::Draw draw_of(const Subjects& subjects, const external::Bundled& bundled);

/// Returns the options of a run over these subjects, with these webhooks as backends and the process's clock.
/// The caller sets the seed, the bounds and the threads.
runner::RunOptions run_of(const Subjects& subjects, const external::ExternalWebhooks& webhooks);
/// Returns the same options with the caller's own handlers.
runner::RunOptions run_of(const Subjects& subjects, const external::Bundled& bundled,
                          const webhooks::Resolve& resolve);

}  // namespace fixpoint::generators
