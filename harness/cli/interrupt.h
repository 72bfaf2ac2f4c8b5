#pragma once

namespace fixpoint::cli {

/// Makes Ctrl-C and SIGTERM set a flag instead of ending the program; a second one ends it at once.
void heed_interrupts();

/// Returns true after an interrupt; may be called from any thread.
bool is_interrupted();

/// Blocks Ctrl-C and SIGTERM in this thread and in those that it starts, for wait_for_interrupt() to receive.
void hold_interrupts();
/// Waits for an interrupt that hold_interrupts() blocks.
void wait_for_interrupt();

/// Sets the flag as an interrupt would: a run whose folder cannot be written has no reason to go on.
void interrupt_ourselves();

}  // namespace fixpoint::cli
