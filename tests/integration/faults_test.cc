#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "integration/faults.h"
#include "integration/program.h"
#include "net/http_server.h"
#include "support/certificate.h"

namespace firstword {
namespace {

using support::Finished;
using support::ScriptedServer;
using testing::HasSubstr;
using Peer = ScriptedServer::Peer;

constexpr long kMaxRssKib = 200 * 1024;

// A failure is one line on stderr, nothing on stdout, exit code 3, and little memory. That it
// comes in time is RunToEnd's business.
void ExpectFailure(const Finished& run, std::string_view message) {
  EXPECT_EQ(run.exit_code, 3) << run.out << run.err;
  EXPECT_THAT(run.err, HasSubstr(message));
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  EXPECT_LT(run.max_rss_kib, kMaxRssKib);
}

// What the JSON of watch says is wrong with a target.
std::string ErrorOf(const ScriptedServer& server, const std::string& json) {
  const std::string name = "\"name\":\"127.0.0.1:" + std::to_string(server.port()) + "\"";
  const std::size_t row = json.find(name);
  const std::size_t begin = json.find("\"error\":\"", row);
  if (row == std::string::npos || begin == std::string::npos) return {};
  return json.substr(begin, json.find("\",\"", begin) - begin);
}

TEST(FaultsTest, InspectNamesEach) {
  for (Fault& fault : Faults()) {
    SCOPED_TRACE(fault.name);
    ScriptedServer server(std::move(fault.script));
    std::vector<std::string> arguments = kFaultFlags;
    arguments.push_back(server.Url());
    ExpectFailure(Inspect(arguments), fault.message);
  }
}

// All at once beside a sound engine: each is named, and the engine is there as if alone.
TEST(FaultsTest, WatchNamesEachAndLosesNothingElse) {
  std::vector<std::string> arguments = kFaultFlags;
  arguments.insert(arguments.end(), {"--once", "--interval", "100ms", "--json"});
  ScriptedServer sound(Says(Answer(ReadPage("nim/one-x.prom"), "Content-Type: text/plain\r\n")));
  arguments.push_back(sound.Url());
  const std::vector<Fault> faults = Faults();
  std::vector<std::unique_ptr<ScriptedServer>> servers;
  for (const Fault& fault : faults) {
    servers.push_back(std::make_unique<ScriptedServer>(fault.script));
    arguments.push_back(servers.back()->Url());
  }

  const Finished run = Watch(arguments);
  EXPECT_LE(run.exit_code, 2) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_LT(run.max_rss_kib, kMaxRssKib);
  EXPECT_THAT(run.out, HasSubstr("\"answering\":1,"));
  EXPECT_THAT(run.out, HasSubstr("\"engine\":\"nim\""));
  for (std::size_t i = 0; i < faults.size(); ++i) {
    EXPECT_THAT(ErrorOf(*servers[i], run.out), HasSubstr(faults[i].message)) << faults[i].name;
  }
}

TEST(FaultsTest, InspectNamesAnAddressWhereNobodyListens) {
  std::uint16_t port = 0;
  {
    port = ScriptedServer([](const Peer&, int) {}).port();
  }
  const std::string address = "127.0.0.1:" + std::to_string(port);
  ExpectFailure(Inspect({"http://" + address}),
                "connection refused (is the server running, and is this its port?)");
  ExpectFailure(Inspect({"https://" + address}), "connection refused");
  ExpectFailure(Inspect({"unix:///nowhere.sock:/metrics"}), "no such socket");
  ExpectFailure(Inspect({"http://nowhere.invalid/metrics"}), "nowhere.invalid");
}

TEST(FaultsTest, InspectNamesATlsServerThatIsNone) {
  ScriptedServer server([](const Peer& peer, int) {
    peer.Send(Answer("a 1\n"));
    peer.WaitForHangup();
  });
  ExpectFailure(Inspect({"https://127.0.0.1:" + std::to_string(server.port())}),
                "the server does not speak TLS");
}

TEST(FaultsTest, InspectTrustsNoStrangersCertificate) {
  const support::Certificate certificate("127.0.0.1");
  net::EventLoop loop;
  auto server = net::HttpServer::Listen(
      loop, {.tls_cert_file = certificate.cert_file(), .tls_key_file = certificate.key_file()},
      [page = ReadPage("nim/one-x.prom")](const net::ServerRequest&) {
        return net::ServerResponse{.content_type = "text/plain", .headers = {}, .body = page};
      });
  ASSERT_TRUE(server) << server.error().message;
  std::jthread serving([&loop] { loop.Run(); });
  const std::string url = "https://127.0.0.1:" + std::to_string((*server)->port());

  ExpectFailure(Inspect({url}), "give its authority with --ca-file, or --insecure");
  EXPECT_EQ(Inspect({url, "--insecure"}).exit_code, 0);
  EXPECT_EQ(Inspect({url, "--ca-file", certificate.cert_file()}).exit_code, 0);
  loop.Stop();
}

TEST(FaultsTest, InspectReadsNoHugeFile) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / ("huge_" + std::to_string(::getpid()));
  std::ofstream(path) << "up 1\n";
  std::filesystem::resize_file(path, 100 << 20);
  ExpectFailure(Inspect({path.string()}), "larger than 64 MiB (--max-body raises the limit)");
  std::filesystem::remove(path);
}

TEST(FaultsTest, InspectNamesAMisuse) {
  ExpectFailure(Inspect({"/nowhere/page.prom"}), "/nowhere/page.prom");
  ExpectFailure(Inspect({"ftp://host/metrics"}), "ftp");
  EXPECT_EQ(Inspect({}).exit_code, 3);
  EXPECT_EQ(Inspect({"--no-such-flag", "x"}).exit_code, 3);
  EXPECT_EQ(support::RunToEnd({FIRSTWORD_PROGRAM, "inspct"}).exit_code, 3);
}

}  // namespace
}  // namespace firstword
