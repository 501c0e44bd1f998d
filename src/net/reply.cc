#include "net/reply.h"

#include "base/check.h"
#include "net/http_conversation.h"

namespace firstword::net {

Reply::~Reply() {
  HttpConversation* const conversation = std::exchange(conversation_, nullptr);
  if (conversation == nullptr) return;
  if (begun_) {
    conversation->CutOff();
  } else {
    conversation->SendError(500, "internal server error");
  }
}

// What Send() and End() drop may own this object, so it goes last.
void Reply::Send(const ServerResponse& response) {
  if (!open()) return;
  CHECK(!begun_);
  const auto dropped = std::exchange(on_close_, nullptr);
  std::exchange(conversation_, nullptr)->Send(response);
}

void Reply::Begin(int status, std::string_view content_type,
                  const std::vector<std::pair<std::string, std::string>>& headers) {
  if (!open()) return;
  CHECK(!begun_);
  begun_ = true;
  conversation_->Begin(status, content_type, headers);
}

void Reply::Write(std::string_view bytes) {
  if (!open()) return;
  CHECK(begun_);
  conversation_->Write(bytes);
}

void Reply::End() {
  if (!open()) return;
  CHECK(begun_);
  const auto dropped = std::exchange(on_close_, nullptr);
  std::exchange(conversation_, nullptr)->End();
}

bool Reply::open() const { return conversation_ != nullptr && !conversation_->closed(); }

std::size_t Reply::unsent_bytes() const { return open() ? conversation_->unsent_bytes() : 0; }

void Reply::OnClose(std::move_only_function<void()> call) {
  if (open()) std::swap(on_close_, call);
}

}  // namespace firstword::net
