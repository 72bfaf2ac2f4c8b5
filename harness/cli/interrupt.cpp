#include "harness/cli/interrupt.h"

#include <pthread.h>

#include <array>
#include <atomic>
#include <csignal>

namespace fixpoint::cli {

namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only write what takes no lock");

void on_interrupt(int number) {
  interrupted = true;
  std::signal(number, SIG_DFL);
}

constexpr std::array kSignals{SIGINT, SIGTERM};

sigset_t signals() {
  sigset_t all;
  sigemptyset(&all);
  for (const int number : kSignals) sigaddset(&all, number);
  return all;
}

}  // namespace

void heed_interrupts() {
  for (const int number : kSignals) std::signal(number, on_interrupt);
}

void hold_interrupts() {
  const sigset_t all = signals();
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

void wait_for_interrupt() {
  const sigset_t all = signals();
  int number = 0;
  sigwait(&all, &number);
  interrupted = true;
}

bool is_interrupted() { return interrupted.load(); }

void interrupt_ourselves() { interrupted = true; }

}  // namespace fixpoint::cli
