#include "exposition/parser.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>

#include "exposition/layout.h"
#include "exposition/not_a_page.h"
#include "exposition/page_reader.h"
#include "exposition/page_texts.h"

namespace firstword::exposition {
namespace {

// Ids are never reused, so that a reader who holds one cannot mistake another page
// of another parser for it.
std::uint64_t NextLayoutId() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

bool SameSeries(const Series& a, const Series& b) {
  return a.name == b.name && std::equal(a.labels.begin(), a.labels.end(), b.labels.begin(),
                                        b.labels.end(), [](const LabelView& x, const LabelView& y) {
                                          return x.name == y.name && x.value == y.value;
                                        });
}

}  // namespace

class PageParser::Impl {
 public:
  explicit Impl(ParserOptions options) : options_(options) {}

  Result<void> Parse(std::string_view body, Format format) {
    // Assignments within capacity: nothing is allocated.
    fresh_.values = page_.values_;
    fresh_.timestamps = page_.timestamps_;
    if (layout_.Reread(body, format, &fresh_)) {
      page_.values_.swap(fresh_.values);
      page_.timestamps_.swap(fresh_.timestamps);
      return {};
    }
    layout_ = {};
    return ParseAnew(body, format);
  }

  const Page& page() const { return page_; }

 private:
  Result<void> ParseAnew(std::string_view body, Format format) {
    if (body.size() > UINT32_MAX) {
      return Fail(ErrorCode::kLimit, "the page is larger than 4 GiB", "scrape less of it");
    }
    if (IsForeign(body)) return std::unexpected(DescribeNonPage(body, {}));
    auto texts = std::make_unique<PageTexts>();
    texts->text.assign(body);
    PageReader reader(options_, format, texts.get());
    if (Result<void> read = reader.Read(); !read) return read;
    Page page = reader.TakePage();
    if (page.series_.empty()) {
      return std::unexpected(
          DescribeNonPage(body, page.faults_.empty() ? "" : page.faults_[0].message));
    }
    const bool same =
        page_.layout_id_ != 0 && std::equal(page.series_.begin(), page.series_.end(),
                                            page_.series_.begin(), page_.series_.end(), SameSeries);
    page.layout_id_ = same ? page_.layout_id_ : NextLayoutId();
    page_ = std::move(page);
    texts_ = std::move(texts);
    layout_ = reader.TakeLayout();
    fresh_.values.reserve(page_.values_.size());
    fresh_.timestamps.reserve(page_.timestamps_.size());
    return {};
  }

  const ParserOptions options_;
  std::unique_ptr<PageTexts> texts_;
  Page page_;
  Layout layout_;
  Numbers fresh_;
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
