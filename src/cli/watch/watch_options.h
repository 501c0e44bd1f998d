#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "cli/options/http_options.h"
#include "cli/options/reading_options.h"

namespace firstword::cli {

struct WatchOptions {
  std::vector<std::string> urls;
  std::chrono::milliseconds interval{2000};
  std::chrono::milliseconds window{30'000};
  bool once = false;
  int count = 0;  // intervals to print; 0: until interrupted
  bool plain = false;
  bool json = false;
  bool ascii = false;
  HttpOptions http;
  ReadingOptions reading;
};

}  // namespace firstword::cli
