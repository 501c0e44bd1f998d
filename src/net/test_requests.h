#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "net/event_loop.h"
#include "net/http_client.h"
#include "support/scripted_server.h"

// Short forms for the tests of this folder.

namespace firstword::net {

inline HttpRequest RequestFor(std::string_view url) {
  HttpRequest request;
  request.url = ParseUrl(url).value();
  request.timeout = std::chrono::seconds(20);
  return request;
}

// A whole answer with its length.
inline std::string Answer(std::string_view body, std::string_view headers = "") {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         std::string(headers) + "\r\n" + std::string(body);
}

// Reads a request and answers with these bytes.
inline support::ScriptedServer::Script Says(std::string bytes) {
  return [bytes = std::move(bytes)](const support::ScriptedServer::Peer& peer, int) {
    peer.ReadRequest();
    peer.Send(bytes);
  };
}

// Fetches from a server on the same loop.
inline Result<HttpResponse> FetchOn(EventLoop& loop, HttpRequest request) {
  HttpClient client(loop);
  Result<HttpResponse> result = Fail(ErrorCode::kInvalid, "nothing came");
  client.Fetch(std::move(request), [&](Result<HttpResponse> response) {
    result = std::move(response);
    loop.Stop();
  });
  loop.Run();
  return result;
}

// Makes `count` requests one after the other on one client, so that connections are kept.
inline void FetchInTurn(const HttpRequest& request, int count,
                        const std::function<void(const Result<HttpResponse>&)>& each) {
  EventLoop loop;
  HttpClient client(loop);
  int answered = 0;
  std::function<void()> next = [&] {
    client.Fetch(request, [&](const Result<HttpResponse>& response) {
      each(response);
      if (++answered == count) return loop.Stop();
      loop.Post([&] { next(); });
    });
  };
  next();
  loop.Run();
}

}  // namespace firstword::net
