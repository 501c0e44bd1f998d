#pragma once

#include <span>
#include <string>
#include <string_view>

#include "dialect/exports/page_spec.h"
#include "simulate/pages/page_writer.h"

namespace firstword::simulate {

// Whose row is printed.
struct RowOwner {
  const ReplicaView& view;
  std::string_view version;  // of the page, where no replica says another
  std::uint32_t rank = 0;
  const GpuReading* gpu = nullptr;  // null: the first there is
  const GatewayReading* server = nullptr;
};

// The labels of a row cut where `le` belongs, without braces: `model="m",` before and
// `,version="1"` after. Reused from row to row.
struct LabelTexts {
  std::string before;
  std::string after;
};

// Fills `texts`. Prometheus clients in Python sort `le` in, others put it last.
void WriteLabels(std::span<const dialect::PageLabel> labels, const RowOwner& owner,
                 dialect::Writer writer, LabelTexts& texts);

// As inside quotes.
void AppendEscaped(std::string_view text, std::string& out);

}  // namespace firstword::simulate
