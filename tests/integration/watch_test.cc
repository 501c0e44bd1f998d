#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/child.h"
#include "support/scripted_server.h"

namespace firstword {
namespace {

using support::Finished;
using support::RunToEnd;
using support::ScriptedServer;
using testing::HasSubstr;

Finished Watch(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {FIRSTWORD_PROGRAM, "watch"});
  return RunToEnd(arguments);
}

// Answers every request with the page of that name under tests/pages.
ScriptedServer::Script Serves(const std::string& name) {
  std::ifstream file(FIRSTWORD_SOURCE_DIR "/tests/pages/" + name);
  std::string body{std::istreambuf_iterator<char>(file), {}};
  EXPECT_FALSE(body.empty()) << name;
  return [body = std::move(body)](const ScriptedServer::Peer& peer, int) {
    while (!peer.ReadRequest().empty()) {
      peer.Send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
                std::to_string(body.size()) + "\r\n\r\n" + body);
    }
  };
}

TEST(WatchTest, ShowsEnginesGpusAndGatewaysOnce) {
  ScriptedServer engine(Serves("triton/trtllm.prom"));
  ScriptedServer gpu(Serves("dcgm/classic.prom"));
  ScriptedServer gateway(Serves("vllm-router/production-stack.prom"));
  const Finished run =
      Watch({engine.Url(), gpu.Url(), gateway.Url(), "--once", "--interval", "100ms"});
  EXPECT_LE(run.exit_code, 2) << run.err;
  EXPECT_THAT(run.out, HasSubstr("Triton"));
  EXPECT_THAT(run.out, HasSubstr("GATEWAY"));
}

TEST(WatchTest, KeepsOthersWhenOneTargetFails) {
  ScriptedServer engine(Serves("nim/one-x.prom"));
  const Finished run =
      Watch({engine.Url(), "http://127.0.0.1:1/metrics", "--once", "--interval", "100ms"});
  EXPECT_LE(run.exit_code, 2) << run.err;
  EXPECT_THAT(run.out, HasSubstr("NIM"));
  EXPECT_THAT(run.out, HasSubstr("connection refused"));
}

TEST(WatchTest, SaysWhenNobodyAnswers) {
  const Finished run = Watch({"http://127.0.0.1:1/metrics", "--once", "--interval", "100ms"});
  EXPECT_EQ(run.exit_code, 3) << run.out;
  EXPECT_THAT(run.out + run.err, HasSubstr("connection refused"));
}

TEST(WatchTest, PrintsOneObjectALine) {
  ScriptedServer engine(Serves("vllm/v1-data-parallel.prom"));
  const Finished run = Watch({engine.Url(), "--count", "2", "--interval", "100ms", "--json"});
  EXPECT_LE(run.exit_code, 2) << run.err;
  EXPECT_EQ(std::count(run.out.begin(), run.out.end(), '\n'), 2) << run.out;
  EXPECT_TRUE(run.out.starts_with('{'));
}

}  // namespace
}  // namespace firstword
