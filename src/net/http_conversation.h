#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/connection.h"
#include "net/http_message.h"
#include "net/http_server.h"
#include "net/outbox.h"
#include "net/timer.h"

namespace firstword::net {

struct ServerSettings {
  ListenOptions options;
  HttpServer::AsyncHandler handler;
};

// One connection of a server, from its acceptance to its end. Private to net.
//
// It always reads, also while a reply is under way: that is how it learns at once that the
// client is gone. What comes early waits in the buffer for its turn.
class HttpConversation : public std::enable_shared_from_this<HttpConversation> {
 public:
  // Shares the settings with the server, which may end first.
  HttpConversation(EventLoop& loop, std::shared_ptr<const ServerSettings> settings,
                   std::unique_ptr<Connection> connection);
  ~HttpConversation();
  HttpConversation(const HttpConversation&) = delete;
  HttpConversation& operator=(const HttpConversation&) = delete;

  // Its whole life. The caller keeps the conversation for as long.
  [[nodiscard]] boost::asio::awaitable<void> Run();
  // At the end of the server: closes the connection and tells nobody.
  void Close();

  // For Reply, which calls them in order while it is open. After Send(), End(), CutOff() and
  // SendError() the reply is no longer known here.
  void Send(const ServerResponse& response);
  void SendError(int status, std::string_view reason);
  void Begin(int status, std::string_view content_type,
             const std::vector<std::pair<std::string, std::string>>& headers);
  void Write(std::string_view bytes);
  void End();
  void CutOff();
  [[nodiscard]] bool closed() const { return closed_; }
  [[nodiscard]] std::size_t unsent_bytes() const { return outbox_.unsent_bytes(); }

 private:
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;

  enum class State { kReading, kReplying, kLeaving };

  // What of the request decides how it is answered.
  struct Exchange {
    bool http_1_0 = false;
    bool keep_alive = false;
    bool head_only = false;
    bool chunks = false;    // of a stream
    bool answered = false;  // completely, though it may wait in the outbox
  };

  // Reading.
  void AwaitRequest();
  template <typename Stream>
  boost::asio::awaitable<void> Read(Stream& stream);
  [[nodiscard]] bool MustNotRead() const;
  void OnBytes(std::size_t bytes);
  void OnHangUp();
  void Process();
  [[nodiscard]] bool Parse();
  void Refuse(const boost::system::error_code& error);
  void Dispatch();

  // Writing.
  void Transmit(std::initializer_list<std::string_view> pieces);
  void WriteRest();
  void OnWrote(const boost::system::error_code& error, std::size_t bytes);

  // The end of a reply, and of the connection.
  void FinishIfSent();
  void Leave();
  void Break();
  void ArmDeadline(std::chrono::nanoseconds delay);
  [[nodiscard]] std::move_only_function<void()> ForgetReply();

  const std::shared_ptr<const ServerSettings> settings_;
  const std::unique_ptr<Connection> connection_;
  State state_ = State::kReading;
  bool closed_ = false;
  bool processing_ = false;  // Process() is on the stack
  bool hung_up_ = false;     // the client, while its answer is still going out
  bool continued_ = false;   // this request's Expect: 100-continue is answered
  std::optional<Parser> parser_;
  Exchange exchange_;
  Reply* reply_ = nullptr;  // while open
  Outbox outbox_;
  std::unique_ptr<char[]> piece_;  // read into; not into the buffer, which may be consumed then
  std::size_t piece_bytes_ = 0;
  std::size_t drained_bytes_ = 0;  // in kLeaving
  Timer deadline_;
  boost::asio::steady_timer wake_;  // waited for when there must be no reading
};

}  // namespace firstword::net
