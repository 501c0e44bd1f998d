#pragma once

#include <memory_resource>
#include <string>

namespace firstword::exposition {

// What the views of one parsed page point into. It lives on the heap and is never moved:
// moving a short string would move its bytes away from the views.
struct PageTexts {
  std::string text;                           // the body
  std::pmr::monotonic_buffer_resource arena;  // unescaped texts, labels of the series
};

}  // namespace firstword::exposition
