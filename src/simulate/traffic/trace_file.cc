#include "simulate/traffic/trace_file.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>

namespace firstword::simulate {
namespace {

constexpr std::uint32_t kMostTokens = 16'000'000;
constexpr std::size_t kMostBlocks = 65'536;

class TraceReader {
 public:
  TraceReader(std::string_view text, const std::string& file_name)
      : text_(text), file_name_(file_name) {}

  Result<std::vector<TraceRow>> Read() {
    std::optional<std::string_view> first = NextLine();
    if (!first) return Fail(ErrorCode::kParse, fmt::format("{}: the trace is empty", file_name_));
    const Result<void> read = first->starts_with('{') ? ReadJsonLines(*first) : ReadCsv(*first);
    if (!read) return std::unexpected(read.error());
    if (rows_.empty()) {
      return Fail(ErrorCode::kParse, fmt::format("{}: no row with output tokens", file_name_));
    }
    // Some published traces are not in order.
    std::ranges::sort(rows_, {}, &TraceRow::at_s);
    const double start = rows_.front().at_s;
    for (TraceRow& row : rows_) row.at_s -= start;
    return std::move(rows_);
  }

 private:
  // The next line that is not empty.
  std::optional<std::string_view> NextLine() {
    while (!text_.empty()) {
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      std::string_view line = text_.substr(0, end);
      text_.remove_prefix(std::min(end + 1, text_.size()));
      ++line_;
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (!line.empty()) return line;
    }
    return std::nullopt;
  }

  std::unexpected<Error> Bad(std::string_view what, std::string hint = {}) const {
    return Fail(ErrorCode::kParse, fmt::format("{}:{}: {}", file_name_, line_, what),
                std::move(hint));
  }

  Result<void> ReadJsonLines(std::string_view first) {
    simdjson::dom::parser parser;
    for (std::optional<std::string_view> line = first; line; line = NextLine()) {
      simdjson::dom::object object;
      if (const auto error = parser.parse(line->data(), line->size()).get(object)) {
        return Bad(fmt::format("not a JSON object: {}", simdjson::error_message(error)));
      }
      TraceRow row;
      double timestamp_ms = 0;
      if (Number(object, {"timestamp", "created_time"}, timestamp_ms))
        row.at_s = timestamp_ms / 1e3;
      double input = -1;
      double output = -1;
      Number(object, {"input_length", "input_tokens"}, input);
      Number(object, {"output_length", "output_tokens"}, output);
      if (input < 0 || output < 0) {
        return Bad(
            "no input_length or no output_length",
            "a row is {\"timestamp\": ms, \"input_length\": tokens, \"output_length\": tokens}");
      }
      if (!Fits(input) || !Fits(output)) return Bad("a length is too large");
      row.prompt_tokens = static_cast<std::uint32_t>(input);
      row.output_tokens = static_cast<std::uint32_t>(output);
      simdjson::dom::array ids;
      if (object["hash_ids"].get(ids) == simdjson::SUCCESS) {
        for (const simdjson::dom::element id : ids) {
          std::uint64_t value = 0;
          if (id.get(value) != simdjson::SUCCESS)
            return Bad("hash_ids holds something else than ids");
          if (row.hash_ids.size() == kMostBlocks) return Bad("more than 65536 hash_ids");
          row.hash_ids.push_back(value);
        }
      }
      rows_.push_back(std::move(row));
    }
    return {};
  }

  static bool Fits(double tokens) { return tokens <= kMostTokens; }

  static bool Number(const simdjson::dom::object& object,
                     std::initializer_list<std::string_view> names, double& value) {
    for (const std::string_view name : names) {
      if (object[name].get(value) == simdjson::SUCCESS) return true;
    }
    return false;
  }

  static std::vector<std::string_view> Cells(std::string_view line) {
    std::vector<std::string_view> cells;
    for (std::size_t begin = 0; begin <= line.size();) {
      const std::size_t end = std::min(line.find(',', begin), line.size());
      cells.push_back(line.substr(begin, end - begin));
      begin = end + 1;
    }
    return cells;
  }

  static std::size_t Column(const std::vector<std::string_view>& head, std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(head, name) - head.begin());
  }

  Result<void> ReadCsv(std::string_view first) {
    if (first.starts_with("\xef\xbb\xbf")) first.remove_prefix(3);
    const std::vector<std::string_view> head = Cells(first);
    const bool burst = Column(head, "Request tokens") < head.size();
    const std::size_t time = Column(head, burst ? "Timestamp" : "TIMESTAMP");
    const std::size_t input = Column(head, burst ? "Request tokens" : "ContextTokens");
    const std::size_t output = Column(head, burst ? "Response tokens" : "GeneratedTokens");
    if (std::max({time, input, output}) >= head.size()) {
      return Bad("this is no trace that is known here",
                 "JSON lines as Mooncake's, or CSV with TIMESTAMP,ContextTokens,GeneratedTokens "
                 "(Azure) or Timestamp,Request tokens,Response tokens (BurstGPT)");
    }
    while (const std::optional<std::string_view> line = NextLine()) {
      const std::vector<std::string_view> cells = Cells(*line);
      if (cells.size() <= std::max({time, input, output})) return Bad("too few columns");
      TraceRow row;
      const std::optional<double> at = burst ? ReadNumber(cells[time]) : ReadTime(cells[time]);
      const std::optional<double> prompt = ReadNumber(cells[input]);
      const std::optional<double> said = ReadNumber(cells[output]);
      if (!at) return Bad(fmt::format("\"{}\" is no time", cells[time]));
      if (!prompt || !said || *prompt < 0 || *said < 0 || !Fits(*prompt) || !Fits(*said)) {
        return Bad("a token count is no number of tokens");
      }
      if (*said == 0) continue;
      row.at_s = *at;
      row.prompt_tokens = static_cast<std::uint32_t>(*prompt);
      row.output_tokens = static_cast<std::uint32_t>(*said);
      rows_.push_back(std::move(row));
    }
    return {};
  }

  static std::optional<double> ReadNumber(std::string_view cell) {
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc() || end != cell.data() + cell.size()) return std::nullopt;
    return value;
  }

  // "2023-11-16 18:15:46.6805900", with or without a fraction and a zone.
  static std::optional<double> ReadTime(std::string_view cell) {
    if (const std::optional<double> plain = ReadNumber(cell)) return plain;
    if (cell.size() < 19) return std::nullopt;
    const auto part = [&](std::size_t at, std::size_t length) -> int {
      int value = -1;
      const char* begin = cell.data() + at;
      const auto [end, error] = std::from_chars(begin, begin + length, value);
      return error == std::errc() && end == begin + length ? value : -1;
    };
    const std::chrono::year_month_day day{std::chrono::year(part(0, 4)),
                                          std::chrono::month(static_cast<unsigned>(part(5, 2))),
                                          std::chrono::day(static_cast<unsigned>(part(8, 2)))};
    const int hour = part(11, 2);
    const int minute = part(14, 2);
    const int second = part(17, 2);
    if (!day.ok() || hour < 0 || minute < 0 || second < 0) return std::nullopt;
    double fraction = 0;
    if (cell.size() > 19 && cell[19] == '.') {
      std::size_t end = 20;
      while (end < cell.size() && cell[end] >= '0' && cell[end] <= '9') ++end;
      fraction = ReadNumber(cell.substr(19, end - 19)).value_or(0);
    }
    const auto days = std::chrono::sys_days(day).time_since_epoch().count();
    return static_cast<double>(days) * 86400.0 + hour * 3600.0 + minute * 60.0 + second + fraction;
  }

  std::string_view text_;
  const std::string& file_name_;
  int line_ = 0;
  std::vector<TraceRow> rows_;
};

}  // namespace

Result<std::vector<TraceRow>> ParseTrace(std::string_view text, const std::string& file_name) {
  return TraceReader(text, file_name).Read();
}

}  // namespace firstword::simulate
