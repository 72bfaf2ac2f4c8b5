#include "harness/webhooks/process.h"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <optional>
#include <utility>

#include "harness/webhooks/child.h"
#include "harness/webhooks/crash_line.h"
#include "harness/webhooks/review.h"
#include "harness/webhooks/supervisor.h"

namespace fixpoint::webhooks {

namespace {

constexpr const char* kTooManyLines = "the process wrote more than one line for one request";
constexpr int kTriesMax = 3;

/// A process with its cluster.
struct Running {
  ProcessCluster cluster = {};  ///< outlives the process
  std::unique_ptr<Child> child = {};
};

/// The processes of one command; idle ones are used for later calls.
class Pool {
 public:
  Pool(std::vector<std::string> argv, const Limits& limits, std::shared_ptr<ProcessTally> tally,
       MakeProcessCluster make_cluster)
      : argv_(std::move(argv)),
        limits_(limits),
        tally_(std::move(tally)),
        make_cluster_(std::move(make_cluster)) {}

  Answer call(const Call& call) {
    const std::string uid = fresh_uid();
    const int milliseconds = std::min(call.timeout_seconds * 1000, limits_.call_milliseconds_max);
    const Deadline deadline = Deadline::in(milliseconds);
    const Place place(*this);
    // A failure caused by the supervisor's death does not count against the webhook.
    for (int tries = 0; tries < kTriesMax; ++tries) {
      if (auto answer = call_once(call, uid, deadline)) return *std::move(answer);
    }
    return fail("cannot start " + argv_.front() + ": its supervisor is killed again and again");
  }

  /// Ends the idle processes.
  void end_idle() {
    while (auto idle = take_idle()) {
      idle->child->leave();
      bury(*idle->child);
    }
  }

  ~Pool() { end_idle(); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

 private:
  /// Calls a process once; returns nothing if the process was killed with its supervisor.
  std::optional<Answer> call_once(const Call& call, const std::string& uid, const Deadline& deadline) {
    document::Result<Running> running = take();
    if (!running) return fail(running.error().message);
    if (tally_->died > 0) start_spare();
    if (running->cluster.show) running->cluster.show(call);
    Child& child = *running->child;
    const Exchange exchange = child.exchange(write_review(call, uid).append("\n"), deadline);
    if (!child.logged().empty()) tally_->keep_logged(child.logged());
    const bool is_answered = exchange.end == Exchange::End::answered;
    Answer answer = is_answered ? read_review(exchange.text, uid, limits_) : end(child, exchange);
    if (!is_answered && child.was_lost()) return std::nullopt;
    if (running->cluster.take_accesses) answer.accesses = running->cluster.take_accesses();
    if (is_answered) give_back(*std::move(running));
    return answer;
  }

  /// One of the limited number of processes that may run at the same time.
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

  document::Result<Running> take() {
    while (auto idle = take_idle()) {
      Child& child = *idle->child;
      const Child::Meanwhile meanwhile = child.meanwhile();
      if (meanwhile == Child::Meanwhile::silent) return *std::move(idle);
      ++(meanwhile == Child::Meanwhile::ended ? tally_->died : tally_->killed);
      bury(child);
      if (meanwhile == Child::Meanwhile::talked) return document::Error{kTooManyLines};
    }
    return start();
  }
  document::Result<Running> start() {
    Running running;
    if (make_cluster_) {
      auto cluster = make_cluster_();
      if (!cluster) return std::move(cluster).error();
      running.cluster = *std::move(cluster);
    }
    const ProcessCluster& cluster = running.cluster;
    auto child = Child::start(argv_, limits_,
                              {.environment = cluster.environment,
                               .inherits_environment = cluster.inherits_environment,
                               .folder = cluster.folder});
    if (!child) return std::move(child).error();
    ++tally_->started;
    running.child = *std::move(child);
    return running;
  }

  /// Of a program that dies, the next process starts while this one answers: an interpreter takes longer to
  /// start than to answer.
  void start_spare() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty() || busy_ >= limits_.processes_max) return;
    }
    if (auto spare = start()) give_back(*std::move(spare));
  }

  std::optional<Running> take_idle() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::nullopt;
    auto running = std::move(idle_.back());
    idle_.pop_back();
    return running;
  }

  void give_back(Running running) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(running));
  }

  void bury(Child& child) {
    child.kill();
    tally_->strays += static_cast<std::uint64_t>(child.strays());
    if (child.strays() > 0) tally_->keep_stray_names(child.stray_names());
    if (!child.words().empty()) tally_->keep_last_words(child.words());
    if (!child.logged().empty()) tally_->keep_logged(child.logged());
  }

  /// Returns why the process died, behind a colon; empty if its last words do not say it. A program with a
  /// sanitizer, whose shadow memory exceeds any sensible limit, needs none.
  std::string reason_in(std::string_view words) const {
    const bool is_bound = limits_.process_memory_bytes_max > 0;
    if (is_bound && words.find("Sanitizer failed to allocate") != words.npos)
      return ": a program built with a sanitizer needs --limit process_memory_bytes_max=0";
    const std::string line = crash_line(words);
    return line.empty() ? "" : ": " + line;
  }

  Answer end(Child& child, const Exchange& exchange) {
    const bool has_died = exchange.end == Exchange::End::died;
    ++(has_died ? tally_->died : tally_->killed);
    const bool had_begun = !exchange.text.empty();
    bury(child);
    switch (exchange.end) {
      case Exchange::End::died:
        return fail(std::string(kProcessEnded) +
                    (had_begun ? " in the middle of its answer (" : " without an answer (") + child.ending() +
                    ")" + reason_in(child.words()));
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
  const MakeProcessCluster make_cluster_;
  std::mutex mutex_;
  std::condition_variable freed_;
  std::size_t busy_ = 0;
  std::vector<Running> idle_;
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

void ProcessTally::keep_stray_names(std::string_view names) {
  const std::lock_guard lock(mutex_);
  if (stray_names_.empty()) stray_names_ = names;
}
std::string ProcessTally::stray_names() const {
  const std::lock_guard lock(mutex_);
  return stray_names_;
}
void ProcessTally::keep_logged(std::string_view line) {
  const std::lock_guard lock(mutex_);
  if (logged_.empty()) logged_ = line;
}
std::string ProcessTally::logged() const {
  const std::lock_guard lock(mutex_);
  return logged_;
}
void ProcessTally::end_idle_processes() const {
  if (end_idle) end_idle();
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

Handler process(std::vector<std::string> argv, const Limits& limits, std::shared_ptr<ProcessTally> tally,
                MakeProcessCluster make_cluster) {
  if (!tally) tally = std::make_shared<ProcessTally>();
  start_supervisor();
  auto pool = std::make_shared<Pool>(std::move(argv), limits, tally, std::move(make_cluster));
  tally->end_idle = [weak = std::weak_ptr(pool)] {
    if (const auto living = weak.lock()) living->end_idle();
  };
  return [pool](const Call& call) { return pool->call(call); };
}

}  // namespace fixpoint::webhooks
