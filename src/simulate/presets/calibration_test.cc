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
  std::uint32_t tp = 1, batch = 1, input = 1, output = 1;
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
  // A batch that starts together, as the measured programs ran it.
  config.max_num_batched_tokens = std::max(config.max_num_batched_tokens, row.input * row.batch);
  Finished finished;
  Replica replica(config, 1, finished);
  for (std::uint32_t i = 0; i < row.batch; ++i) {
    Request request;
    request.prompt = {{.text = i + 1, .offset = 0, .tokens = row.input}};
    request.output_tokens = request.max_tokens = row.output;
    replica.Submit(std::move(request), SimTime{});
  }
  while (replica.NextEvent() != kNever) replica.AdvanceTo(replica.NextEvent());
  double gaps = 0, last = 0;
  for (const RequestRecord& record : finished.records) {
    if (row.output > 1) gaps += Seconds(record.decode()) / (row.output - 1);
    last = std::max(last, Seconds(record.last_seen));
  }
  if (row.itl_ms > 0) return gaps / row.batch * 1e3;
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
  fmt::print("{} rows, {} of them held out; mean error {:.0f} %, largest {:.0f} %\n", rows.size(),
             held_out, sum / static_cast<double>(rows.size()), worst);
  EXPECT_GE(held_out, 6);
}

TEST(PresetsTest, EveryOneIsSound) {
  const Result<Presets> presets = Presets::LoadBuiltin();
  ASSERT_TRUE(presets) << presets.error().message;
  for (const std::string_view name : presets->gpu_names()) {
    const GpuSpec gpu = presets->Gpu(name).value();
    SCOPED_TRACE(name);
    EXPECT_FALSE(gpu.model_name.empty());
    EXPECT_GT(gpu.memory_gib, 10);
    EXPECT_GT(gpu.bandwidth_bytes_per_s, 1e11);
    EXPECT_GT(gpu.bf16_flops, 1e14);
    EXPECT_GT(gpu.power_limit_watts, gpu.idle_watts);
    EXPECT_GT(gpu.sm_clock_mhz, 1000);
    EXPECT_LT(gpu.memory_share, 0.95);
    EXPECT_LT(gpu.compute_share, 0.9);
  }
  for (const std::string_view name : presets->model_names()) {
    const ModelSpec model = presets->Model(name).value();
    SCOPED_TRACE(name);
    EXPECT_FALSE(model.served_as.empty());
    EXPECT_LE(model.active_parameters, model.parameters);
    EXPECT_GT(model.active_parameters, 1e9);
    EXPECT_GE(model.heads, model.kv_heads);
    EXPECT_LE(model.experts * model.expert_parameters, model.parameters);
    EXPECT_LT(model.experts_chosen * model.expert_parameters, model.active_parameters);
  }
  for (const WorkloadSpec& workload : presets->workloads()) {
    SCOPED_TRACE(workload.name);
    EXPECT_GT(workload.prompt_tokens.mean, 0);
    EXPECT_GT(workload.output_tokens.mean, 0);
    EXPECT_GE(workload.max_tokens, workload.output_tokens.mean);
    EXPECT_FALSE(workload.title.empty());
  }
}

TEST(PresetsTest, EnginesChangeWithTheirReleases) {
  const Result<Presets> presets = Presets::LoadBuiltin();
  ASSERT_TRUE(presets) << presets.error().message;
  EXPECT_EQ(presets->Engine("vllm", "0.6")->mixing, Mixing::kPrefillFirst);
  EXPECT_EQ(presets->Engine("vllm", "0.8.3")->mixing, Mixing::kMixed);
  EXPECT_FALSE(presets->Engine("vllm", "0.10")->host.overlapped);
  EXPECT_TRUE(presets->Engine("vllm", "0.30")->host.overlapped);
  EXPECT_EQ(presets->Engine("sglang", "0.5.9")->memory, MemoryPolicy::kRetract);
  EXPECT_EQ(presets->Engine("triton-trtllm", "1.0.0")->memory, MemoryPolicy::kReserve);
}

TEST(PresetsTest, UnknownNamesComeWithWhatWasMeant) {
  const Result<Presets> presets = Presets::LoadBuiltin();
  ASSERT_TRUE(presets) << presets.error().message;
  EXPECT_EQ(presets->Gpu("h1000").error().ToString(),
            "unknown GPU \"h1000\" (did you mean \"h100\"?)");
  EXPECT_EQ(presets->Workload("chatt").error().ToString(),
            "unknown workload \"chatt\" (did you mean \"chat\"?)");
  EXPECT_NE(presets->Model("gpt").error().hint.find("llama-3.1-8b"), std::string::npos);
  EXPECT_NE(presets->Engine("dcgm", "4.2.3").error().message.find("no engine"), std::string::npos);
}

}  // namespace
}  // namespace firstword::simulate
