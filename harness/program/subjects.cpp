#include "harness/program/subjects.h"

#include <algorithm>
#include <utility>

#include "generators/reduce.h"
#include "generators/sequences.h"
#include "harness/apiserver/admission/admission.h"
#include "harness/program/manifest.h"
#include "harness/program/program.h"
#include "harness/runner/examine.h"
#include "harness/runner/learn.h"
#include "harness/webhooks/https.h"
#include "injectors/catalog.h"
#include "injectors/reconcilers.h"

namespace fixpoint::program {

namespace {

using document::Error;
using runner::Subject;

/// Calls to learn from, Cases to draw for them, and how many may be too late, or break off, before learning
/// ends: to start a process that died anew takes the time of many calls.
constexpr int kCallsMax = 64, kDrawsMax = 256, kLateMax = 3, kBrokenMax = 8;

std::optional<Error> add_file(Subjects& found, std::vector<std::string>& peers, const std::string& path,
                              const Outside& outside) {
  auto manifest = read_manifest(path, outside);
  if (!manifest) return std::move(manifest).error();
  found.has_files = true;
  for (std::string& note : manifest->notes) found.notes.push_back(std::move(note));
  for (Subject& subject : manifest->subjects) found.chains.subjects.push_back(std::move(subject));
  for (const auto& names : manifest->peers) peers.insert(peers.end(), names.begin(), names.end());
  return std::nullopt;
}

/// A subject of the catalog whose webhooks the command line puts elsewhere: the real thing under the words of
/// its row.
void put_outside(Subject& subject, const Outside& outside) {
  for (auto& [key, backend] : subject.webhooks) {
    if (auto said = outside.named(key)) backend = *std::move(said);
  }
}

bool is_bundled(const cases::Backend& backend) {
  return std::holds_alternative<cases::InjectorName>(backend);
}
std::optional<Error> add_name(Subjects& found, const std::string& name, const Outside& outside) {
  if (injectors::is_reconciler(name)) {
    auto reconciler = injectors::full_reconciler_name(name);
    if (!reconciler) return std::move(reconciler).error();
    found.reconcilers.push_back(*std::move(reconciler));
    return std::nullopt;
  }
  auto subject = injectors::find_subject(name);
  if (!subject) return std::move(subject).error();
  put_outside(*subject, outside);
  found.chains.subjects.push_back(*std::move(subject));
  return std::nullopt;
}

/// The neighbours: those that the files name, else the well-behaved ones of the catalog.
std::optional<Error> add_peers(generators::DrawOptions& draw, const std::vector<std::string>& named) {
  if (named.empty()) draw.peers = injectors::newest(injectors::Role::peer);
  for (const std::string& name : named) {
    auto peer = injectors::find_subject(name);
    if (!peer) return std::move(peer).error().within("peers");
    draw.peers.push_back(*std::move(peer));
  }
  // A peer that is put to the test is no neighbour of itself.
  std::erase_if(draw.peers, [&](const Subject& peer) {
    return std::any_of(draw.subjects.begin(), draw.subjects.end(),
                       [&](const Subject& subject) { return subject.name == peer.name; });
  });
  return std::nullopt;
}

/// Two configurations of one name cannot stand in one cluster, nor two subjects be told apart by it.
std::optional<Error> same_names(const std::vector<Subject>& subjects) {
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (subjects[i].name == subjects[j].name)
        return Error{"two subjects have the name \"" + subjects[i].name + "\""};
    }
  }
  return std::nullopt;
}

/// What the calls of one subject brought.
struct Lesson {
  int calls = 0, late = 0, unreachable = 0, broken = 0;
  std::string problem = {};
};

void learn_from(const apiserver::Admission& admission, Subject& subject, Lesson& lesson) {
  for (const apiserver::CallEvent& event : admission.calls) {
    const auto& webhook = admission.webhooks[static_cast<std::size_t>(event.index)];
    if (!event.hop.called || !subject.webhooks.contains(webhook.key)) continue;
    ++lesson.calls;
    lesson.late += event.hop.timed_out ? 1 : 0;
    lesson.broken += event.hop.answer.problem.empty() ? 0 : 1;
    if (webhooks::is_unreachable(event.hop.answer)) {
      ++lesson.unreachable;
      lesson.problem = webhook.key + ": " + event.hop.answer.problem;
    }
    if (event.hop.answer.patch) runner::learn_from_patch(subject.vocabulary, *event.hop.answer.patch);
  }
}

/// Bounds the calls of learning, and ends that with it.
class Hurry {
 public:
  Hurry(Watch& watch, double seconds_max) : watch_(watch) {
    constexpr double kSecondsMax = 1e6;  // a call's own timeout is below
    watch_.hurry(seconds_max > 0 ? std::max(1, static_cast<int>(std::min(seconds_max, kSecondsMax))) : 30);
  }
  ~Hurry() { watch_.hurry(0); }
  Hurry(const Hurry&) = delete;
  Hurry& operator=(const Hurry&) = delete;

 private:
  Watch& watch_;
};

Lesson learn(Subject& subject, const Outside& outside, std::uint64_t seed,
             const std::function<bool()>& is_over) {
  generators::DrawOptions options{.subjects = {subject}, .has_faults = false};
  const generators::Repertoire repertoire(std::move(options));
  Lesson lesson;
  for (int i = 0; i < kDrawsMax && lesson.calls < kCallsMax && !is_over(); ++i) {
    if (lesson.late >= kLateMax || lesson.broken >= kBrokenMax) break;
    runner::Choices choices(~seed, static_cast<std::uint64_t>(i));
    const auto prepared = runner::prepare(generators::draw(choices, repertoire), outside.resolve(),
                                          outside.limits(), runner::kJudging);
    if (prepared) learn_from(prepared->admission, subject, lesson);
    if (lesson.unreachable >= kLateMax && lesson.unreachable == lesson.calls) break;
  }
  return lesson;
}

bool share_one(const std::vector<std::string>& some, const std::vector<std::string>& others) {
  return std::any_of(some.begin(), some.end(), [&](const std::string& one) {
    return std::find(others.begin(), others.end(), one) != others.end();
  });
}

/// A neighbour that by chance brings a thing of the same name as the subject is a rival, and no witness.
bool are_rivals(const Subject& peer, const Subject& subject) {
  const runner::Vocabulary &a = peer.vocabulary, &b = subject.vocabulary;
  return share_one(a.containers, b.containers) || share_one(a.volumes, b.volumes) ||
         share_one(a.mount_paths, b.mount_paths);
}

}  // namespace

bool calls_out(const Subject& subject) {
  return std::any_of(subject.webhooks.begin(), subject.webhooks.end(),
                     [](const auto& one) { return is_external(one.second); });
}

std::vector<std::string> Subjects::names() const {
  std::vector<std::string> all;
  for (const Subject& subject : chains.subjects) all.push_back(subject.name);
  all.insert(all.end(), reconcilers.begin(), reconcilers.end());
  return all;
}

Result<Subjects> find_subjects(const std::vector<std::string>& names, const Outside& outside) {
  Subjects found;
  std::vector<std::string> peers;
  for (const std::string& name : names) {
    auto problem = is_manifest(name) ? add_file(found, peers, name, outside) : add_name(found, name, outside);
    if (!problem) continue;
    if (outside.subjects_file().empty()) return *std::move(problem);
    return std::move(*problem).within(outside.subjects_file());
  }
  if (names.empty()) {
    found.chains.subjects = injectors::newest(injectors::Role::subject);
    for (const auto& row : injectors::all_reconcilers())
      found.reconcilers.push_back(*injectors::full_reconciler_name(row.name));
  }
  const auto& subjects = found.chains.subjects;
  found.calls_out = std::any_of(subjects.begin(), subjects.end(), calls_out);
  if (auto problem = same_names(found.chains.subjects)) return *std::move(problem);
  if (const auto unmet = outside.unmet(); !unmet.empty())
    return Error{"no subject here has this webhook", "--webhook " + unmet.front()};
  found.names_peers = !peers.empty();
  if (auto problem = add_peers(found.chains, peers)) return *std::move(problem);
  found.chains.resolve = outside.resolve();
  for (const injectors::Injector& injector : injectors::all()) {
    for (std::string_view release : injector.releases)
      found.chains.earlier.push_back(std::string(injector.name).append("@").append(release));
  }
  return found;
}

runner::Draw draw_of(const Subjects& subjects) {
  if (subjects.chains.subjects.empty()) {
    return [reconcilers = subjects.reconcilers](runner::Choices& choices) -> runner::Drawn {
      return generators::draw_sequence(choices, reconcilers);
    };
  }
  return [repertoire = generators::Repertoire(subjects.chains), reconcilers = subjects.reconcilers,
          webhooks = subjects.chains.subjects.size()](runner::Choices& choices) -> runner::Drawn {
    const bool is_sequence = !reconcilers.empty() && choices.below(webhooks + reconcilers.size()) >= webhooks;
    if (is_sequence) return generators::draw_sequence(choices, reconcilers);
    return generators::draw(choices, repertoire);
  };
}

runner::RunOptions run_of(const Subjects& subjects) {
  runner::RunOptions run;
  run.subject_names = subjects.names();
  for (const Subject& subject : subjects.chains.subjects)
    run.judged_configurations.emplace_back(subject.configuration["metadata"]["name"].text());
  run.draws_cases = !subjects.chains.subjects.empty();
  run.draws_sequences = !subjects.reconcilers.empty();
  run.draw = draw_of(subjects);
  run.reduce = generators::reduce;
  run.reduce_sequence = generators::reduce_sequence;
  run.resolve = bundled();
  run.resolve_reconciler = bundled_reconcilers();
  run.clock = now;
  return run;
}

std::optional<Error> learn_from_calls(Subjects& subjects, const Outside& outside, std::uint64_t seed,
                                      double seconds_max) {
  const double end = now() + seconds_max;
  const auto is_over = [&] { return seconds_max > 0 && now() >= end; };
  const Hurry until_done(outside.watch(), seconds_max);
  for (Subject& subject : subjects.chains.subjects) {
    const bool is_known = std::all_of(subject.webhooks.begin(), subject.webhooks.end(),
                                      [](const auto& one) { return is_bundled(one.second); });
    if (is_known) continue;
    const Lesson lesson = learn(subject, outside, seed, is_over);
    runner::complete(subject.vocabulary);
    if (lesson.calls > 0 && lesson.unreachable == lesson.calls)
      return Error{lesson.problem, subject.name + " cannot be reached"};
    if (!subjects.names_peers)
      std::erase_if(subjects.chains.peers, [&](const Subject& peer) { return are_rivals(peer, subject); });
  }
  return std::nullopt;
}

}  // namespace fixpoint::program
