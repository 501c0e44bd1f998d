#include "integration/program.h"

#include <fstream>
#include <iterator>
#include <utility>

#include "base/check.h"

namespace firstword {
namespace {

support::Finished Run(const char* command, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {FIRSTWORD_PROGRAM, command});
  return support::RunToEnd(arguments);
}

}  // namespace

support::Finished Inspect(std::vector<std::string> arguments) {
  return Run("inspect", std::move(arguments));
}

support::Finished Watch(std::vector<std::string> arguments) {
  return Run("watch", std::move(arguments));
}

std::string PagePath(const std::string& name) {
  return FIRSTWORD_SOURCE_DIR "/tests/pages/" + name;
}

std::string ReadPage(const std::string& name) {
  std::ifstream file(PagePath(name), std::ios::binary);
  CHECK(file.good());
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace firstword
