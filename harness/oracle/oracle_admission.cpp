#include "harness/oracle/oracle_admission.h"

#include <algorithm>
#include <optional>
#include <set>

#include "harness/oracle/oracle_defaulting.h"
#include "harness/oracle/oracle_formats.h"
#include "harness/oracle/oracle_merge.h"
#include "harness/oracle/oracle_patch.h"
#include "harness/oracle/oracle_schema.h"
#include "harness/oracle/oracle_tracking.h"

namespace fixpoint::oracle {

namespace {

constexpr int kRequestSeconds = 34, kLastMinorOfInternalPatchErrors = 33, kFirstMinorWithoutEmptyTimes = 34;
constexpr std::size_t kWarningRunesMax = 4096;
constexpr const char* kUid = "00000000-0000-0000-0000-000000000000";

RequestContext read_request_context(const Json& text) {
  const Json &request = text["request"], &cluster = at(text, "cluster");
  RequestContext around;
  around.operation = request.value("operation", "CREATE");
  around.namespace_name = request.value("namespace", "default");
  around.sub_resource = request.value("subResource", "");
  around.dry_run = request.value("dryRun", false);
  around.managed_fields = request.value("managedFields", true);
  around.user = at(request, "userInfo");
  if (around.user.is_null())
    around.user = {{"username", "kubernetes-admin"}, {"groups", {"system:masters", "system:authenticated"}}};
  if (at(cluster, "version").is_string()) around.minor = std::stoi(text_at(cluster, "version").substr(2));
  around.plugins = {"LimitRanger", "ServiceAccount", "Priority", "DefaultTolerationSeconds", "RuntimeClass"};
  if (at(cluster, "admissionPlugins").is_array()) {
    around.plugins.clear();
    for (const Json& plugin : cluster["admissionPlugins"]) {
      const std::string name = plugin.is_string() ? plugin.get<std::string>() : text_at(plugin, "name");
      around.plugins.push_back(name);
      if (plugin.is_object()) around.settings[name] = at(plugin, "settings");
    }
  }
  around.objects = each(at(cluster, "objects"));
  return around;
}

/// The warnings for clients and the audit annotations of the calls.
class CallNotes {
 public:
  void hear(const Entry& entry, const Review& said, Admission& result) {
    for (const std::string& warning : said.warnings) {
      if (warning.empty() || !heard_.insert(warning).second) continue;
      const bool has_control = std::any_of(warning.begin(), warning.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '\xC2';
      });
      if (has_control) throw Unsupported("a warning with control characters");
      warning_runes_ += warning.size();
      if (warning_runes_ > kWarningRunesMax) throw Unsupported("longer warnings than are told in full");
      result.warnings.push_back(warning);
    }
    for (const auto& [key, text] : said.audit_annotations) {
      const std::string whole = entry.name + "/" + key;
      if (std::count(whole.begin(), whole.end(), '/') == 1 && is_qualified_name(whole))
        said_annotations_.emplace(whole, text);
    }
  }

  /// Adds the call's entries to the audit log, with the webhook's own annotations. Clears the log if the
  /// server crashed.
  void note(const Entry& entry, const Call& record, Admission& result) const {
    auto& log = result.annotations;
    if (result.crashed) return log.clear();
    const std::string round =
        "round_" + std::to_string(record.pass - 1) + "_index_" + std::to_string(record.index);
    Json line{{"configuration", entry.configuration}, {"webhook", entry.name}, {"mutated", record.changed}};
    log["mutation.webhook.admission.k8s.io/" + round] = write(line);
    line.erase("mutated");
    line["patchType"] = "JSONPatch";
    if (record.applied) line["patch"] = read(record.patch);
    if (record.applied) log["patch.webhook.admission.k8s.io/" + round] = write(line);
    if (record.error == "ignored") log["failed-open.mutation.webhook.admission.k8s.io/" + round] = entry.name;
    for (const auto& [key, text] : said_annotations_) log[key] = text;
  }

 private:
  std::set<std::string> heard_ = {};
  std::size_t warning_runes_ = 0;
  std::map<std::string, std::string> said_annotations_ = {};
};

class Run {
 public:
  Run(const Json& text, const Environment& environment)
      : environment_(environment), around_(read_request_context(text)), list_(flat_list(around_)) {
    const Json& request = text["request"];
    sent_entries_ = in(at(request, "object"), {"metadata", "managedFields"});
    object_ = received(at(request, "object"), &fractions_);
    std::string old_fractions;
    if (around_.is_update()) around_.old_object = received(at(request, "oldObject"), &old_fractions);
    const Json& named = around_.is_update() ? around_.old_object : object_;
    policies_.emplace(at(text, "cluster"), around_, text_at(at(named, "metadata"), "name"),
                      environment.evaluate, environment.forgotten);
  }

  Admission admit() {
    try {
      begin();
      for (int pass = 1; pass == 1 || (pass == 2 && again_); ++pass) run(pass);
      check_entries();
      if (around_.managed_fields) object_["metadata"].erase("managedFields");
      result_.object = object_;
    } catch (const Rejected& rejected) {
      result_.allowed = false;
      result_.code = rejected.code;
      result_.reason = rejected.reason;
    }
    return std::move(result_);
  }

 private:
  bool forgets(Forgotten rule) const { return environment_.forgotten == rule; }

  /// Webhooks may have left entries that the server cannot read.
  void check_entries() {
    const std::string complaint = complaint_about(in(object_, {"metadata", "managedFields"}));
    if (complaint.empty()) return;
    object_["metadata"].erase("managedFields");
    if (!entries_.is_null()) object_["metadata"]["managedFields"] = entries_;
    result_.warnings.push_back(
        ".metadata.managedFields was in an invalid state after admission; this could be caused by an "
        "outdated "
        "mutating admission controller; please fix your requests: " +
        complaint);
  }

  Json received(const Json& sent, std::string* fractions) const {
    return converted(with_defaults(decode("Pod", sent, around_.minor, fractions), around_.minor));
  }

  void begin() {
    Json& metadata = object_["metadata"];
    if (around_.is_update()) {
      for (Json* pod : {&object_, &around_.old_object}) {
        if (text_at((*pod)["metadata"], "namespace").empty())
          (*pod)["metadata"]["namespace"] = around_.namespace_name;
      }
    } else {
      for (const char* member :
           {"deletionTimestamp", "deletionGracePeriodSeconds", "uid", "selfLink", "creationTimestamp"})
        metadata.erase(member);
      if (around_.minor < kFirstMinorWithoutEmptyTimes) metadata["creationTimestamp"] = nullptr;
      if (text_at(metadata, "namespace").empty()) metadata["namespace"] = around_.namespace_name;
      if (metadata["namespace"] != around_.namespace_name) throw Rejected(400, "BadRequest");
    }
    const bool changes = !around_.is_update() ||
                         owns_a_field(object_, around_.old_object, around_.sub_resource, around_.minor);
    if (around_.managed_fields) {
      const Json entries =
          entries_before_admission(sent_entries_, in(around_.old_object, {"metadata", "managedFields"}),
                                   around_.is_update(), !around_.sub_resource.empty(), changes);
      if (changes && !entries.is_null()) fractions_ += "tracked just now";
      metadata.erase("managedFields");
      if (!entries.is_null()) metadata["managedFields"] = entries;
    }
    entries_ = at(metadata, "managedFields");
    name_ = text_at(metadata, "name");
  }

  void run(int pass) {
    result_.passes = pass;
    around_.pass = pass;
    run_plugins(around_, object_);
    if (pass == 1) result_.first = object_;
    run_policies();
    if (pass == 2 && !is_equal("Pod", object_, last_output_)) mark();
    bool is_dirty = false;
    for (const Entry& entry : list_) {
      if (!is_matching(entry, pass)) continue;
      if (pass == 2 && !due_.contains(entry.id) && !forgets(Forgotten::due_webhooks)) continue;
      is_dirty = call(entry, pass) || is_dirty;
    }
    if (is_dirty && !is_pod(object_)) throw Rejected(500, "");
    if (is_dirty) object_ = converted(object_);
    last_output_ = object_;
  }

  /// After the other plugins and before the webhooks.
  void run_policies() {
    const auto note = [&] {
      again_ = again_ || policies_->wants_second_pass();
      result_.policies = policies_->runs();
      result_.crashed = policies_->has_crashed();
    };
    try {
      policies_->admit(around_, object_, fractions_);
    } catch (const Rejected&) {
      note();
      throw;
    }
    note();
  }

  bool is_matching(const Entry& entry, int pass) {
    try {
      return matches(entry, around_, object_, environment_.evaluate);
    } catch (const Rejected& rejected) {
      if (rejected.reason == "Forbidden") {
        result_.calls.push_back(
            {.pass = pass, .index = entry.index, .webhook = entry.key, .error = "condition"});
        result_.calls.back().before = result_.calls.back().after = object_;
      }
      throw;
    }
  }

  /// Makes all webhooks that were invoked since the last change due for reinvocation (docs/simulator.md#5-1).
  void mark() {
    due_.insert(invoked_.begin(), invoked_.end());
    invoked_.clear();
  }

  bool call(const Entry& entry, int pass);
  void dispatch(const Entry& entry, Call& record);
  void apply(const std::string& version, const Review& said, Call& record);
  [[noreturn]] static void fail_internally(Call& record, const std::string& why) {
    record.error = "internal";
    throw Rejected(500, "InternalError", why);
  }

  const Environment& environment_;
  RequestContext around_;
  Json sent_entries_ = {}, entries_ = {};  ///< of managedFields: as sent, and before admission
  std::vector<Entry> list_;
  std::optional<Policies> policies_ = {};
  Admission result_ = {};
  Json object_ = {}, last_output_ = {};
  std::string name_ = {};
  /// The fractions of seconds in memory: a round trip through JSON that loses one counts as a change
  /// (docs/simulator.md#4-3).
  std::string fractions_ = {};
  bool again_ = false, timed_out_ = false;
  int seconds_left_ = kRequestSeconds;
  std::map<std::string, int> numbers_ = {};
  std::set<std::string> invoked_ = {}, due_ = {};
  CallNotes call_notes_ = {};
};

/// Makes one call and handles its result; returns true if the object was replaced.
bool Run::call(const Entry& entry, int pass) {
  Call record{.pass = pass, .index = entry.index, .webhook = entry.key, .before = object_, .after = object_};
  std::optional<Rejected> rejected;
  try {
    dispatch(entry, record);
  } catch (const CallFailed& failed) {
    const bool is_ignored = entry.ignores_failure() && !forgets(Forgotten::failed_call);
    record.error = is_ignored ? "ignored" : "call";
    if (!is_ignored) rejected = Rejected(500, "InternalError", failed.what());
  } catch (const Rejected& refusal) {
    rejected = refusal;
  }
  if (timed_out_) seconds_left_ -= entry.webhook.value("timeoutSeconds", 10);
  if (timed_out_ && seconds_left_ <= 0 && record.error == "ignored") {
    rejected = Rejected(504, "Timeout");
  }
  call_notes_.note(entry, record, result_);
  object_ = record.after;
  const bool is_reinvoked = text_at(entry.webhook, "reinvocationPolicy") == "IfNeeded";
  if (is_reinvoked && forgets(Forgotten::own_change)) invoked_.insert(entry.id);
  if (record.changed) {
    mark();
    again_ = true;
  }
  if (is_reinvoked) invoked_.insert(entry.id);
  const bool applied = record.applied;
  result_.calls.push_back(std::move(record));
  if (rejected) throw *rejected;
  return applied;
}

void Run::dispatch(const Entry& entry, Call& record) {
  timed_out_ = false;
  const std::string effects = text_at(entry.webhook, "sideEffects");
  if (around_.dry_run && effects != "None" && effects != "NoneOnDryRun") {
    if (at(entry.webhook, "sideEffects").is_null()) throw CallFailed("side effects are not said");
    record.error = "dry-run";
    throw Rejected(400, "BadRequest");
  }
  const std::string version = entry.review_version();
  if (version.empty()) throw CallFailed("no known review version");
  const Json& seconds = at(entry.webhook, "timeoutSeconds");
  if (seconds.is_number() && seconds.get<int>() <= 0) throw CallFailed("no time at all");
  Json request = review_request(around_, name_, kUid);
  request["object"] = object_;
  request["oldObject"] = around_.old_object;
  const Json review{
      {"kind", "AdmissionReview"}, {"apiVersion", "admission.k8s.io/" + version}, {"request", request}};
  const Answer answer = environment_.call(entry.key, write(review), ++numbers_[entry.key]);
  timed_out_ = answer.timed_out;
  const Review said = read_answer(answer, version, kUid, record.patch);
  call_notes_.hear(entry, said, result_);
  if (!said.allowed) {
    record.error = "denied";
    throw Rejected(std::max(said.code, 400) == said.code ? said.code : 400, said.reason);
  }
  if (!said.patch.empty()) apply(version, said, record);
}

void Run::apply(const std::string& version, const Review& said, Call& record) {
  Json patch;
  try {
    patch = read_patch(said.patch);
  } catch (const PatchRefused& refused) {
    if (around_.minor > kLastMinorOfInternalPatchErrors) throw CallFailed(refused.what());
    fail_internally(record, refused.what());
  }
  if (each(patch).empty()) return;
  if (version == "v1" && said.patch_type.value_or("JSONPatch") != "JSONPatch")
    throw CallFailed("another patchType");
  try {
    const Json patched = apply_patch(object_, patch, around_.minor);
    std::string fractions;
    const Json decoded = decode_object(patched, around_.minor, &fractions);
    record.applied = true;
    record.changed = fractions != fractions_ || is_pod(decoded) != is_pod(object_) ||
                     (is_pod(decoded) ? !is_equal("Pod", decoded, object_) : decoded != object_);
    record.after = is_pod(decoded) ? with_defaults(decoded, around_.minor) : decoded;
    fractions_ = fractions;
  } catch (const PatchRefused& refused) {
    if (refused.kind != PatchRefused::Kind::panic) fail_internally(record, refused.what());
    result_.crashed = true;
    record.error = "internal";
    throw Rejected(0, "");
  } catch (const Undecodable& undecodable) {
    fail_internally(record, undecodable.what());
  }
}

/// Returns apiVersion or kind as the scheme reads it, whatever the case of the member's name; the long s and
/// the Kelvin sign fold to letters, too.
std::string type_text(const Json& object, const std::string& lower) {
  std::string found;
  int times = 0;
  for (const auto& [key, value] : object.items()) {
    std::string folded = key;
    for (const auto& [wide, letter] : {std::pair{"\xC5\xBF", "s"}, {"\xE2\x84\xAA", "k"}}) {
      for (auto at = folded.find(wide); at != std::string::npos; at = folded.find(wide))
        folded.replace(at, std::string_view(wide).size(), letter);
    }
    std::transform(folded.begin(), folded.end(), folded.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    if (folded != lower || value.is_null()) continue;
    if (!value.is_string()) throw Undecodable(lower + " is no string");
    if (++times > 1) throw Unsupported("the order of members tells which kind counts");
    found = value.get<std::string>();
  }
  return found;
}

/// Returns true for a kind other than the Pod that is in a scheme of the server, among those that patches
/// produce in tests.
bool is_registered(const std::string& version, const std::string& kind) {
  static const std::map<std::string, std::set<std::string>> known{
      {"v1",
       {"Binding", "ConfigMap", "Endpoints", "Event", "LimitRange", "List", "Namespace", "Node",
        "PersistentVolume", "PersistentVolumeClaim", "PodList", "PodTemplate", "ReplicationController",
        "ResourceQuota", "Secret", "Service", "ServiceAccount", "Status"}},
      {"scheduling.k8s.io/v1", {"PriorityClass", "PriorityClassList"}},
      {"node.k8s.io/v1", {"RuntimeClass", "RuntimeClassList"}}};
  const auto found = known.find(version);
  return found != known.end() && found->second.contains(kind);
}

}  // namespace

bool is_pod(const Json& object) {
  const std::string version = type_text(object, "apiversion"), kind = type_text(object, "kind");
  return (kind.empty() || kind == "Pod") && (version.empty() || version == "v1");
}

Json decode_object(const Json& patched, int minor, std::string* fractions) {
  if (patched.is_null()) return decode("Pod", patched, minor, fractions);
  if (!patched.is_object()) throw Undecodable("no object");
  if (is_pod(patched)) return decode("Pod", patched, minor, fractions);
  std::string version = type_text(patched, "apiversion");
  if (version.empty()) version = "v1";
  const std::string kind = type_text(patched, "kind");
  if (is_registered(version, kind)) {
    if (kind == "Status" || kind.ends_with("List"))
      throw Unsupported("a list or a Status has types of its own");
    return patched;
  }
  throw Undecodable("an unknown kind");
}

Admission admit(const std::string& text_of_case, const Environment& environment) {
  return Run(read(text_of_case), environment).admit();
}

}  // namespace fixpoint::oracle
