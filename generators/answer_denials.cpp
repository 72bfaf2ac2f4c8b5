#include "generators/answer_denials.h"

#include <algorithm>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/put_trigger.h"
#include "harness/document/lower_case.h"
#include "harness/properties/spellings.h"
#include "harness/runner/learning/trigger.h"
#include "harness/runner/learning/wanted_values.h"

namespace fixpoint::generators {

namespace {

using cases::Case;
using runner::Trigger;

/// The limits on the keys that are tried for one message, and on the values that are tried for one key.
constexpr std::size_t kKeysMax = 12, kValuesMax = 3;

/// Returns the share, in hundredths, of the parts of the key's name that occur in the text: `min-backoff` in
/// "parsing min backoff".
int said_of_name(const Trigger& trigger, std::string_view text) {
  const std::string name = document::lower_case(properties::name_of_key(trigger.key));
  int parts = 0, said = 0;
  for (std::size_t at = 0; at < name.size();) {
    const auto end = std::min(name.find_first_of("-._", at), name.size());
    if (end - at >= 3) {
      ++parts;
      said += text.find(std::string_view(name).substr(at, end - at)) != std::string_view::npos ? 1 : 0;
    }
    at = end + 1;
  }
  return parts == 0 ? 0 : said * 100 / parts;
}

bool quotes(std::string_view text, const std::string& value) {
  constexpr std::string_view kQuotes = "\"'`";
  for (const char quote : kQuotes) {
    if (text.find(quote + value + quote) != std::string_view::npos) return true;
  }
  return false;
}

class Answering {
 public:
  Answering(runner::Vocabulary& prepared_vocabulary, Case denied, std::string message, const Ask& ask)
      : words_(prepared_vocabulary), case_(std::move(denied)), message_(std::move(message)), ask_(ask) {}

  std::optional<Case> run() {
    do {
      messages_.insert(message_);
      runner::complete(words_);
      triggers_ = runner::triggers_of(words_);
      std::erase_if(triggers_, [](const Trigger& one) { return one.where == Trigger::Where::field; });
    } while (!is_over_ && !has_changed_ && (change_one() || add_one()));
    if (!has_changed_) return {};
    leave_out_what_is_not_needed();
    for (const Trigger& trigger : triggers_) {
      const auto option = runner::option_of(trigger, case_);
      if (option > 0 && option <= trigger.values.size())
        runner::learn_trigger(words_, trigger.where, trigger.key, trigger.values[option - 1]);
    }
    return std::move(case_);
  }

 private:
  std::optional<Reply> ask(const Case& value) {
    auto reply = is_over_ ? std::nullopt : ask_(value);
    is_over_ = !reply;
    return reply;
  }

  /// Calls the webhook for the Case. If the reply is progress, keeps the Case and returns true.
  bool takes(Case value) {
    const auto reply = ask(value);
    if (!reply || (!reply->has_changed && (reply->denial.empty() || messages_.contains(reply->denial))))
      return false;
    has_changed_ = reply->has_changed;
    message_ = reply->denial;
    case_ = std::move(value);
    return true;
  }

  /// Returns a score of how clearly the message points to the key and to the key's value in the Case.
  int pointed_at(const Trigger& trigger, const std::string& value) const {
    const std::string text = document::lower_case(message_);
    return (text.find(document::lower_case(trigger.key)) != std::string::npos ? 400 : 0) +
           (!value.empty() && quotes(message_, value) ? 200 : 0) + said_of_name(trigger, text);
  }

  std::string value_of(const Trigger& trigger) const {
    const auto option = runner::option_of(trigger, case_);
    return option > 0 && option <= trigger.values.size() ? trigger.values[option - 1] : "";
  }

  /// Returns the keys that are present in the Case, or absent from it, those that the message points to
  /// first.
  std::vector<Trigger> pointed(bool are_present) const {
    std::vector<std::pair<int, const Trigger*>> ranked;
    for (const Trigger& trigger : triggers_) {
      if ((runner::option_of(trigger, case_) > 0) != are_present) continue;
      const int rank = pointed_at(trigger, are_present ? value_of(trigger) : "");
      if (are_present || rank >= 100) ranked.emplace_back(-rank, &trigger);
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Trigger> out;
    for (std::size_t i = 0; i < std::min(ranked.size(), kKeysMax); ++i) out.push_back(*ranked[i].second);
    return out;
  }

  /// Gives one key of the Case a value of the kind that the message asks for, or removes the key.
  bool change_one() {
    const auto wanted = runner::wanted_values(message_);
    for (const Trigger& trigger : pointed(true)) {
      if (is_over_) return false;
      const std::string refused = value_of(trigger);
      Trigger typed = runner::trigger_of(trigger.where, trigger.key, {wanted.begin(), wanted.end()});
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (wanted[i] == refused) break;  // the value is already of that kind
        Case tried = case_;
        put_trigger(tried, typed, i + 1);
        if (!takes(std::move(tried))) continue;
        runner::set_trigger_values(words_, trigger.where, trigger.key, typed.values);
        return true;
      }
      Case tried = case_;
      put_trigger(tried, trigger, 0);
      if (!takes(std::move(tried))) continue;
      runner::forget_trigger_value(words_, trigger.where, trigger.key, refused);
      return true;
    }
    return false;
  }

  bool add_one() {
    for (const Trigger& trigger : pointed(false)) {
      for (std::size_t i = 0; i < std::min(trigger.values.size(), kValuesMax); ++i) {
        if (is_over_) return false;
        Case tried = case_;
        put_trigger(tried, trigger, i + 1);
        if (takes(std::move(tried))) return true;
      }
    }
    return false;
  }

  void leave_out_what_is_not_needed() {
    for (const Trigger& trigger : triggers_) {
      if (runner::option_of(trigger, case_) == 0) continue;
      Case tried = case_;
      put_trigger(tried, trigger, 0);
      const auto reply = ask(tried);
      if (reply && reply->has_changed) case_ = std::move(tried);
    }
  }

  runner::Vocabulary& words_;
  Case case_;
  std::string message_;
  const Ask& ask_;
  std::vector<Trigger> triggers_ = {};
  std::set<std::string> messages_ = {};  ///< the messages seen so far
  bool has_changed_ = false, is_over_ = false;
};

}  // namespace

std::optional<Case> answer_denials(runner::Vocabulary& prepared_vocabulary, Case denied, std::string message,
                                   const Ask& ask) {
  return Answering(prepared_vocabulary, std::move(denied), std::move(message), ask).run();
}

}  // namespace fixpoint::generators
