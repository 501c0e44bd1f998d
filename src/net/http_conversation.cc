#include "net/http_conversation.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <charconv>
#include <chrono>

#include "net/client_request.h"
#include "net/http_response_head.h"

namespace firstword::net {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using SteadyClock = std::chrono::steady_clock;
using boost::system::error_code;

namespace {

constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kMaxHeaderBytes = 64u << 10;
// Small, as each of thousands of quiet streams has one waiting; more while a body comes.
constexpr std::size_t kPieceBytes = 1u << 10;
constexpr std::size_t kBodyPieceBytes = 32u << 10;
// What may come during a reply. A client past it is not read from, so that its going away
// shows only when something is written.
constexpr std::size_t kMaxEarlyBytes = 64u << 10;
// How much, and how long, a closing connection may still send.
constexpr std::size_t kMaxDrainBytes = 4u << 20;
constexpr std::chrono::seconds kMaxDrainTime{2};

ServerRequest ToRequest(http::request<http::string_body> message) {
  ServerRequest request;
  request.method = message.method_string();
  request.target = message.target();
  for (const auto& field : message)
    request.headers.emplace_back(field.name_string(), field.value());
  request.body = std::move(message.body());
  return request;
}

}  // namespace

HttpConversation::HttpConversation(EventLoop& loop, std::shared_ptr<const ServerSettings> settings,
                                   std::unique_ptr<Connection> connection)
    : settings_(std::move(settings)),
      connection_(std::move(connection)),
      deadline_(loop),
      wake_(connection_->socket().get_executor()) {}

HttpConversation::~HttpConversation() { const auto dropped = ForgetReply(); }

void HttpConversation::Close() {
  const auto dropped = ForgetReply();
  Break();
}

asio::awaitable<void> HttpConversation::Run() {
  AwaitRequest();
  if (connection_->tls) {
    auto [error] =
        co_await connection_->tls->async_handshake(asio::ssl::stream_base::server, kAwait);
    if (!error) {
      co_await Read(*connection_->tls);
      // Leave() says goodbye itself.
      if (!closed_ && state_ != State::kLeaving) {
        ArmDeadline(kMaxDrainTime);
        co_await connection_->tls->async_shutdown(kAwait);
      }
    }
  } else {
    co_await Read(*connection_->plain);
  }
  Break();
  if (auto call = ForgetReply()) call();
}

void HttpConversation::AwaitRequest() {
  state_ = State::kReading;
  continued_ = false;
  exchange_ = {};
  parser_.emplace();
  parser_->eager(true);
  parser_->header_limit(kMaxHeaderBytes);
  parser_->body_limit(settings_->options.max_request_bytes);
  ArmDeadline(settings_->options.idle_timeout);
}

template <typename Stream>
asio::awaitable<void> HttpConversation::Read(Stream& stream) {
  while (!closed_) {
    if (MustNotRead()) {
      wake_.expires_at(SteadyClock::time_point::max());
      co_await wake_.async_wait(kAwait);
      continue;
    }
    const bool body = parser_ && parser_->is_header_done();
    const std::size_t wanted = body ? kBodyPieceBytes : kPieceBytes;
    if (piece_bytes_ != wanted) piece_ = std::make_unique_for_overwrite<char[]>(wanted);
    piece_bytes_ = wanted;
    auto [error, bytes] =
        co_await stream.async_read_some(asio::buffer(piece_.get(), wanted), kAwait);
    if (closed_) co_return;
    if (bytes > 0) OnBytes(bytes);
    if (!error) continue;
    if (state_ != State::kReplying) co_return;
    OnHangUp();
  }
}

bool HttpConversation::MustNotRead() const {
  return state_ == State::kReplying && (hung_up_ || connection_->buffer.size() >= kMaxEarlyBytes);
}

void HttpConversation::OnBytes(std::size_t bytes) {
  if (state_ == State::kLeaving) {
    drained_bytes_ += bytes;
    if (drained_bytes_ > kMaxDrainBytes) Break();
    return;
  }
  auto& buffer = connection_->buffer;
  buffer.commit(asio::buffer_copy(buffer.prepare(bytes), asio::buffer(piece_.get(), bytes)));
  Process();
}

// A client may end its side and still listen, so a complete answer goes on its way.
void HttpConversation::OnHangUp() {
  if (exchange_.answered) {
    hung_up_ = true;
  } else {
    Break();
  }
}

void HttpConversation::Process() {
  processing_ = true;
  while (state_ == State::kReading && !closed_ && connection_->buffer.size() > 0 && Parse()) {
    Dispatch();
  }
  processing_ = false;
}

// True when the request is whole.
bool HttpConversation::Parse() {
  auto& buffer = connection_->buffer;
  error_code error;
  while (!error && !parser_->is_done() && buffer.size() > 0) {
    buffer.consume(parser_->put(buffer.data(), error));
  }
  if (error && error != http::error::need_more) {
    Refuse(error);
    return false;
  }
  if (parser_->is_done()) return true;
  if (parser_->is_header_done() && !std::exchange(continued_, true)) {
    const auto expected = parser_->get()[http::field::expect];
    if (EqualsIgnoringCase({expected.data(), expected.size()}, "100-continue")) {
      Transmit({"HTTP/1.1 100 Continue\r\n\r\n"});
    }
  }
  return false;
}

void HttpConversation::Refuse(const error_code& error) {
  state_ = State::kReplying;
  parser_.reset();
  if (error == http::error::body_limit) {
    SendError(413, "request too large");
  } else if (error == http::error::header_limit) {
    SendError(431, "request headers too large");
  } else {
    SendError(400, "bad request");
  }
}

void HttpConversation::Dispatch() {
  state_ = State::kReplying;
  const auto& message = parser_->get();
  exchange_ = {.http_1_0 = message.version() < 11,
               .keep_alive = message.keep_alive(),
               .head_only = message.method() == http::verb::head};
  ServerRequest request = ToRequest(parser_->release());
  parser_.reset();
  // A stream may last; a large request must not keep its memory for as long.
  connection_->buffer.shrink_to_fit();
  std::shared_ptr<Reply> reply(new Reply(*this));
  reply_ = reply.get();
  settings_->handler(std::move(request), std::move(reply));
  if (state_ == State::kReplying && outbox_.unsent_bytes() == 0) deadline_.Cancel();
}

void HttpConversation::Send(const ServerResponse& response) {
  reply_ = nullptr;
  exchange_.answered = true;
  const std::string head = Format({.status = response.status,
                                   .content_type = response.content_type,
                                   .headers = response.headers,
                                   .length = response.body.size(),
                                   .http_1_0 = exchange_.http_1_0,
                                   .keep_alive = exchange_.keep_alive});
  const bool body = !exchange_.head_only && MayHaveBody(response.status);
  Transmit({head, body ? std::string_view(response.body) : std::string_view()});
  FinishIfSent();
}

void HttpConversation::SendError(int status, std::string_view reason) {
  if (closed_) {
    reply_ = nullptr;
    return;
  }
  const auto& page = settings_->options.error_page;
  ServerResponse response = page
                                ? page(status, reason)
                                : ServerResponse{.headers = {}, .body = std::string(reason) + "\n"};
  response.status = status;
  Send(response);
}

void HttpConversation::Begin(int status, std::string_view content_type,
                             const std::vector<std::pair<std::string, std::string>>& headers) {
  const bool body = MayHaveBody(status);
  if (body && exchange_.http_1_0) exchange_.keep_alive = false;
  if (!body) exchange_.head_only = true;
  exchange_.chunks = !exchange_.http_1_0;
  Transmit({Format({.status = status,
                    .content_type = content_type,
                    .headers = headers,
                    .body_end = exchange_.chunks ? BodyEnd::kChunks : BodyEnd::kConnection,
                    .http_1_0 = exchange_.http_1_0,
                    .keep_alive = exchange_.keep_alive})});
}

void HttpConversation::Write(std::string_view bytes) {
  // An empty chunk would end the body.
  if (exchange_.head_only || bytes.empty()) return;
  if (outbox_.unsent_bytes() > settings_->options.max_unsent_bytes) return Break();
  if (!exchange_.chunks) return Transmit({bytes});
  char line[2 * sizeof(std::size_t) + 2];
  char* end = std::to_chars(line, line + sizeof(line), bytes.size(), 16).ptr;
  *end++ = '\r';
  *end++ = '\n';
  Transmit({{line, end}, bytes, "\r\n"});
}

void HttpConversation::End() {
  reply_ = nullptr;
  exchange_.answered = true;
  if (exchange_.chunks && !exchange_.head_only) Transmit({"0\r\n\r\n"});
  FinishIfSent();
}

void HttpConversation::CutOff() {
  reply_ = nullptr;
  if (!exchange_.chunks) {
    // Only a reset tells such a client that this was not the end of the body.
    error_code ignored;
    connection_->socket().socket().set_option(asio::socket_base::linger(true, 0), ignored);
  }
  Break();
}

void HttpConversation::Transmit(std::initializer_list<std::string_view> pieces) {
  if (closed_) return;
  const bool writing = outbox_.unsent_bytes() > 0;
  const int fd = connection_->tls ? -1 : connection_->socket().socket().native_handle();
  if (!outbox_.Send(fd, pieces)) return Break();
  if (!writing && outbox_.unsent_bytes() > 0) WriteRest();
}

void HttpConversation::WriteRest() {
  if (state_ == State::kReplying) ArmDeadline(settings_->options.idle_timeout);
  const auto write = [&](auto& stream) {
    stream.async_write_some(asio::buffer(outbox_.Next()),
                            [self = shared_from_this()](error_code error, std::size_t bytes) {
                              self->OnWrote(error, bytes);
                            });
  };
  if (connection_->tls) {
    write(*connection_->tls);
  } else {
    write(*connection_->plain);
  }
}

void HttpConversation::OnWrote(const error_code& error, std::size_t bytes) {
  if (closed_) return;
  if (error) return Break();
  outbox_.Took(bytes);
  if (outbox_.unsent_bytes() > 0) return WriteRest();
  if (state_ != State::kReplying) return;
  deadline_.Cancel();
  FinishIfSent();
}

void HttpConversation::FinishIfSent() {
  if (closed_ || !exchange_.answered || outbox_.unsent_bytes() > 0) return;
  wake_.cancel();
  // What came before it hung up may hold more requests.
  if (std::exchange(hung_up_, false) && connection_->buffer.size() == 0) return Break();
  if (!exchange_.keep_alive) return Leave();
  AwaitRequest();
  if (processing_ || connection_->buffer.size() == 0) return;
  // The next request is here already. Not now: its handler must not run inside End().
  asio::post(wake_.get_executor(), [self = shared_from_this()] { self->Process(); });
}

// Closing while the client still sends would reset the connection, and with it an answer
// that is on its way. So say goodbye and listen for a while.
void HttpConversation::Leave() {
  state_ = State::kLeaving;
  ArmDeadline(kMaxDrainTime);
  const auto shut = [self = shared_from_this()](error_code = {}) {
    error_code ignored;
    self->connection_->socket().socket().shutdown(asio::socket_base::shutdown_send, ignored);
  };
  if (connection_->tls) {
    connection_->tls->async_shutdown(shut);
  } else {
    shut();
  }
}

// Ends the connection now. Never calls anybody: Run() does, once it wakes up.
void HttpConversation::Break() {
  if (closed_) return;
  closed_ = true;
  deadline_.Cancel();
  error_code ignored;
  if (outbox_.unsent_bytes() > 0) {
    // The kernel must not keep for minutes what this client does not read.
    connection_->socket().socket().set_option(asio::socket_base::linger(true, 0), ignored);
  }
  connection_->socket().close();
  wake_.cancel();
}

void HttpConversation::ArmDeadline(std::chrono::nanoseconds delay) {
  deadline_.Arm(SteadyClock::now() + delay, [this] { Break(); });
}

// Gives its OnClose.
std::move_only_function<void()> HttpConversation::ForgetReply() {
  Reply* const reply = std::exchange(reply_, nullptr);
  if (reply == nullptr) return {};
  reply->conversation_ = nullptr;
  return std::exchange(reply->on_close_, nullptr);
}

}  // namespace firstword::net
