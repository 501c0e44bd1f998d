#include "cli/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cli/golden.h"
#include "cli/options/read_file.h"

namespace firstword::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Outcome {
  ExitCode code;
  std::string out;
  std::string err;
};

Outcome RunWith(std::vector<std::string> arguments, const std::string& input = {}) {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  Console console{.in = in, .out = out, .err = err};
  std::vector<Command> commands = AllCommands();
  const ExitCode code = RunProgram(commands, std::move(arguments), console);
  return {code, out.str(), err.str()};
}

Outcome Inspect(std::vector<std::string> arguments, const std::string& input = {}) {
  arguments.insert(arguments.begin(), {"inspect", "--dialects", TestFile("dialects")});
  return RunWith(std::move(arguments), input);
}

TEST(ProgramTest, Helps) {
  const Outcome program = RunWith({"--help"});
  EXPECT_EQ(program.code, ExitCode::kGood);
  ExpectGolden("help.txt", program.out);
  ExpectGolden("help_inspect.txt", RunWith({"inspect", "--help"}).out);
  ExpectGolden("help_watch.txt", RunWith({"watch", "-h"}).out);
  EXPECT_THAT(RunWith({"--version"}).out, StartsWith("firstword 0."));
  EXPECT_EQ(RunWith({}).code, ExitCode::kUsageOrIo);
}

TEST(ProgramTest, NamesWhatIsWrongOnTheCommandLine) {
  auto f = [](std::vector<std::string> arguments, std::string_view want) {
    const Outcome outcome = RunWith(std::move(arguments));
    EXPECT_EQ(outcome.code, ExitCode::kUsageOrIo);
    EXPECT_EQ(outcome.err, std::string(want) + "\n");
    EXPECT_EQ(outcome.out, "");
  };
  f({"\x1b[31mx"}, "firstword: unknown command \"?[31mx\" (see firstword --help)");
  f({"inspect", "\x1b[31mx"},
    "firstword inspect: ?[31mx: No such file or directory (give a file, - for stdin, or a URL "
    "such as http://localhost:8000)");
  f({"inspect", ""},
    "firstword inspect: the page's name is empty (give a file, - for stdin, or a URL such as "
    "http://localhost:8000)");
  f({"watch", TestFile("help.txt")},
    "firstword watch: " + TestFile("help.txt") +
        ": is a file, and watch needs a server (firstword inspect reads files)");
  f({"watch", "--interval", "0.0000001s", "h:1"},
    "firstword watch: --interval: \"0.0000001s\" is less than 1ms");
  f({"inspekt"}, "firstword: unknown command \"inspekt\" (did you mean \"inspect\"?)");
  f({"zzzzzzzz"}, "firstword: unknown command \"zzzzzzzz\" (see firstword --help)");
  f({"watch", "--intervall", "2s", "h:1"},
    "firstword watch: unknown option --intervall (did you mean \"--interval\"?)");
  f({"watch", "--qqqqqqqq=3", "h:1"},
    "firstword watch: unknown option --qqqqqqqq (see firstword watch --help)");
  f({"watch", "--interval", "soon", "h:1"},
    "firstword watch: --interval: \"soon\" is not a duration (write 500ms, 2s or 1m30s)");
  f({"watch", "h:1", "--interval"},
    "firstword watch: --interval: 1 required DURATION missing (see firstword watch --help)");
  f({"watch", "--max-body", "big", "h:1"},
    "firstword watch: --max-body: \"big\" is not a size (write 64MiB, 10MB or a number of bytes)");
  f({"watch", "--count", "-3", "h:1"},
    "firstword watch: --count: \"-3\" is not a whole number of at least 0");
  f({"watch"},
    "firstword watch: no URL given (for example: firstword watch http://localhost:8000)");
  f({"watch", "h:1", "http://h:1/metrics"}, "firstword watch: h:1/metrics is given twice");
  f({"watch", "--interval", "0", "h:1"},
    "firstword watch: --interval 0 means a single scrape (add --once)");
  f({"watch", "--interval", "1ms", "h:1"}, "firstword watch: --interval must be at least 100ms");
  f({"watch", "--once", "--count", "2", "h:1"},
    "firstword watch: --once and --count exclude each other");
  f({"watch", "--user", "me", "h:1"},
    "firstword watch: --user has no password (write --user NAME:PASSWORD)");
  f({"watch", "--user", "me:x", "--bearer-token", "t", "h:1"},
    "firstword watch: --user and a bearer token exclude each other");
  f({"watch", "--header", "nonsense", "h:1"},
    "firstword watch: --header: \"nonsense\" has no name (write --header 'Name: value')");
  f({"watch", "--cert", "c.pem", "h:1"},
    "firstword watch: --cert and --key belong together (give both or neither)");
  f({"watch", "--timeout", "0", "h:1"}, "firstword watch: --timeout must be above zero");
  f({"watch", "--bearer-token-file", "/nonexistent/token", "h:1"},
    "firstword watch: --bearer-token-file: /nonexistent/token: No such file or directory");
  f({"inspect"}, "firstword inspect: no page given (give a URL, a file, or - for stdin)");
  f({"inspect", "a", "b", "c"},
    "firstword inspect: more than two pages given (several targets at once: firstword watch "
    "URL...)");
  f({"inspect", "a", "b"},
    "firstword inspect: two pages need the time between them (add --after SECONDS)");
  f({"inspect", "a", "--after", "5"}, "firstword inspect: --after goes with two pages");
  f({"inspect", "a", "b", "--after", "0"},
    "firstword inspect: the time between two pages must be above zero");
  f({"inspect", "a", "--interval", "5s"},
    "firstword inspect: --interval needs a URL to scrape twice");
  f({"inspect", "/nonexistent/page"},
    "firstword inspect: /nonexistent/page: No such file or directory (give a file, - for stdin, "
    "or a URL such as http://localhost:8000)");
  f({"inspect", "/tmp"}, "firstword inspect: /tmp: is a directory, not a file");
  f({"inspect", TestFile("toy_before.prom"), "--max-body", "100"},
    "firstword inspect: " + TestFile("toy_before.prom") +
        ": larger than 100 B (--max-body raises the limit)");
}

// An option that is not in the docs does not exist.
TEST(ProgramTest, DocsListEveryOption) {
  for (const Command& command : AllCommands()) {
    const std::string path =
        std::string(FIRSTWORD_SOURCE_DIR) + "/docs/" + std::string(command.name) + ".md";
    const Result<std::string> page = ReadFile(path, 1 << 20);
    ASSERT_TRUE(page) << page.error().ToString();
    for (const OptionGroup& group : command.groups) {
      for (const Option& option : group.options) {
        std::string written = "`" + std::string(option.name);
        written += option.metavariable.empty() ? "`" : " " + std::string(option.metavariable) + "`";
        EXPECT_THAT(*page, HasSubstr(written)) << path;
      }
    }
  }
}

TEST(InspectCommandTest, ReadsAPage) {
  const Outcome outcome = Inspect({TestFile("toy_before.prom")});
  EXPECT_EQ(outcome.code, ExitCode::kGood) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Toy Engine 1.2 or later, clockwork build"));
  EXPECT_THAT(outcome.out, HasSubstr("toy_before.prom"));
}

TEST(InspectCommandTest, ReadsStdin) {
  const Outcome outcome =
      Inspect({"-", "--json"}, "# TYPE toy_requests_running gauge\ntoy_requests_running 3\n");
  EXPECT_EQ(outcome.code, ExitCode::kGood) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\"page\": \"stdin\""));
  EXPECT_THAT(outcome.out, HasSubstr("\"engine\": \"toy\""));
}

TEST(InspectCommandTest, TellsOfUnknownPages) {
  const Outcome outcome = Inspect({TestFile("unknown.prom"), "--check"});
  EXPECT_EQ(outcome.code, ExitCode::kCannotTell);
  EXPECT_THAT(outcome.out, HasSubstr("Seen: shop_, till_ ..."));
  EXPECT_THAT(outcome.out, HasSubstr("--dialects DIR"));
  EXPECT_EQ(Inspect({TestFile("unknown.prom")}).code, ExitCode::kGood);
}

TEST(InspectCommandTest, StrictListsFaults) {
  const Outcome outcome = Inspect({TestFile("faulty.prom"), "--strict"});
  EXPECT_EQ(outcome.code, ExitCode::kFinding);
  EXPECT_THAT(outcome.out, HasSubstr(TestFile("faulty.prom") + ":3:"));
  EXPECT_THAT(outcome.out, HasSubstr("faulty.prom:4:"));
}

TEST(InspectCommandTest, RefusesWhatIsNoPage) {
  const Outcome outcome = Inspect({"-"}, "<html><body>Not Found</body></html>");
  EXPECT_EQ(outcome.code, ExitCode::kUsageOrIo);
  EXPECT_THAT(outcome.err, StartsWith("firstword inspect: stdin: "));
  EXPECT_EQ(outcome.out, "");
}

}  // namespace
}  // namespace firstword::cli
