#pragma once

#include <string>

#include "dialect/exports/exports.h"

namespace firstword::simulate {

// Appends a sample's value as this writer spells it.
void AppendNumber(dialect::Writer writer, double value, std::string& out);
// A bucket's bound, the text inside le="".
void AppendBound(dialect::Writer writer, double bound, std::string& out);

}  // namespace firstword::simulate
