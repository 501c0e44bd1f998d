#pragma once

#include <span>
#include <string>
#include <string_view>

#include "dialect/exports/page_spec.h"
#include "simulate/gpu/gpu_reading.h"
#include "simulate/pages/recorder.h"

namespace firstword::simulate {

// What a page is filled from.
struct ReplicaView {
  const Recorder* recorder = nullptr;  // made for this page; null on a page of GPUs alone
  std::span<const GpuReading> gpus;    // for rows `per: gpu`
  std::span<const GatewayReading>
      servers;  // on a gateway's page: a row each, `per: replica` all together
  double now_unix_s = 0;
};

// The whole text of a page as its writer spells it. Rows and families without a value (no
// event yet, unreadable, an unknown quantity) are left out.
[[nodiscard]] std::string WriteMetricsPage(const dialect::PageSpec& page, const ReplicaView& view);
// The same, appended, so that a caller can keep the buffer.
void AppendMetricsPage(const dialect::PageSpec& page, const ReplicaView& view, std::string& out);

[[nodiscard]] std::string WriteGpuPage(const dialect::PageSpec& page,
                                       std::span<const GpuReading> gpus, double now_unix_s);

// Of the response: "text/plain; version=0.0.4; charset=utf-8", or OpenMetrics.
[[nodiscard]] std::string_view ContentTypeOf(dialect::Writer writer);

}  // namespace firstword::simulate
