#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "net/gzip.h"
#include "support/child.h"
#include "support/scripted_server.h"

namespace firstword {
namespace {

using support::Finished;
using support::RunToEnd;
using support::ScriptedServer;
using testing::HasSubstr;
using Peer = ScriptedServer::Peer;

constexpr long kMaxRssKib = 200 * 1024;

Finished Inspect(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {FIRSTWORD_PROGRAM, "inspect"});
  return RunToEnd(arguments);
}

std::string Page(const std::string& name) { return FIRSTWORD_SOURCE_DIR "/tests/pages/" + name; }

std::string Answer(std::string_view body, std::string_view headers = "") {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         std::string(headers) + "\r\n" + std::string(body);
}

ScriptedServer::Script Says(std::string bytes) {
  return [bytes = std::move(bytes)](const Peer& peer, int) {
    peer.ReadRequest();
    peer.Send(bytes);
  };
}

// A failure is one line on stderr, nothing on stdout, exit code 3, and little memory.
void ExpectFailure(const Finished& run, std::string_view message) {
  EXPECT_EQ(run.exit_code, 3) << run.out << run.err;
  EXPECT_THAT(run.err, HasSubstr(message));
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  EXPECT_LT(run.max_rss_kib, kMaxRssKib);
}

void ExpectServerFailure(ScriptedServer::Script script, std::string_view message,
                         std::vector<std::string> flags = {}) {
  ScriptedServer server(std::move(script));
  flags.push_back(server.Url());
  ExpectFailure(Inspect(flags), message);
}

TEST(InspectTest, NamesWhatIsNoMetricsPage) {
  ExpectServerFailure(Says(Answer("")), "the page is empty");
  ExpectServerFailure(Says(Answer("<html><head><title>Sign in</title></head></html>")),
                      "this is an HTML page, not metrics: \"Sign in\"");
  ExpectServerFailure(Says(Answer(std::string("\x7f\x45\x4c\x46\x00\x01\x02\x03\x04", 9))),
                      "this is binary data");
  ExpectServerFailure(Says(Answer("[{\"iter\":1}]")), "/prometheus/metrics");
}

TEST(InspectTest, NamesWhatTheServerDoesWrong) {
  ExpectServerFailure(Says("HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\na 1\n"),
                      "the connection ended after 4 of 999 bytes");
  ExpectServerFailure(Says("HTTP/1.1 302 Found\r\nLocation: /metrics\r\nContent-Length: "
                           "0\r\nConnection: close\r\n\r\n"),
                      "more than 5 redirects");
  ExpectServerFailure(Says("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"),
                      "it asks for credentials (give --bearer-token or --user)");
  ExpectServerFailure(Says("HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n"), "the server failed");
  // A bomb of 16 MiB against a limit of 1: what counts is that it ends at the limit.
  ExpectServerFailure(
      Says(Answer(net::Gzip(std::string(16 << 20, 'x')), "Content-Encoding: gzip\r\n")),
      "the answer is larger than 1048576 bytes", {"--max-body", "1MiB"});
  ExpectServerFailure(
      [](const Peer& peer, int) {
        peer.ReadRequest();
        peer.Send("HTTP/1.1 200 OK\r\n\r\n");
        const std::string piece(1 << 16, 'x');
        while (peer.Send(piece)) {
        }
      },
      "the answer is larger than");
  ExpectServerFailure(
      [](const Peer& peer, int) {
        peer.ReadRequest();
        peer.Send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\na");
        peer.WaitForHangup();
      },
      "the answer was not complete within 300 ms: 1 bytes had come", {"--timeout", "300ms"});
}

TEST(InspectTest, NamesAnAddressWhereNobodyListens) {
  std::uint16_t port = 0;
  {
    port = ScriptedServer([](const Peer&, int) {}).port();
  }
  ExpectFailure(Inspect({"http://127.0.0.1:" + std::to_string(port)}),
                "connection refused (is the server running, and is this its port?)");
  ExpectFailure(Inspect({"https://127.0.0.1:" + std::to_string(port)}), "connection refused");
  ExpectFailure(Inspect({"unix:///nowhere.sock:/metrics"}), "no such socket");
}

TEST(InspectTest, NamesATlsServerThatIsNone) {
  ScriptedServer server([](const Peer& peer, int) {
    peer.Send(Answer("a 1\n"));
    peer.WaitForHangup();
  });
  ExpectFailure(Inspect({"https://127.0.0.1:" + std::to_string(server.port())}),
                "the server does not speak TLS");
}

TEST(InspectTest, NamesAMisuse) {
  ExpectFailure(Inspect({"/nowhere/page.prom"}), "/nowhere/page.prom");
  ExpectFailure(Inspect({"ftp://host/metrics"}), "ftp");
  EXPECT_EQ(Inspect({}).exit_code, 3);
  EXPECT_EQ(Inspect({"--no-such-flag", "x"}).exit_code, 3);
  EXPECT_EQ(RunToEnd({FIRSTWORD_PROGRAM, "inspct"}).exit_code, 3);
}

TEST(InspectTest, ReadsAHugePageInBoundedMemory) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("firstword_huge_" + std::to_string(::getpid())))
          .string();
  {
    std::ofstream file(path);
    const std::string remark = "# " + std::string(1022, 'x') + "\n";
    for (int i = 0; i < 100 * 1024; ++i) file << remark;
    file << "up 1\n";
  }
  const Finished run = Inspect({path});
  std::filesystem::remove(path);
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.err, HasSubstr("64"));
  EXPECT_LT(run.max_rss_kib, kMaxRssKib);
}

TEST(InspectTest, ReadsAServerAFileAndStandardInputAlike) {
  std::ifstream file(Page("vllm/v1-data-parallel.prom"));
  const std::string body{std::istreambuf_iterator<char>(file), {}};
  ASSERT_FALSE(body.empty());
  ScriptedServer server(
      Says(Answer(net::Gzip(body), "Content-Encoding: gzip\r\nContent-Type: text/plain\r\n")));
  const Finished from_server = Inspect({server.Url(), "--json"});
  const Finished from_file = Inspect({Page("vllm/v1-data-parallel.prom"), "--json"});
  EXPECT_EQ(from_server.exit_code, 0) << from_server.err;
  EXPECT_EQ(from_file.exit_code, 0) << from_file.err;
  const auto after_page = [](const std::string& json) {
    return json.substr(json.find("\"engine\""));
  };
  EXPECT_EQ(after_page(from_server.out), after_page(from_file.out));
}

TEST(InspectTest, ScrapesTwiceForRates) {
  ScriptedServer server([](const Peer& peer, int connection) {
    for (int i = 0;; ++i) {
      if (peer.ReadRequest().empty()) return;
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
  const Finished run = Inspect({Page("vllm/v1-data-parallel.prom"),
                                Page("vllm/v1-data-parallel.prom"), "--after", "30s", "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\"window_seconds\": 30"));
}

}  // namespace
}  // namespace firstword
