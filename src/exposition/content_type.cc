#include <cctype>
#include <string>

#include "exposition/parser.h"

namespace firstword::exposition {

std::string_view FamilyTypeName(FamilyType type) {
  switch (type) {
    case FamilyType::kCounter:
      return "counter";
    case FamilyType::kGauge:
      return "gauge";
    case FamilyType::kHistogram:
      return "histogram";
    case FamilyType::kSummary:
      return "summary";
    case FamilyType::kGaugeHistogram:
      return "gaugehistogram";
    case FamilyType::kInfo:
      return "info";
    case FamilyType::kStateSet:
      return "stateset";
    case FamilyType::kUnknown:
      break;
  }
  return "unknown";
}

ContentType FormatFromContentType(std::string_view header) {
  std::string media;
  for (const char c : header.substr(0, header.find(';'))) {
    if (c != ' ' && c != '\t')
      media += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (media == "application/openmetrics-text") return {Format::kOpenMetrics, true};
  return {Format::kText, media == "text/plain"};
}

std::string_view AcceptHeader() {
  // Text first: every engine offers it and it is the shorter page; OpenMetrics only for
  // exporters that have nothing else.
  return "text/plain;version=0.0.4;q=0.9,application/openmetrics-text;version=1.0.0;q=0.6,*/"
         "*;q=0.2";
}

}  // namespace firstword::exposition
