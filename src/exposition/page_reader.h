#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "exposition/families.h"
#include "exposition/fault_list.h"
#include "exposition/layout.h"
#include "exposition/lexer.h"
#include "exposition/page.h"
#include "exposition/page_texts.h"
#include "exposition/parser.h"
#include "exposition/series_set.h"

namespace firstword::exposition {

// Reads one page that nothing is known about yet.
class PageReader {
 public:
  // `texts` holds the body and must outlive what is read.
  PageReader(const ParserOptions& options, Format format, PageTexts* texts);

  // Fails with kLimit past the limit of series or families; everything else is a fault of the page.
  [[nodiscard]] Result<void> Read();

  // After Read(), each once. The page has no layout id yet.
  [[nodiscard]] Page TakePage() { return std::move(page_); }
  [[nodiscard]] Layout TakeLayout() { return std::move(layout_); }

 private:
  [[nodiscard]] Result<void> ReadMetadata();
  [[nodiscard]] Result<void> ReadSample();
  // Reads the numbers of sample_; false when one is none, which then is a fault.
  bool ReadNumbers(double* value, std::int64_t* timestamp);
  void NameOddNumbers();
  void Keep(const Series& series, double value, std::int64_t timestamp);
  void Remember(std::uint32_t index);
  void Finish();

  // A fault where `part` of the page stands.
  void AddFault(std::string_view part, std::string message) {
    faults_.Add(lexer_.FaultOf(part, std::move(message)));
  }
  void AddDepartures();
  [[nodiscard]] std::optional<std::string_view> FindRepeatedLabel();

  const ParserOptions options_;
  const Format format_;
  const bool strict_;
  PageTexts* const texts_;
  Lexer lexer_;
  Layout layout_;
  FamilyTable families_;
  SeriesSet seen_;
  FaultList faults_;
  Page page_;
  SampleLine sample_;
  MetadataLine metadata_;
  std::vector<std::string_view> label_names_;
  bool only_numbers_vary_ = true;
  bool eof_ = false;
};

}  // namespace firstword::exposition
