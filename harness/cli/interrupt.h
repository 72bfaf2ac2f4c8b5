#pragma once

namespace fixpoint::cli {

/// From now on Ctrl-C and SIGTERM are noted instead of ending the program; the second ends it at once.
void heed_interrupts();

/// Whether there was one. May be asked from any thread.
bool is_interrupted();

/// As if there had been one: a run whose folder cannot be written has no reason to go on.
void interrupt_ourselves();

}  // namespace fixpoint::cli
