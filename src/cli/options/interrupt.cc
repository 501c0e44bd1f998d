#include "cli/options/interrupt.h"

#include <csignal>
#include <initializer_list>

namespace firstword::cli {
namespace {

// A signal handler may touch nothing else.
volatile std::sig_atomic_t interrupted = 0;

extern "C" void NoteInterrupt(int) { interrupted = 1; }

}  // namespace

void CatchInterrupts() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action{};
    action.sa_handler = NoteInterrupt;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(number, &action, nullptr);
  }
}

bool Interrupted() { return interrupted != 0; }

}  // namespace firstword::cli
