#include "exposition/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <deque>
#include <string>
#include <tuple>
#include <utility>

#include "exposition/families.h"
#include "exposition/layout.h"
#include "exposition/lexer.h"
#include "exposition/not_a_page.h"
#include "exposition/number.h"
#include "exposition/series_set.h"
#include "exposition/strict_checks.h"

namespace firstword::exposition {
namespace {

// Ids are never reused, so that a reader who holds one cannot mistake another page
// of another parser for it.
std::uint64_t NextLayoutId() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

bool SameSeries(const Series& a, const Series& b) {
  if (a.name != b.name || a.labels.size() != b.labels.size()) return false;
  for (std::size_t i = 0; i < a.labels.size(); ++i) {
    if (a.labels[i].name != b.labels[i].name || a.labels[i].value != b.labels[i].value)
      return false;
  }
  return true;
}

// Counts lines on the way forward; positions are asked for in ascending order.
class LineCounter {
 public:
  explicit LineCounter(std::string_view text) : text_(text) {}

  std::uint32_t LineOf(std::size_t at) {
    if (at < counted_) {  // a fault that points back into a finished line
      line_ = 1;
      counted_ = 0;
    }
    line_ += static_cast<std::uint32_t>(
        std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                   text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    counted_ = at;
    return line_;
  }

  std::pair<std::uint32_t, std::uint32_t> PositionOf(std::size_t at) {
    const std::size_t newline = at == 0 ? std::string_view::npos : text_.rfind('\n', at - 1);
    const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
    return {LineOf(at), static_cast<std::uint32_t>(at - start + 1)};
  }

 private:
  std::string_view text_;
  std::size_t counted_ = 0;
  std::uint32_t line_ = 1;
};

// Milliseconds in text 0.0.4 (a sign is harmless), seconds in OpenMetrics.
bool ParseTimestamp(std::string_view token, Format format, std::int64_t* ms) {
  if (format == Format::kText) {
    const auto [stop, error] = std::from_chars(token.data(), token.data() + token.size(), *ms);
    return error == std::errc{} && stop == token.data() + token.size();
  }
  double seconds = 0;
  if (!ParseNumber(token, &seconds) || !std::isfinite(seconds) || std::fabs(seconds) > 9e15)
    return false;
  *ms = static_cast<std::int64_t>(seconds * 1000);
  return true;
}

bool HasRepeatedLabel(std::span<const LabelView> labels) {
  for (std::size_t i = 1; i < labels.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (labels[i].name == labels[k].name) return true;
    }
  }
  return false;
}

}  // namespace

// Everything that belongs to one parsed page: the texts and what points into them.
struct PageTexts {
  std::string text;
  std::deque<std::string> arena;
  std::deque<std::vector<LabelView>> labels;  // stable addresses for the spans
};

class PageParser::Impl {
 public:
  explicit Impl(ParserOptions options) : options_(options) {}

  Result<void> Parse(std::string_view body, Format format) {
    if (format == format_ && Reread(body)) return {};
    return ParseAnew(body, format);
  }

  const Page& page() const { return page_; }

 private:
  bool Reread(std::string_view body) {
    if (page_.layout_id_ == 0) return false;
    if (!layout_.Reread(body, page_.values_, &fresh_values_)) return false;
    page_.values_.swap(fresh_values_);
    return true;
  }

  Result<void> ParseAnew(std::string_view body, Format format) {
    layout_.Reset({});
    if (IsForeign(body)) return std::unexpected(DescribeNonPage(body, {}));
    // On the heap, because moving a short string would move its bytes away from the views.
    auto storage = std::make_unique<PageTexts>();
    storage->text.assign(body);
    Page page;
    layout_.Reset(body);
    Result<void> read = ReadLines(format, storage.get(), &page);
    if (!read) return read;
    if (page.series_.empty()) {
      return std::unexpected(
          DescribeNonPage(body, page.faults_.empty() ? "" : page.faults_[0].message));
    }
    const bool same =
        page_.layout_id_ != 0 && std::equal(page.series_.begin(), page.series_.end(),
                                            page_.series_.begin(), page_.series_.end(), SameSeries);
    page.layout_id_ = same ? page_.layout_id_ : NextLayoutId();
    page_ = std::move(page);
    storage_ = std::move(storage);
    fresh_values_.resize(page_.values_.size());
    format_ = format;
    return {};
  }

  Result<void> ReadLines(Format format, PageTexts* storage, Page* page) {
    Lexer lexer(storage->text, format, options_.mode);
    LineCounter lines(storage->text);
    FamilyTable families;
    SeriesSet seen;
    SampleLine sample;
    MetadataLine metadata;
    bool only_numbers_vary = true;
    bool has_timestamps = false;
    bool eof = false;
    const auto fault = [&](std::size_t at, std::string_view message) {
      ++page->fault_count_;
      if (page->faults_.size() >= options_.max_faults) return;
      const auto [line, column] = lines.PositionOf(at);
      page->faults_.push_back({line, column, std::string(message)});
    };
    while (!lexer.AtEnd()) {
      const std::size_t start = lexer.offset();
      if (eof) {
        fault(start, "text after # EOF");
        break;
      }
      if (lexer.SkipBlankLine()) {
        if (const LexFault* odd = lexer.leniency()) fault(odd->at, odd->message);
        continue;
      }
      if (lexer.NextIsComment()) {
        if (!lexer.ReadComment(&metadata)) {
          fault(lexer.fault().at, lexer.fault().message);
          continue;
        }
        if (const LexFault* odd = lexer.leniency()) fault(odd->at, odd->message);
        if (metadata.kind == MetadataLine::Kind::kEof) eof = true;
        const std::string problem = families.Add(metadata, lines.LineOf(start));
        if (!problem.empty()) fault(metadata.text_at, problem);
        continue;
      }
      if (!lexer.ReadSample(&sample)) {
        fault(lexer.fault().at, lexer.fault().message);
        continue;
      }
      if (const LexFault* odd = lexer.leniency()) fault(odd->at, odd->message);
      if (HasRepeatedLabel(sample.labels)) {
        fault(start, "a label stands twice in one series");
        continue;
      }
      const auto value_at = static_cast<std::size_t>(sample.value.data() - storage->text.data());
      double value = 0;
      if (!ParseNumber(sample.value, &value)) {
        fault(value_at, fmt::format("\"{}\" is not a number", sample.value.substr(0, 40)));
        continue;
      }
      std::int64_t timestamp = Page::kNoTimestamp;
      if (!sample.timestamp.empty()) {
        only_numbers_vary = false;
        if (!ParseTimestamp(sample.timestamp, format, &timestamp)) {
          fault(static_cast<std::size_t>(sample.timestamp.data() - storage->text.data()),
                fmt::format("\"{}\" is not a timestamp", sample.timestamp.substr(0, 40)));
          continue;
        }
      }
      only_numbers_vary &= !sample.has_exemplar;
      if (page->series_.size() >= options_.max_series) {
        return Fail(ErrorCode::kLimit,
                    fmt::format("the page has more than {} series", options_.max_series),
                    "scrape less of it or raise the limit");
      }
      Series series{sample.name, {}, families.Find(sample.name), lines.LineOf(start)};
      series.labels = storage->labels.emplace_back(sample.labels);
      const std::size_t value_end = value_at + sample.value.size();
      if (const auto first = seen.Insert(series, page->series_)) {
        ++page->duplicate_count_;
        if (options_.mode == Mode::kStrict) {
          fault(start,
                fmt::format("duplicate series, first on line {}", page->series_[*first].line));
        }
        layout_.AddNumber(value_at, value_end, Layout::kDropped);
        continue;
      }
      layout_.AddNumber(value_at, value_end, static_cast<std::uint32_t>(page->series_.size()));
      if (timestamp != Page::kNoTimestamp && !has_timestamps) {
        has_timestamps = true;
        page->timestamps_.assign(page->series_.size(), Page::kNoTimestamp);
      }
      if (has_timestamps) page->timestamps_.push_back(timestamp);
      page->series_.push_back(series);
      page->values_.push_back(value);
    }
    page->families_ = families.Take();
    page->complete_ = format == Format::kOpenMetrics ? eof : storage->text.ends_with('\n');
    if (options_.mode == Mode::kStrict) {
      if (!page->complete_) {
        fault(storage->text.size(), format == Format::kOpenMetrics
                                        ? "missing # EOF: the page may be cut"
                                        : "missing newline at the end: the page may be cut");
      }
      CheckStrictly(*page, format, [&](const Series& series, std::string_view message) {
        ++page->fault_count_;
        if (page->faults_.size() < options_.max_faults) {
          page->faults_.push_back({series.line, 1, std::string(message)});
        }
      });
      std::sort(page->faults_.begin(), page->faults_.end(), [](const Fault& a, const Fault& b) {
        return std::tie(a.line, a.column, a.message) < std::tie(b.line, b.column, b.message);
      });
    }
    // A strict page's faults may lie in its values (buckets that fall), so it is read anew.
    if (only_numbers_vary && options_.mode == Mode::kTolerant) layout_.Seal();
    storage->arena = lexer.TakeArena();
    return {};
  }

  const ParserOptions options_;
  Format format_ = Format::kText;
  Layout layout_;
  std::unique_ptr<PageTexts> storage_;
  Page page_;
  std::vector<double> fresh_values_;
};

PageParser::PageParser(ParserOptions options) : impl_(std::make_unique<Impl>(options)) {}
PageParser::~PageParser() = default;
PageParser::PageParser(PageParser&&) noexcept = default;
PageParser& PageParser::operator=(PageParser&&) noexcept = default;

Result<void> PageParser::Parse(std::string_view body, Format format) {
  return impl_->Parse(body, format);
}

const Page& PageParser::page() const { return impl_->page(); }

}  // namespace firstword::exposition
