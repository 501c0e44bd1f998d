#include "cli/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/text/text.h"

namespace firstword::cli {
namespace {

constexpr std::size_t kWidth = 92;

std::string OptionHead(const Option& option) {
  std::string head(option.name);
  if (!option.metavariable.empty()) head += " " + std::string(option.metavariable);
  return head;
}

std::size_t HeadWidth(const Command& command) {
  std::size_t width = 0;
  for (const OptionGroup& group : command.groups) {
    for (const Option& option : group.options) {
      width = std::max(width, DisplayWidth(OptionHead(option)));
    }
  }
  return width;
}

void AppendOption(std::string& out, const Option& option, std::size_t head_width) {
  std::string help(option.help);
  if (!option.default_text.empty()) help += fmt::format(" (default {})", option.default_text);
  std::string head = OptionHead(option);
  for (const std::string& line : Wrap(help, kWidth - head_width - 4)) {
    out += fmt::format("  {}  {}\n", PadRight(head, head_width), line);
    head.clear();
  }
}

void AppendParagraph(std::string& out, std::string_view text) {
  for (const std::string& line : Wrap(text, kWidth)) out += line + "\n";
}

}  // namespace

std::string ProgramHelp(std::span<const Command> commands) {
  std::string out =
      "firstword tells why users of LLM inference servers wait for the first word.\n\n"
      "usage: firstword COMMAND [OPTIONS] ...\n\ncommands\n";
  std::size_t width = 0;
  for (const Command& command : commands) width = std::max(width, command.name.size());
  for (const Command& command : commands) {
    out += fmt::format("  {}  {}\n", PadRight(command.name, width), command.summary);
  }
  out +=
      "\nfirstword COMMAND --help explains one, with examples. firstword --version says which\n"
      "build this is.\n\nexample\n  firstword watch http://localhost:8000\n";
  return out;
}

std::string CommandHelp(const Command& command) {
  std::string out =
      fmt::format("usage: firstword {} {} [OPTIONS]\n\n", command.name, command.arguments);
  AppendParagraph(out, command.description);
  const std::size_t head_width = HeadWidth(command);
  for (const OptionGroup& group : command.groups) {
    out += fmt::format("\n{}\n", group.title);
    for (const Option& option : group.options) AppendOption(out, option, head_width);
  }
  out += fmt::format("\nexamples\n{}", command.examples);
  return out;
}

}  // namespace firstword::cli
