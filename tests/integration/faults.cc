#include "integration/faults.h"

#include <chrono>
#include <utility>

#include "net/gzip.h"

namespace firstword {

using support::ScriptedServer;
using Peer = ScriptedServer::Peer;

std::string Answer(std::string_view body, std::string_view headers) {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         std::string(headers) + "\r\n" + std::string(body);
}

ScriptedServer::Script Says(std::string bytes) {
  return [bytes = std::move(bytes)](const Peer& peer, int) {
    while (!peer.ReadRequest().empty() && peer.Send(bytes)) {
    }
  };
}

namespace {

// Sends once and ends the connection.
ScriptedServer::Script SaysAndEnds(std::string bytes) {
  return [bytes = std::move(bytes)](const Peer& peer, int) {
    peer.ReadRequest();
    peer.Send(bytes);
  };
}

// Sends `head`, then `piece` for as long as the client listens.
ScriptedServer::Script Endless(std::string head, std::string piece,
                               std::chrono::milliseconds pace) {
  return [=](const Peer& peer, int) {
    peer.ReadRequest();
    bool listens = peer.Send(head);
    while (listens) listens = peer.Send(piece) && !(pace.count() > 0 && peer.WaitForHangup(pace));
  };
}

ScriptedServer::Script Falls(std::string status) {
  return Says("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n");
}

}  // namespace

std::vector<Fault> Faults() {
  using std::chrono::milliseconds;
  const std::string ok = "HTTP/1.1 200 OK\r\n\r\n";
  const std::string bomb = net::Gzip(std::string(64 << 20, 'x'));
  return {
      {"empty", Says(Answer("")), "the page is empty"},
      {"html", Says(Answer("<html><head><title>Sign in</title></head></html>")),
       "this is an HTML page, not metrics"},
      {"binary", Says(Answer(std::string("\x7f\x45\x4c\x46\x00\x01\x02\x03\x04", 9))),
       "this is binary data"},
      {"json", Says(Answer("[{\"iter\":1}]")), "/prometheus/metrics"},
      {"truncated", SaysAndEnds("HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\na 1\n"),
       "the connection ended after 4 of 999 bytes"},
      {"no answer", [](const Peer& peer, int) { peer.ReadRequest(); },
       "the server closed the connection without an answer"},
      {"no http", SaysAndEnds("SSH-2.0-OpenSSH_9.2\r\n"), "the answer is not HTTP"},
      {"redirect loop",
       Says("HTTP/1.1 302 Found\r\nLocation: /metrics\r\nContent-Length: 0\r\n\r\n"),
       "give the final address"},
      {"401", Falls("401 Unauthorized"), "it asks for credentials (give --bearer-token or --user)"},
      {"403", Falls("403 Forbidden"), "403"},
      {"404", Falls("404 Not Found"), "404"},
      {"500", Falls("500 Oh"), "the server failed"},
      {"huge",
       Endless("HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n", std::string(1 << 16, 'x'),
               milliseconds(0)),
       "the answer is larger than 1048576 bytes"},
      {"endless", Endless(ok, std::string(1 << 16, 'x'), milliseconds(0)),
       "the answer is larger than 1048576 bytes"},
      // What counts is that unpacking ends at the limit.
      {"gzip bomb", Says(Answer(bomb, "Content-Encoding: gzip\r\n")),
       "the answer is larger than 1048576 bytes"},
      {"slow page", Endless(ok, "#", milliseconds(20)), "the answer was not complete within 1 s"},
      {"slow head", Endless("HTTP/1.1 200 OK\r\nX: ", "x", milliseconds(20)), "within 1 s"},
      {"silent", [](const Peer& peer, int) { peer.WaitForHangup(); }, "within 1 s"},
  };
}

}  // namespace firstword
