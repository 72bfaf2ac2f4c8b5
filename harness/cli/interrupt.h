#pragma once

namespace fixpoint::cli {

/// From now on Ctrl-C and SIGTERM are noted instead of ending the program; the second ends it at once.
void heed_interrupts();

/// Returns true after an interrupt; may be called from any thread.
bool is_interrupted();

/// From now on Ctrl-C and SIGTERM wait for wait_for_interrupt(), in this thread and those that it makes.
void hold_interrupts();
/// Returns after an interrupt that hold_interrupts() holds.
void wait_for_interrupt();

/// As if there had been one: a run whose folder cannot be written has no reason to go on.
void interrupt_ourselves();

}  // namespace fixpoint::cli
