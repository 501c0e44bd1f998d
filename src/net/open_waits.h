#pragma once

#include <functional>
#include <list>
#include <utility>

namespace firstword::net {

// The waits of one client that are under way, so that its end can cut them short.
class OpenWaits {
 public:
  // One wait, as long as it lives. `cut` must make the wait return soon, not run it.
  class Scope {
   public:
    Scope(OpenWaits& waits, std::function<void()> cut)
        : waits_(waits), position_(waits.cuts_.insert(waits.cuts_.end(), std::move(cut))) {}
    ~Scope() { waits_.cuts_.erase(position_); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    OpenWaits& waits_;
    std::list<std::function<void()>>::iterator position_;
  };

  // After the end nothing new may be waited for.
  [[nodiscard]] bool ended() const { return ended_; }
  void End() {
    ended_ = true;
    for (const std::function<void()>& cut : cuts_) cut();
  }

 private:
  std::list<std::function<void()>> cuts_;
  bool ended_ = false;
};

}  // namespace firstword::net
