#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/apiserver/validation/context.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::warnings {

using document::Member;
using document::Name;
using document::Value;
using validation::Path;

inline constexpr int kOverlapsSince = 32, kPortNamesSince = 33, kNodeValuesSince = 33, kIpsSince = 33;
inline constexpr int kLengthsInBytesSince = 35, kAppArmorOfPodComparedSince = 34;
inline constexpr int kIpInvalidSince = 36, kGitRepoOffSince = 33, kApplyDropsEnvSince = 30;

/// The Pod that is warned about, or the template of one with the path to it, and the warnings so far.
class Warner {
 public:
  Warner(std::vector<std::string>& texts, const Value& pod, int minor, const Value& sent)
      : texts_(texts), pod_(pod), sent_(sent), minor_(minor) {}
  Warner(std::vector<std::string>& texts, const Value& pod_template, int minor, const Value& sent,
         const Path& path)
      : texts_(texts),
        pod_(pod_template),
        sent_(sent),
        metadata_path_(path.child("metadata")),
        spec_path_(path.child("spec")),
        is_template_(true),
        minor_(minor) {}
  const Value& metadata() const { return pod_["metadata"]; }
  const Value& spec() const { return pod_["spec"]; }
  const Path& metadata_path() const { return metadata_path_; }
  const Path& spec_path() const { return spec_path_; }
  bool is_template() const { return is_template_; }
  const Value& sent_spec() const { return sent_["spec"]; }  ///< as it is written; null if that is not known
  int minor() const { return minor_; }
  void add(std::string text) { texts_.push_back(std::move(text)); }
  /// "path: text"
  void add(const Path& path, std::string_view text) { add(path.text().append(": ").append(text)); }

 private:
  std::vector<std::string>& texts_;
  const Value& pod_;
  const Value& sent_;
  Path metadata_path_{"metadata"}, spec_path_{"spec"};
  bool is_template_ = false;
  int minor_;
};

std::string quoted(std::string_view text);  ///< as Go's %q writes it

// metadata.cpp: the name of a Pod, deprecated and replaced annotations.
/// `use` says what the name is used in.
void warn_of_name(Warner& warner, std::string_view use);
void warn_of_annotations(Warner& warner);
// labels.cpp: deprecated node labels, bad values in preferred affinity, selectors that match nothing.
void warn_of_labels(Warner& warner);
// volumes.cpp, overlaps.cpp: removed drivers, fractional claims; files of one volume that overlap.
void warn_of_volumes(Warner& warner);
void warn_of_overlaps(Warner& warner);
// lists.cpp: duplicate or empty host aliases and pull secrets.
void warn_of_lists(Warner& warner);
// containers.cpp: fractional bytes, duplicate variables, conflicting ports.
void warn_of_resources(Warner& warner);
void warn_of_env(Warner& warner);
void warn_of_ports(Warner& warner);
// lists.cpp: addresses in a non-standard form.
void warn_of_addresses(Warner& warner);

/// Returns true if an amount of bytes is not a whole number.
bool is_fractional(const Value& quantity);

}  // namespace fixpoint::apiserver::warnings
