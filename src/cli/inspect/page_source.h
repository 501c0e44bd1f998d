#pragma once

#include <string>

#include "base/result.h"
#include "cli/options/console.h"
#include "cli/options/http_options.h"
#include "exposition/page.h"

namespace firstword::cli {

// A metrics page as it came, from wherever the user pointed to.
struct FetchedPage {
  std::string name;      // as given, the whole URL, or "stdin"
  std::string instance;  // what the target is labelled with
  std::string body;
  exposition::Format format = exposition::Format::kText;
  // A Content-Type that announces no metrics format; empty when it does, or for files.
  std::string odd_content_type;
};

// True when `where` is to be asked over the network: it has a scheme, or it looks like
// host:port and no file has that name.
[[nodiscard]] bool IsUrl(const std::string& where);

// Reads `where`: a URL, a file (gzip is unpacked), or "-" for the console's input.
[[nodiscard]] Result<FetchedPage> FetchPage(const std::string& where, const HttpOptions& options,
                                            Console& console);

}  // namespace firstword::cli
