#include "base/result.h"

#include <gtest/gtest.h>

namespace firstword {
namespace {

TEST(ErrorTest, PutsTheHintBehindTheMessage) {
  EXPECT_EQ((Error{ErrorCode::kIo, "cannot read a.prom", "check the path"}.ToString()),
            "cannot read a.prom (check the path)");
  EXPECT_EQ((Error{ErrorCode::kIo, "cannot read a.prom", ""}.ToString()), "cannot read a.prom");
}

TEST(FailTest, AddsContextOnceAndKeepsCodeAndHint) {
  Result<int> inner = Fail(ErrorCode::kTimeout, "no answer in 10 s", "raise --timeout");
  Result<int> outer = Fail(inner.error(), "scrape http://127.0.0.1:1/metrics");
  EXPECT_EQ(outer.error().code, ErrorCode::kTimeout);
  EXPECT_EQ(outer.error().message, "scrape http://127.0.0.1:1/metrics: no answer in 10 s");
  EXPECT_EQ(outer.error().hint, "raise --timeout");
}

}  // namespace
}  // namespace firstword
