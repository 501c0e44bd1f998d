#include "exposition/page_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "exposition/number.h"
#include "exposition/strict_checks.h"

namespace firstword::exposition {
namespace {

constexpr std::size_t kShownOfToken = 40;

bool HasSign(std::string_view token) { return token.starts_with('-') || token.starts_with('+'); }

}  // namespace

PageReader::PageReader(const ParserOptions& options, Format format, PageTexts* texts)
    : options_(options),
      format_(format),
      strict_(options.mode == Mode::kStrict),
      texts_(texts),
      lexer_(texts, format, options.mode),
      layout_(texts->text, format),
      families_(format, options.mode),
      faults_(options.max_faults) {}

Result<void> PageReader::Read() {
  AddDepartures();  // those of the page's start
  using LineKind = Lexer::LineKind;
  for (LineKind kind = lexer_.NextKind(); kind != LineKind::kEnd; kind = lexer_.NextKind()) {
    if (eof_) {
      lexer_.SkipLine();
      faults_.Add(lexer_.FaultOfLine("text after # EOF; it is not read"));
      break;
    }
    if (kind == LineKind::kBlank) {
      lexer_.ReadBlank();
      AddDepartures();
      continue;
    }
    Result<void> read = kind == LineKind::kComment ? ReadMetadata() : ReadSample();
    if (!read) return read;
  }
  Finish();
  return {};
}

void PageReader::AddDepartures() {
  for (const Fault& departure : lexer_.departures()) faults_.Add(departure);
}

Result<void> PageReader::ReadMetadata() {
  if (!lexer_.ReadComment(&metadata_)) {
    faults_.Add(lexer_.fault());
    return {};
  }
  AddDepartures();
  using Kind = MetadataLine::Kind;
  if (metadata_.kind == Kind::kEof) eof_ = true;
  if (metadata_.kind == Kind::kEof || metadata_.kind == Kind::kComment) return {};
  std::string problem = families_.Add(metadata_, lexer_.line());
  if (!problem.empty()) AddFault(metadata_.where, std::move(problem));
  if (families_.size() <= options_.max_series) return {};
  return Fail(ErrorCode::kLimit,
              fmt::format("the page declares more than {} families", options_.max_series),
              "scrape less of it or raise the limit of series");
}

Result<void> PageReader::ReadSample() {
  if (!lexer_.ReadSample(&sample_)) {
    faults_.Add(lexer_.fault());
    return {};
  }
  AddDepartures();
  if (const auto label = FindRepeatedLabel()) {
    faults_.Add(lexer_.FaultOfLine(fmt::format("label {} stands twice in this series", *label)));
    return {};
  }
  double value = 0;
  std::int64_t timestamp = Page::kNoTimestamp;
  if (!ReadNumbers(&value, &timestamp)) return {};
  if (strict_) NameOddNumbers();
  only_numbers_vary_ &= !sample_.has_exemplar;

  const Series series{sample_.name, sample_.labels, kNoFamily, lexer_.line()};
  if (const auto first = seen_.Insert(series, page_.series_)) {
    ++page_.duplicate_count_;
    if (strict_) {
      faults_.Add(lexer_.FaultOfLine(
          fmt::format("duplicate series, first on line {}", page_.series_[*first].line)));
    }
    Remember(Layout::kDropped);
    return {};
  }
  if (page_.series_.size() >= options_.max_series) {
    return Fail(ErrorCode::kLimit,
                fmt::format("the page has more than {} series", options_.max_series),
                "scrape less of it or raise the limit");
  }
  Remember(static_cast<std::uint32_t>(page_.series_.size()));
  Keep(series, value, timestamp);
  return {};
}

bool PageReader::ReadNumbers(double* value, std::int64_t* timestamp) {
  if (!ParseNumber(sample_.value, value)) {
    AddFault(sample_.value,
             fmt::format("\"{}\" is not a number", sample_.value.substr(0, kShownOfToken)));
    return false;
  }
  if (!sample_.timestamp.empty() && !ParseTimestamp(sample_.timestamp, format_, timestamp)) {
    AddFault(
        sample_.timestamp,
        fmt::format("\"{}\" is not a timestamp in {}", sample_.timestamp.substr(0, kShownOfToken),
                    format_ == Format::kText ? "whole milliseconds" : "seconds"));
    return false;
  }
  return true;
}

void PageReader::NameOddNumbers() {
  double value = 0;
  if (HasSign(sample_.value) && ParseNumber(sample_.value, &value) && std::isnan(value)) {
    AddFault(sample_.value,
             fmt::format("\"{}\" has a sign, which Prometheus rejects; write NaN", sample_.value));
  }
  if (format_ == Format::kText && HasSign(sample_.timestamp)) {
    AddFault(sample_.timestamp, "timestamp with a sign; Prometheus rejects the page");
  }
}

std::optional<std::string_view> PageReader::FindRepeatedLabel() {
  const std::vector<LabelView>& labels = sample_.labels;
  constexpr std::size_t kFewEnoughForPairs = 16;
  if (labels.size() <= kFewEnoughForPairs) {
    for (std::size_t i = 1; i < labels.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        if (labels[i].name == labels[k].name) return labels[i].name;
      }
    }
    return std::nullopt;
  }
  label_names_.clear();
  for (const LabelView& label : labels) label_names_.push_back(label.name);
  std::sort(label_names_.begin(), label_names_.end());
  const auto twice = std::adjacent_find(label_names_.begin(), label_names_.end());
  if (twice == label_names_.end()) return std::nullopt;
  return *twice;
}

void PageReader::Remember(std::uint32_t index) {
  layout_.Add(sample_.value, Layout::Kind::kValue, index);
  if (!sample_.timestamp.empty()) layout_.Add(sample_.timestamp, Layout::Kind::kTimestamp, index);
}

void PageReader::Keep(const Series& series, double value, std::int64_t timestamp) {
  Series& kept = page_.series_.emplace_back(series);
  if (!series.labels.empty()) {
    auto* const labels = static_cast<LabelView*>(
        texts_->arena.allocate(series.labels.size_bytes(), alignof(LabelView)));
    std::uninitialized_copy(series.labels.begin(), series.labels.end(), labels);
    kept.labels = {labels, series.labels.size()};
  }
  page_.values_.push_back(value);
  if (timestamp != Page::kNoTimestamp && page_.timestamps_.empty()) {
    page_.timestamps_.assign(page_.values_.size() - 1, Page::kNoTimestamp);
    page_.timestamps_.push_back(timestamp);
  } else if (!page_.timestamps_.empty()) {
    page_.timestamps_.push_back(timestamp);
  }
}

void PageReader::Finish() {
  families_.Adopt(page_.series_);
  page_.families_ = families_.Take();
  page_.complete_ = format_ == Format::kOpenMetrics ? eof_ : texts_->text.ends_with('\n');
  if (strict_) {
    if (!page_.complete_) {
      AddFault(std::string_view(texts_->text).substr(texts_->text.size()),
               format_ == Format::kOpenMetrics ? "missing # EOF: the page may be cut"
                                               : "missing newline at the end: the page may be cut");
    }
    CheckStrictly({texts_->text, format_, page_, families_.type_lines()}, &faults_);
  }
  page_.fault_count_ = faults_.count();
  page_.faults_ = faults_.TakeInPageOrder();
  // A strict page's faults may lie in its values (buckets that fall): it is always read anew.
  if (only_numbers_vary_ && !strict_) layout_.Seal();
}

}  // namespace firstword::exposition
