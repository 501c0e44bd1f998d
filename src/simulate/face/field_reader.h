#pragma once

#include <simdjson.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace firstword::simulate {

using JsonElement = simdjson::dom::element;
using JsonObject = simdjson::dom::object;
using JsonArray = simdjson::dom::array;

// "a string", "an array", ...
[[nodiscard]] std::string_view KindOf(const JsonElement& element);

// Reads the fields of one JSON object and remembers the first that is wrong; what is wrong,
// absent or null gives the fallback. Of a field that is there twice the last one counts.
class FieldReader {
 public:
  // `where` is put before the names in messages: "messages[3]." or nothing.
  explicit FieldReader(JsonObject object, std::string where = {})
      : object_(object), where_(std::move(where)) {}

  [[nodiscard]] std::optional<JsonElement> Find(std::string_view name) const;

  bool Bool(std::string_view name, bool fallback = false);
  // Whole numbers may be written as 5.0.
  std::optional<std::int64_t> Whole(std::string_view name, std::int64_t least,
                                    std::int64_t most = std::numeric_limits<std::int64_t>::max());
  void CheckNumber(std::string_view name, double least, double most);
  std::optional<std::string_view> String(std::string_view name);
  std::optional<JsonArray> Array(std::string_view name);
  std::optional<JsonObject> Object(std::string_view name);

  // Remembers that field `name` "must be ...".
  void Refuse(std::string_view name, std::string_view must_be, const JsonElement& element);
  void Refuse(std::string message, std::string hint);

  [[nodiscard]] bool good() const { return !error_.has_value(); }
  [[nodiscard]] const Error& error() const { return *error_; }
  [[nodiscard]] std::string Path(std::string_view name) const;

 private:
  JsonObject object_;
  std::string where_;
  std::optional<Error> error_;
};

}  // namespace firstword::simulate
