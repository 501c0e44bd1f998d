#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "integration/faults.h"
#include "integration/program.h"
#include "net/gzip.h"
#include "support/scripted_server.h"

namespace firstword {
namespace {

using support::Finished;
using support::ScriptedServer;
using testing::HasSubstr;

TEST(InspectTest, ReadsAServerAndAFileAlike) {
  const std::string packed = net::Gzip(ReadPage("vllm/v1-data-parallel.prom"));
  ScriptedServer server(
      Says(Answer(packed, "Content-Encoding: gzip\r\nContent-Type: text/plain\r\n")));
  const Finished from_server = Inspect({server.Url(), "--json"});
  const Finished from_file = Inspect({PagePath("vllm/v1-data-parallel.prom"), "--json"});
  EXPECT_EQ(from_server.exit_code, 0) << from_server.err;
  EXPECT_EQ(from_file.exit_code, 0) << from_file.err;
  const auto after_page = [](const std::string& json) {
    return json.substr(json.find("\"engine\""));
  };
  EXPECT_EQ(after_page(from_server.out), after_page(from_file.out));
}

TEST(InspectTest, ScrapesTwiceForRates) {
  ScriptedServer server([](const ScriptedServer::Peer& peer, int connection) {
    for (int i = 0; !peer.ReadRequest().empty(); ++i) {
      peer.Send(
          Answer("# TYPE vllm:generation_tokens_total counter\n"
                 "vllm:generation_tokens_total{engine=\"0\",model_name=\"m\"} " +
                 std::to_string(1000 + 500 * (i + connection)) + "\n"));
    }
  });
  const Finished run = Inspect({server.Url(), "--interval", "200ms", "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\"scrapes\": 2"));
  EXPECT_THAT(run.out, HasSubstr("\"increase\": 500"));
}

TEST(InspectTest, ComparesTwoFiles) {
  const std::string page = PagePath("vllm/v1-data-parallel.prom");
  const Finished run = Inspect({page, page, "--after", "30s", "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\"window_seconds\": 30"));
}

}  // namespace
}  // namespace firstword
