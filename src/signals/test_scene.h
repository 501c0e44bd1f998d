#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "dialect/canonical_source.h"
#include "signals/fleet.h"
#include "store/recent_scrapes.h"

namespace firstword::signals {

// Test double of a day in a fleet: a file of pages and of what is to be said about them.
//
//   # comment
//   page t15 NAME         the lines up to the next directive are NAME's page at 15 s;
//   fail t15 NAME         NAME's scrape at 15 s failed
//   finding NAME CODE warning|info: part of the text
//   headline NAME good|waiting|unknown: whole text
//   fleet KEY VALUE       replicas, left_out, partial, running, waiting, kv_mean, kv_max
//   fleet finding CODE: part of the text
//   fleet headline good|waiting|unknown: whole text
//
// The findings of a page are complete: one that is not named is a failure.
class Scene {
 public:
  struct Expectation {
    std::size_t line = 0;
    std::vector<std::string> words;  // before the colon
    std::string text;                // after it
  };

  explicit Scene(const std::filesystem::path& file);

  [[nodiscard]] dialect::CanonicalSource& source() { return *source_; }
  [[nodiscard]] const std::vector<Expectation>& expectations() const { return expectations_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }  // "" when sound

  static constexpr TimestampMs kBase = 1'760'000'000'000;

 private:
  void Read(const std::filesystem::path& file);

  store::RecentScrapes scrapes_{100};
  std::unique_ptr<dialect::CanonicalSource> source_;
  std::vector<Expectation> expectations_;
  std::string problem_;
};

// The toy dialects of testdata over the catalog of the tree.
[[nodiscard]] const dialect::Registry& ToyRegistry();
[[nodiscard]] std::filesystem::path SignalsTestData();

}  // namespace firstword::signals
