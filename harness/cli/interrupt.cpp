#include "harness/cli/interrupt.h"

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

}  // namespace

void heed_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

bool is_interrupted() { return interrupted.load(); }

void interrupt_ourselves() { interrupted = true; }

}  // namespace fixpoint::cli
