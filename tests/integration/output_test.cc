#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "integration/program.h"
#include "support/child.h"

namespace firstword {
namespace {

using support::Finished;
using support::RunToEnd;
using testing::HasSubstr;

// The program under a shell, for what only a shell can set up.
Finished Shell(const std::string& script) {
  return RunToEnd(
      {"/bin/bash", "-c", script, "bash", FIRSTWORD_PROGRAM, PagePath("nim/one-x.prom")});
}

TEST(OutputTest, AFullDiskIsAFailure) {
  for (const char* flag : {"", " --json"}) {
    const Finished run = Shell(std::string("\"$1\" inspect \"$2\"") + flag + " > /dev/full");
    EXPECT_EQ(run.exit_code, 3) << flag;
    EXPECT_THAT(run.err, HasSubstr("firstword: cannot write the output")) << flag;
  }
}

TEST(OutputTest, AReaderWhoLeavesIsNone) {
  const Finished run = Shell("set -o pipefail; \"$1\" inspect \"$2\" --json | head -c 1");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
}

TEST(OutputTest, ANamedPipeIsReadAsAFileIs) {
  const Finished run = Shell("\"$1\" inspect <(cat \"$2\")");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("NIM"));
}

TEST(OutputTest, WithExitCodeThreeThereIsALineOnStandardError) {
  const Finished run = Watch({"http://127.0.0.1:1/metrics", "--once", "--interval", "0"});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.err, HasSubstr("firstword watch: no target answered"));
}

}  // namespace
}  // namespace firstword
