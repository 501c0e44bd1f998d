#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/http_message.h"

namespace firstword::net {

class HttpConversation;

// The answer to one request, whole or as a stream, now or later; it may be kept as long as
// wanted, past the end of its server too. Loop thread only. Either Send(), or Begin(), any
// number of Write() and End(); calls in another order are a programmer's error. Once open()
// is false every call does nothing, so a stream needs to ask only where it can save work.
//
// Destroyed before an answer began it sends 500; destroyed before End() it cuts the
// connection off, so that the client can tell a broken stream from a whole one.
class Reply {
 public:
  ~Reply();
  Reply(const Reply&) = delete;
  Reply& operator=(const Reply&) = delete;

  // The whole answer at once.
  void Send(const ServerResponse& response);

  // Starts a stream; the head goes out at once. HTTP/1.1 gets a chunked body, HTTP/1.0 one
  // that ends with the connection, HEAD none.
  void Begin(int status, std::string_view content_type,
             const std::vector<std::pair<std::string, std::string>>& headers = {});
  // Goes out at once as far as the socket takes it, as one chunk; the rest is kept. Cuts the
  // client off when more than ListenOptions::max_unsent_bytes of earlier writes still wait.
  void Write(std::string_view bytes);
  void End();

  // Until the answer is complete (Send() or End() was called) or the client is gone.
  [[nodiscard]] bool open() const;
  // What the client has not taken yet; 0 when not open.
  [[nodiscard]] std::size_t unsent_bytes() const;

  // `call` runs once when the client goes away while open() (hangs up, breaks, or was cut off),
  // from the loop, never inside a call of this class. Not after Send() or End(), not when the
  // server itself ends. To be set while open(); a second one replaces the first. Dropped as
  // soon as it can no longer run, so it may own what owns the reply.
  void OnClose(std::move_only_function<void()> call);

 private:
  friend class HttpConversation;
  explicit Reply(HttpConversation& conversation) : conversation_(&conversation) {}

  HttpConversation* conversation_;  // null when the answer is complete or nobody waits for it
  bool begun_ = false;
  std::move_only_function<void()> on_close_;
};

}  // namespace firstword::net
