#include "cli/options_cli11.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>

#include "base/nearest.h"
#include "base/units.h"

namespace firstword::cli {
namespace {

// CLI11 reports faults by exceptions; they end in ReadOptions. This one is ours.
class BadValue : public CLI::ValidationError {
 public:
  BadValue(const std::string& option, firstword::Error why)
      : CLI::ValidationError(option, why.message), error(std::move(why)) {
    error.message.insert(0, option + ": ");
  }
  firstword::Error error;
};

Result<int> ParseCount(const std::string& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) {
    return Fail(ErrorCode::kInvalid, "\"" + text + "\" is not a whole number of at least 0");
  }
  return value;
}

Result<double> ParseNumber(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0 && value <= 1e12)) {
    return Fail(ErrorCode::kInvalid, "\"" + text + "\" is not a number of at least 0");
  }
  return value;
}

class Binder {
 public:
  Binder(CLI::App& app, const Option& option)
      : app_(app), name_(option.name), metavariable_(option.metavariable) {}

  void operator()(bool* target) const { app_.add_flag(name_, *target); }
  void operator()(int* target) const { Bind(target, ParseCount); }
  void operator()(std::optional<double>* target) const { Bind(target, ParseNumber); }
  void operator()(std::size_t* target) const { Bind(target, ParseByteSize); }
  void operator()(std::chrono::milliseconds* target) const { Bind(target, ParseDuration); }
  void operator()(std::optional<std::chrono::milliseconds>* target) const {
    Bind(target, ParseDuration);
  }
  void operator()(std::string* target) const {
    app_.add_option(name_, *target)
        ->type_name(metavariable_)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }
  void operator()(std::vector<std::string>* target) const {
    app_.add_option(name_, *target)->type_name(metavariable_)->allow_extra_args(false);
  }

 private:
  template <typename T, typename Parse>
  void Bind(T* target, Parse parse) const {
    app_.add_option_function<std::string>(name_,
                                          [target, parse, name = name_](const std::string& text) {
                                            auto value = parse(text);
                                            if (!value) throw BadValue(name, value.error());
                                            *target = *value;
                                          })
        ->type_name(metavariable_)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }

  CLI::App& app_;
  std::string name_;
  std::string metavariable_;  // for messages
};

std::vector<std::string_view> LongNames(const Command& command) {
  std::vector<std::string_view> names = {"--help"};
  for (const OptionGroup& group : command.groups) {
    for (const Option& option : group.options) {
      names.push_back(option.name.substr(option.name.find("--")));
    }
  }
  return names;
}

Error UnknownOption(const Command& command, std::string word) {
  word = word.substr(0, word.find('='));
  std::string hint = DidYouMean(word, LongNames(command));
  if (hint.empty()) hint = "see firstword " + std::string(command.name) + " --help";
  return {ErrorCode::kInvalid, "unknown option " + word, std::move(hint)};
}

}  // namespace

Result<void> ReadOptions(const Command& command, std::vector<std::string> arguments) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  for (const OptionGroup& group : command.groups) {
    for (const Option& option : group.options) {
      std::visit(Binder(app, option), option.target);
    }
  }
  if (command.positional != nullptr) app.add_option("arguments", *command.positional);

  try {
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    app.parse(std::move(arguments));
  } catch (const BadValue& bad) {
    return std::unexpected(bad.error);
  } catch (const CLI::ParseError& error) {
    std::string message = error.what();
    return Fail(ErrorCode::kInvalid, std::move(message),
                "see firstword " + std::string(command.name) + " --help");
  }
  const std::vector<std::string> extras = app.remaining();
  if (!extras.empty()) return std::unexpected(UnknownOption(command, extras.front()));
  return {};
}

}  // namespace firstword::cli
