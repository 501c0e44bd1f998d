#include "simulate/face/field_reader.h"

#include <fmt/format.h>

#include <cmath>

#include "simulate/face/json_text.h"

namespace firstword::simulate {
namespace {

using Type = simdjson::dom::element_type;

constexpr double kExactDouble = 9e15;

// "and is a string" or, of a number, "and is -1".
std::string Is(const JsonElement& element) {
  double number = 0;
  if (!element.is_number() || element.get_double().get(number) != simdjson::SUCCESS) {
    return fmt::format("and is {}", KindOf(element));
  }
  return fmt::format("and is {}", number);
}

std::optional<std::int64_t> WholeOf(const JsonElement& element) {
  std::int64_t whole = 0;
  if (element.is_int64() && element.get_int64().get(whole) == simdjson::SUCCESS) return whole;
  double number = 0;
  if (!element.is_double() || element.get_double().get(number) != simdjson::SUCCESS) return {};
  if (std::trunc(number) != number || std::abs(number) > kExactDouble) return {};
  return static_cast<std::int64_t>(number);
}

}  // namespace

std::string_view KindOf(const JsonElement& element) {
  switch (element.type()) {
    case Type::ARRAY:
      return "an array";
    case Type::OBJECT:
      return "an object";
    case Type::INT64:
    case Type::UINT64:
    case Type::DOUBLE:
      return "a number";
    case Type::STRING:
      return "a string";
    case Type::BOOL:
      return "a boolean";
    case Type::NULL_VALUE:
      break;
  }
  return "null";
}

std::optional<JsonElement> FieldReader::Find(std::string_view name) const {
  std::optional<JsonElement> found;
  for (const auto& field : object_) {
    if (field.key == name) found = field.value;
  }
  if (found && found->is_null()) return std::nullopt;
  return found;
}

bool FieldReader::Bool(std::string_view name, bool fallback) {
  const auto element = Find(name);
  if (!element) return fallback;
  bool value = fallback;
  if (element->get_bool().get(value) != simdjson::SUCCESS) {
    Refuse(name, "true or false", *element);
  }
  return value;
}

std::optional<std::int64_t> FieldReader::Whole(std::string_view name, std::int64_t least,
                                               std::int64_t most) {
  const auto element = Find(name);
  if (!element) return std::nullopt;
  const auto whole = WholeOf(*element);
  if (whole && *whole >= least && *whole <= most) return whole;
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  std::string range;
  if (least != kLeast) range += fmt::format(" of at least {}", least);
  if (most != kMost) range += fmt::format("{}at most {}", range.empty() ? " of " : " and ", most);
  Refuse(name, "a whole number" + range, *element);
  return std::nullopt;
}

void FieldReader::CheckNumber(std::string_view name, double least, double most) {
  const auto element = Find(name);
  if (!element) return;
  double number = 0;
  const bool read = element->is_number() && element->get_double().get(number) == simdjson::SUCCESS;
  if (read && number >= least && number <= most) return;
  Refuse(name, fmt::format("a number from {} to {}", least, most), *element);
}

std::optional<std::string_view> FieldReader::String(std::string_view name) {
  const auto element = Find(name);
  if (!element) return std::nullopt;
  std::string_view text;
  if (element->get_string().get(text) == simdjson::SUCCESS) return text;
  Refuse(name, "a string", *element);
  return std::nullopt;
}

std::optional<JsonArray> FieldReader::Array(std::string_view name) {
  const auto element = Find(name);
  if (!element) return std::nullopt;
  JsonArray array;
  if (element->get_array().get(array) == simdjson::SUCCESS) return array;
  Refuse(name, "an array", *element);
  return std::nullopt;
}

std::optional<JsonObject> FieldReader::Object(std::string_view name) {
  const auto element = Find(name);
  if (!element) return std::nullopt;
  JsonObject object;
  if (element->get_object().get(object) == simdjson::SUCCESS) return object;
  Refuse(name, "an object", *element);
  return std::nullopt;
}

void FieldReader::Refuse(std::string_view name, std::string_view must_be,
                         const JsonElement& element) {
  Refuse(fmt::format("{} must be {}, {}", Path(name), must_be, Is(element)), {});
}

void FieldReader::Refuse(std::string message, std::string hint) {
  if (!error_) error_ = Error{ErrorCode::kInvalid, std::move(message), std::move(hint)};
}

std::string FieldReader::Path(std::string_view name) const {
  return fmt::format("{}{}", where_, name);
}

}  // namespace firstword::simulate
