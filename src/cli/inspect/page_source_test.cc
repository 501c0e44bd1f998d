#include "cli/inspect/page_source.h"

#include <gtest/gtest.h>

#include <sstream>

#include "cli/golden.h"
#include "cli/options/console.h"
#include "net/gzip.h"

namespace firstword::cli {
namespace {

TEST(PageSourceTest, TellsUrlsFromFiles) {
  auto f = [](const std::string& where, bool want) { EXPECT_EQ(IsUrl(where), want) << where; };
  f("http://localhost:8000", true);
  f("unix:///run/engine.sock", true);
  f("localhost:8000", true);
  f("10.0.0.7:8000/metrics", true);
  f("[::1]:8000", true);
  f("-", false);
  f("page.prom", false);
  f("./dir:8/page", false);
  f("host:port", false);
  f("host:", false);
  f(TestFile("toy_before.prom"), false);
}

TEST(PageSourceTest, UrlsWithoutAPathMeanMetrics) {
  auto f = [](std::string_view url, std::string_view target, std::string_view name) {
    const auto got = ParseTarget(url, "watch");
    ASSERT_TRUE(got) << url;
    EXPECT_EQ(got->url.target, target) << url;
    EXPECT_EQ(got->name, name) << url;
    EXPECT_EQ(got->labels.Get("instance"), name) << url;
    EXPECT_EQ(got->labels.Get("job"), "watch") << url;
  };
  f("http://localhost:8000", "/metrics", "localhost:8000");
  f("http://localhost:8000/", "/metrics", "localhost:8000");
  f("localhost:8000/engine_metrics", "/engine_metrics", "localhost:8000");
}

TEST(PageSourceTest, UnpacksGzip) {
  std::istringstream in(net::Gzip("a 1\n"));
  std::ostringstream out;
  Console console{.in = in, .out = out, .err = out};
  const auto page = FetchPage("-", HttpOptions(), console);
  ASSERT_TRUE(page) << page.error().ToString();
  EXPECT_EQ(page->body, "a 1\n");
}

TEST(PageSourceTest, KnowsOpenMetricsByItsEnd) {
  std::istringstream in("a 1\n# EOF\n");
  std::ostringstream out;
  Console console{.in = in, .out = out, .err = out};
  EXPECT_EQ(FetchPage("-", HttpOptions(), console)->format, exposition::Format::kOpenMetrics);
}

TEST(ConsoleTest, OnlyANamedCharsetIsNotUnicode) {
  EXPECT_TRUE(IsUnicodeLocale(nullptr, nullptr, nullptr));
  EXPECT_TRUE(IsUnicodeLocale(nullptr, nullptr, "C"));
  EXPECT_TRUE(IsUnicodeLocale(nullptr, nullptr, "de_DE.UTF-8"));
  EXPECT_TRUE(IsUnicodeLocale("", "", "C.utf8"));
  EXPECT_FALSE(IsUnicodeLocale(nullptr, nullptr, "de_DE.ISO-8859-1"));
  EXPECT_FALSE(IsUnicodeLocale("ja_JP.eucJP", nullptr, "C.UTF-8"));
}

}  // namespace
}  // namespace firstword::cli
