// The step model against published measurements; prints the table of docs/simulator.md.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "simulate/engine/replica.h"
#include "simulate/presets/preset_fields.h"
#include "simulate/presets/presets.h"

namespace firstword::simulate {
namespace {

struct Row {
  std::string id, source, engine, gpu, model;
  bool fit = false;
  std::uint32_t tp = 1, batch = 1, requests = 0, input = 1, output = 1;
  double itl_ms = 0, prefill_ms = 0, e2e_ms = 0, limit = 25;

  [[nodiscard]] double measured() const { return std::max({itl_ms, prefill_ms, e2e_ms}); }
  [[nodiscard]] std::string_view quantity() const {
    return itl_ms > 0 ? "ITL" : prefill_ms > 0 ? "prefill" : "E2E";
  }
};

std::vector<Row> ReadRows() {
  std::ifstream in(FIRSTWORD_SOURCE_DIR "/src/simulate/presets/testdata/calibration.yaml");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const Result<yaml::Node> document = yaml::Parse(text, "calibration.yaml");
  EXPECT_TRUE(document) << document.error().message;
  yaml::Faults faults("calibration.yaml");
  std::vector<Row> rows;
  for (const yaml::Node& node : document->Find("rows")->items) {
    FieldReader fields(node, "a row", faults);
    Row& row = rows.emplace_back();
    fields.Text("id", row.id);
    fields.Text("source", row.source);
    fields.Text("engine", row.engine);
    fields.Text("gpu", row.gpu);
    fields.Text("model", row.model);
    fields.Flag("fit", row.fit);
    fields.Count("tp", row.tp, 1);
    fields.Count("batch", row.batch, 1);
    fields.Count("requests", row.requests);
    fields.Count("input", row.input, 1);
    fields.Count("output", row.output, 1);
    fields.Number("itl_ms", row.itl_ms);
    fields.Number("prefill_ms", row.prefill_ms);
    fields.Number("e2e_ms", row.e2e_ms);
    fields.Number("limit", row.limit);
  }
  EXPECT_FALSE(faults.any()) << faults.error().message;
  return rows;
}

class Finished final : public Observer {
 public:
  void OnFinished(const RequestRecord& record) override { records.push_back(record); }
  std::vector<RequestRecord> records;
};

std::string Milliseconds(double ms) {
  return ms < 100 ? fmt::format("{:.1f}", ms) : fmt::format("{:.0f}", ms);
}

double Simulate(const Row& row, const Presets& presets) {
  const std::size_t colon = std::min(row.engine.find(':'), row.engine.size());
  const std::string version = colon < row.engine.size() ? row.engine.substr(colon + 1) : "9999";
  EngineConfig config = presets.Engine(row.engine.substr(0, colon), version).value();
  config.gpu = presets.Gpu(row.gpu).value();
  config.model = presets.Model(row.model).value();
  config.tensor_parallel = row.tp;
  config.prefix_caching = false;
  // Either one batch that starts together and is read in one step, as offline programs run it,
  // or as many users, each of whom asks again when answered.
  const std::uint32_t requests = std::max(row.requests, row.batch);
  if (row.requests == 0) {
    config.max_num_batched_tokens = std::max(config.max_num_batched_tokens, row.input * row.batch);
  }
  Finished finished;
  Replica replica(config, 1, finished);
  SimTime now{};
  for (std::uint32_t sent = 0; sent < requests || replica.NextEvent() != kNever;) {
    while (sent < std::min<std::size_t>(requests, finished.records.size() + row.batch)) {
      Request request;
      request.prompt = {{.text = ++sent, .offset = 0, .tokens = row.input}};
      request.output_tokens = request.max_tokens = row.output;
      replica.Submit(std::move(request), now);
    }
    now = replica.NextEvent();
    replica.AdvanceTo(now);
  }
  double gaps = 0, last = 0;
  for (const RequestRecord& record : finished.records) {
    if (row.output > 1) gaps += Seconds(record.decode()) / (row.output - 1);
    last = std::max(last, Seconds(record.last_seen));
  }
  if (row.itl_ms > 0) return gaps / requests * 1e3;
  if (row.prefill_ms > 0) return Seconds(finished.records.at(0).prefill()) * 1e3;
  return last * 1e3;
}

TEST(CalibrationTest, PublishedMeasurementsAreMet) {
  const Result<Presets> presets = Presets::LoadBuiltin();
  ASSERT_TRUE(presets) << presets.error().message;
  const std::vector<Row> rows = ReadRows();
  int held_out = 0;
  double worst = 0, sum = 0;
  fmt::print(
      "| id | model | GPU | batch, in/out | what | measured, ms | simulated, ms | error | source "
      "|\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|\n");
  for (const Row& row : rows) {
    const double simulated = Simulate(row, *presets);
    const double error = 100 * (simulated / row.measured() - 1);
    fmt::print("| {}{} | {} | {} x {} | {}, {}/{} | {} | {} | {} | {:+.0f} % | {} |\n", row.id,
               row.fit ? " *" : "", row.model, row.tp, row.gpu, row.batch, row.input, row.output,
               row.quantity(), Milliseconds(row.measured()), Milliseconds(simulated), error,
               row.source);
    EXPECT_LE(std::abs(error), row.limit) << row.id;
    held_out += row.fit ? 0 : 1;
    worst = std::max(worst, std::abs(error));
    sum += std::abs(error);
  }
  fmt::print("{} rows, {} of them without a star; mean error {:.0f} %, largest {:.0f} %\n",
             rows.size(), held_out, sum / static_cast<double>(rows.size()), worst);
  EXPECT_GE(held_out, 6);
}

}  // namespace
}  // namespace firstword::simulate
