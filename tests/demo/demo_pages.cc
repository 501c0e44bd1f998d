// Serves self-made /metrics pages of several engines on loopback until a signal ends
// it. Prints one URL a line, then an empty one.

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine_model.h"
#include "engine_pages.h"
#include "net/http_server.h"

namespace firstword::demo {
namespace {

using Clock = std::chrono::steady_clock;

int Run() {
  EngineModel healthy = VllmEngine();
  healthy.service_seconds = 4;
  EngineModel drowning = VllmEngine();
  drowning.arrivals_per_second = 2;
  drowning.kv_per_request = 1.0 / 28;
  EngineModel sglang = SglangEngine();
  sglang.arrivals_per_second = 1.5;
  EngineModel triton = VllmEngine();
  triton.arrivals_per_second = 1;
  // Twenty minutes have passed already, but the drowning one has drowned for one only.
  const Clock::time_point start = Clock::now();
  const auto seconds = [start] {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };

  const std::vector<std::function<std::string()>> pages = {
      [&] {
        healthy.AdvanceTo(1200 + seconds());
        return VllmPage(healthy, "qwen3-32b");
      },
      [&] {
        drowning.AdvanceTo(60 + seconds());
        return VllmPage(drowning, "llama-70b");
      },
      [&] {
        sglang.AdvanceTo(1200 + seconds());
        return SglangPage(sglang, "deepseek-v3");
      },
      [&] {
        triton.AdvanceTo(1200 + seconds());
        return TritonPage(triton);
      },
      [&] {
        drowning.AdvanceTo(60 + seconds());
        return GpuPage(drowning);
      },
  };
  net::EventLoop loop;
  std::vector<std::unique_ptr<net::HttpServer>> servers;
  for (const auto& page : pages) {
    auto server = net::HttpServer::Listen(loop, {}, [&page](const net::ServerRequest& request) {
      if (!request.target.starts_with("/metrics"))
        return net::ServerResponse{.status = 404, .body = "see /metrics\n"};
      return net::ServerResponse{.content_type = "text/plain; version=0.0.4; charset=utf-8",
                                 .body = page()};
    });
    if (!server) {
      fmt::print(stderr, "demo_pages: {}\n", server.error().ToString());
      return 3;
    }
    fmt::print("http://127.0.0.1:{}/metrics\n", (*server)->port());
    servers.push_back(*std::move(server));
  }
  fmt::print("\n");
  std::fflush(stdout);
  loop.Run();
  return 0;
}

}  // namespace
}  // namespace firstword::demo

int main() { return firstword::demo::Run(); }
