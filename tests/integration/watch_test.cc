#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "integration/faults.h"
#include "integration/program.h"
#include "support/scripted_server.h"
#include "support/terminal.h"

namespace firstword {
namespace {

using support::Finished;
using support::ScriptedServer;
using support::Terminal;
using testing::HasSubstr;

ScriptedServer::Script Serves(const std::string& page) {
  return Says(Answer(ReadPage(page), "Content-Type: text/plain\r\n"));
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

TEST(WatchTest, SaysByItsExitCodeWhetherUsersWait) {
  ScriptedServer loaded(Serves("vllm/v1-loaded.prom"));
  EXPECT_EQ(Watch({loaded.Url(), "--once", "--interval", "0"}).exit_code, 1);
  ScriptedServer calm(Serves("vllm/v1-speculative-lora.prom"));
  EXPECT_EQ(Watch({calm.Url(), "--once", "--interval", "0"}).exit_code, 0);
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

TEST(WatchTest, DrawsOnATerminalAndEndsWithQ) {
  ScriptedServer engine(Serves("vllm/v1-data-parallel.prom"));
  Terminal terminal({FIRSTWORD_PROGRAM, "watch", "--interval", "100ms", engine.Url()}, 120, 30);
  EXPECT_TRUE(terminal.Shows("REPLICA")) << terminal.drawn();
  EXPECT_TRUE(terminal.Shows("vLLM")) << terminal.drawn();
  terminal.Type("?");
  EXPECT_TRUE(terminal.Shows("PgUp")) << terminal.drawn();
  terminal.Type(" ");
  EXPECT_TRUE(terminal.Shows("REPLICA")) << terminal.drawn();
  terminal.Type("q");
  EXPECT_EQ(terminal.ExitCode(), 0);
  // The screen that was there before is back.
  EXPECT_THAT(terminal.drawn(), HasSubstr("\x1b[?1049l"));
}

TEST(WatchTest, EndsOnATerminalWithCtrlC) {
  Terminal terminal({FIRSTWORD_PROGRAM, "watch", "http://127.0.0.1:1"}, 80, 24);
  EXPECT_TRUE(terminal.Shows("down")) << terminal.drawn();
  terminal.Type("\x03");
  EXPECT_EQ(terminal.ExitCode(), 0);
  EXPECT_THAT(terminal.drawn(), HasSubstr("\x1b[?1049l"));
}

}  // namespace
}  // namespace firstword
