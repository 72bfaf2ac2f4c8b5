#include "harness/oracle/oracle_admission.h"

#include <algorithm>
#include <optional>
#include <set>

#include "harness/oracle/oracle_formats.h"
#include "harness/oracle/oracle_match.h"

namespace fixpoint::oracle {

namespace {

constexpr int kRequestSeconds = 34, kLastMinorOfInternalPatchErrors = 33;
constexpr std::size_t kWarningRunesMax = 4096;
constexpr const char* kUid = "00000000-0000-0000-0000-000000000000";

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
      if (warning_runes_ > kWarningRunesMax) throw Unsupported("warnings that are cut");
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
      : environment_(environment),
        steps_(environment.steps),
        cluster_(at(text, "cluster")),
        around_(read_request_context(text)),
        list_(flat_list(around_)) {}

  Admission admit() {
    try {
      const Received received = steps_.receive();
      begin(received);
      for (int pass = 1; pass == 1 || (pass == 2 && again_); ++pass) run(pass);
      const Finished finished = steps_.finish(object_.document, received);
      result_.object = finished.object;
      warn(finished.warnings);
    } catch (const Rejected& rejected) {
      result_.allowed = false;
      result_.code = rejected.code;
      result_.reason = rejected.reason;
    }
    return std::move(result_);
  }

 private:
  bool forgets(Forgotten rule) const { return environment_.forgotten == rule; }

  void warn(const std::vector<std::string>& warnings) {
    result_.warnings.insert(result_.warnings.end(), warnings.begin(), warnings.end());
  }

  void begin(const Received& received) {
    object_ = received.object;
    around_.old_object = received.old_object;
    warn(received.warnings);
    name_ = text_at(at(object_.document, "metadata"), "name");
    const Json& named = around_.is_update() ? around_.old_object : object_.document;
    policies_.emplace(cluster_, around_, text_at(at(named, "metadata"), "name"), environment_);
  }

  void run(int pass) {
    result_.passes = pass;
    around_.pass = pass;
    object_.document = steps_.run_plugins(object_.document, around_.old_object, pass);
    if (pass == 1) result_.first = object_.document;
    run_policies();
    if (pass == 2 && !steps_.is_same(last_output_, object_.document)) mark();
    bool is_dirty = false;
    for (const Entry& entry : list_) {
      if (!is_matching(entry, pass)) continue;
      if (pass == 2 && !due_.contains(entry.id) && !forgets(Forgotten::due_webhooks)) continue;
      is_dirty = call(entry, pass) || is_dirty;
    }
    if (is_dirty) convert();
    last_output_ = object_.document;
  }

  void convert() {
    try {
      object_.document = steps_.convert(object_.document);
    } catch (const Undecodable&) {
      throw Rejected(500, "");
    }
  }

  /// After the other plugins and before the webhooks.
  void run_policies() {
    const auto note = [&] {
      again_ = again_ || policies_->wants_second_pass();
      result_.policies = policies_->runs();
      result_.crashed = policies_->has_crashed();
    };
    try {
      policies_->admit(around_, object_);
    } catch (const Rejected&) {
      note();
      throw;
    }
    note();
  }

  bool is_matching(const Entry& entry, int pass) {
    try {
      return matches(entry, around_, object_.document, environment_.evaluate);
    } catch (const Rejected& rejected) {
      if (rejected.reason == "Forbidden") {
        result_.calls.push_back(
            {.pass = pass, .index = entry.index, .webhook = entry.key, .error = "condition"});
        result_.calls.back().before = result_.calls.back().after = object_.document;
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
  const Steps& steps_;
  const Json& cluster_;
  RequestContext around_;
  std::vector<Entry> list_;
  std::optional<Policies> policies_ = {};
  Admission result_ = {};
  Object object_ = {};
  Json last_output_ = {};
  std::string name_ = {};
  bool again_ = false, timed_out_ = false;
  int seconds_left_ = kRequestSeconds;
  std::map<std::string, int> numbers_ = {};
  std::set<std::string> invoked_ = {}, due_ = {};
  CallNotes call_notes_ = {};
};

/// Makes one call and handles its result; returns true if the object was replaced.
bool Run::call(const Entry& entry, int pass) {
  Call record{.pass = pass, .index = entry.index, .webhook = entry.key};
  record.before = record.after = object_.document;
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
  object_.document = record.after;
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
  request["object"] = object_.document;
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
  try {
    if (!steps_.has_operations(said.patch)) return;
  } catch (const PatchRefused& refused) {
    if (around_.minor > kLastMinorOfInternalPatchErrors) throw CallFailed(refused.what());
    fail_internally(record, refused.what());
  }
  if (version == "v1" && said.patch_type.value_or("JSONPatch") != "JSONPatch")
    throw CallFailed("another patchType");
  try {
    const Object decoded = steps_.decode(steps_.apply_patch(object_.document, said.patch));
    record.applied = true;
    record.changed = !steps_.is_unchanged(object_, decoded);
    record.after = steps_.with_defaults(decoded.document);
    object_.fractions = decoded.fractions;
  } catch (const PatchRefused& refused) {
    if (refused.kind != PatchRefused::Kind::panic) fail_internally(record, refused.what());
    result_.crashed = true;
    record.error = "internal";
    throw Rejected(0, "");
  } catch (const Undecodable& undecodable) {
    fail_internally(record, undecodable.what());
  }
}

}  // namespace

Admission admit(const std::string& text_of_case, const Environment& environment) {
  const Json text = read(text_of_case);
  return Run(text, environment).admit();
}

}  // namespace fixpoint::oracle
