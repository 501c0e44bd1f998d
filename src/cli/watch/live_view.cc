#include "cli/watch/live_view.h"

#include <chrono>
#include <utility>

namespace firstword::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

class LiveView {
 public:
  LiveView(WatchSession& session, Screen& screen, bool unicode)
      : session_(session), screen_(screen), unicode_(unicode) {}

  Result<void> Run(const std::function<bool()>& stop) {
    auto next_round = steady_clock::now();
    bool awaited = false;  // a round whose answers are not on the screen yet
    if (auto looked = Look(); !looked) return looked;
    while (!state_.quit && !stop()) {
      const bool due = steady_clock::now() >= next_round;
      if (awaited && (due || !session_.scraper().busy())) {
        awaited = false;
        if (auto looked = Look(); !looked) return looked;
      }
      if (due) {
        session_.scraper().StartRound();
        awaited = true;
        next_round = std::max(next_round, steady_clock::now() - session_.options().interval) +
                     session_.options().interval;
      }
      HandleKeys();
    }
    return {};
  }

 private:
  Result<void> Look() {
    Result<FleetView> view = session_.Look();
    if (!view) return std::unexpected(view.error());
    if (!state_.paused) shown_ = std::move(*view);
    Draw();
    return {};
  }

  // Waits on the sockets while an answer is due, else on the keyboard.
  void HandleKeys() {
    constexpr milliseconds kSlice{20};
    if (session_.scraper().busy()) session_.scraper().RunFor(kSlice);
    const auto key = screen_.NextKey(session_.scraper().busy() ? milliseconds{0} : kSlice);
    if (!key) return;
    state_.Press(*key, shown_, screen_.size().rows);
    if (std::exchange(state_.reset, false)) session_.Forget();
    Draw();
  }

  void Draw() {
    SortRows(shown_.replicas, state_.sort);
    screen_.Show(RenderScreen(shown_, state_, screen_.size(), unicode_));
  }

  WatchSession& session_;
  Screen& screen_;
  const bool unicode_;
  LiveState state_;
  FleetView shown_;
};

}  // namespace

Result<void> RunLive(WatchSession& session, Screen& screen, bool unicode,
                     const std::function<bool()>& stop) {
  return LiveView(session, screen, unicode).Run(stop);
}

}  // namespace firstword::cli
