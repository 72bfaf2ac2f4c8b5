#include "harness/webhooks/process.h"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <utility>

#include "harness/webhooks/child.h"
#include "harness/webhooks/review.h"

namespace fixpoint::webhooks {

namespace {

constexpr const char* kTooManyLines = "the process wrote more than one line for one request";

/// The processes of one command: idle ones wait here for the next call.
class Pool {
 public:
  Pool(std::vector<std::string> argv, const Limits& limits, std::shared_ptr<ProcessTally> tally)
      : argv_(std::move(argv)), limits_(limits), tally_(std::move(tally)) {}

  Answer call(const Call& call) {
    const std::string uid = fresh_uid();
    const int milliseconds = std::min(call.timeout_seconds * 1000, limits_.call_milliseconds_max);
    const Deadline deadline = Deadline::in(milliseconds);
    const Place place(*this);
    document::Result<std::unique_ptr<Child>> child = take();
    if (!child) return fail(child.error().message);
    Exchange exchange = (*child)->exchange(write_review(call, uid).append("\n"), deadline);
    if (exchange.end == Exchange::End::answered) {
      give_back(*std::move(child));
      return read_review(exchange.text, uid, limits_);
    }
    return end(*std::move(child), exchange);
  }

 private:
  /// A place among the processes that may run at a time.
  class Place {
   public:
    explicit Place(Pool& pool) : pool_(pool) {
      std::unique_lock lock(pool_.mutex_);
      pool_.freed_.wait(lock,
                        [&] { return pool_.busy_ < std::max<std::size_t>(pool_.limits_.processes_max, 1); });
      ++pool_.busy_;
    }
    ~Place() {
      {
        const std::lock_guard lock(pool_.mutex_);
        --pool_.busy_;
      }
      pool_.freed_.notify_one();
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    Pool& pool_;
  };

  document::Result<std::unique_ptr<Child>> take() {
    while (auto idle = take_idle()) {
      const Child::Meanwhile meanwhile = idle->meanwhile();
      if (meanwhile == Child::Meanwhile::silent) return idle;
      ++(meanwhile == Child::Meanwhile::ended ? tally_->died : tally_->killed);
      bury(*idle);
      if (meanwhile == Child::Meanwhile::talked) return document::Error{kTooManyLines};
    }
    auto child = Child::start(argv_, limits_);
    if (child) ++tally_->started;
    return child;
  }

  std::unique_ptr<Child> take_idle() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return nullptr;
    auto child = std::move(idle_.back());
    idle_.pop_back();
    return child;
  }

  void give_back(std::unique_ptr<Child> child) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(child));
  }

  void bury(Child& child) {
    child.kill();
    if (!child.words().empty()) tally_->keep_last_words(child.words());
  }

  Answer end(std::unique_ptr<Child> child, const Exchange& exchange) {
    const bool has_died = exchange.end == Exchange::End::died;
    ++(has_died ? tally_->died : tally_->killed);
    const bool had_begun = !exchange.text.empty();
    bury(*child);
    switch (exchange.end) {
      case Exchange::End::died:
        return fail(had_begun ? "the process ended in the middle of its answer (" + child->ending() + ")"
                              : "the process ended without an answer (" + child->ending() + ")");
      case Exchange::End::too_long:
        return fail("the answer is longer than answer_bytes_max = " +
                    std::to_string(limits_.answer_bytes_max));
      case Exchange::End::too_many:
        return fail(kTooManyLines);
      default:
        break;
    }
    Answer answer = fail(had_begun ? "context deadline exceeded in the middle of the answer"
                                   : "context deadline exceeded");
    answer.timed_out = true;
    return answer;
  }

  const std::vector<std::string> argv_;
  const Limits limits_;
  const std::shared_ptr<ProcessTally> tally_;
  std::mutex mutex_;
  std::condition_variable freed_;
  std::size_t busy_ = 0;
  std::vector<std::unique_ptr<Child>> idle_;
};

}  // namespace

void ProcessTally::keep_last_words(std::string_view words) {
  const std::lock_guard lock(mutex_);
  last_words_ = words;
}
std::string ProcessTally::last_words() const {
  const std::lock_guard lock(mutex_);
  return last_words_;
}

std::vector<std::string> split_at_blanks(std::string_view command) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < command.size();) {
    const auto begin = command.find_first_not_of(" \t", at);
    if (begin == std::string_view::npos) break;
    at = std::min(command.find_first_of(" \t", begin), command.size());
    words.emplace_back(command.substr(begin, at - begin));
  }
  return words;
}

Handler process(std::vector<std::string> argv, const Limits& limits, std::shared_ptr<ProcessTally> tally) {
  if (!tally) tally = std::make_shared<ProcessTally>();
  auto pool = std::make_shared<Pool>(std::move(argv), limits, std::move(tally));
  return [pool](const Call& call) { return pool->call(call); };
}

}  // namespace fixpoint::webhooks
