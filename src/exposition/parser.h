#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "base/result.h"
#include "exposition/page.h"

namespace firstword::exposition {

// Strict names every departure from the format (for lint). Tolerant (for
// ingestion) accepts what is harmless (CRLF, a missing last newline or # EOF,
// odd blanks, non-canonical numbers), drops a line that is not sound, and
// keeps the rest.
enum class Mode : std::uint8_t { kTolerant, kStrict };

struct ParserOptions {
  Mode mode = Mode::kTolerant;
  std::size_t max_series = 1'000'000;
  std::size_t max_faults = 100;  // kept with text; all are counted
};

// The format a Content-Type header announces. Parameters are ignored, case too.
// nullopt: absent or none of ours; the caller then uses kText and may say so.
struct ContentType {
  Format format = Format::kText;
  bool recognised = false;
};
[[nodiscard]] ContentType FormatFromContentType(std::string_view header);

// The Accept header to send with a scrape.
[[nodiscard]] std::string_view AcceptHeader();

// Parses consecutive pages of one target. In tolerant mode it remembers the text
// of the last page, so that a page that differs in its numbers only costs a
// compare and a number a sample; allocation-free while that lasts. A page that
// differs in anything else, or has exemplars, is parsed in full. Not thread-safe;
// one parser a target.
class PageParser {
 public:
  explicit PageParser(ParserOptions options = {});
  ~PageParser();
  PageParser(PageParser&&) noexcept;
  PageParser& operator=(PageParser&&) noexcept;

  // Parses `body`, which may be freed afterwards. Fails with kParse when the
  // body is no metrics page at all: empty, an HTML or JSON document, binary, or
  // without a single sound sample although it has lines; the message says which
  // and shows the start of it. Fails with kLimit past max_series series or
  // families, and past 4 GiB. page() is unchanged after a failure.
  [[nodiscard]] Result<void> Parse(std::string_view body, Format format);

  [[nodiscard]] const Page& page() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace firstword::exposition
