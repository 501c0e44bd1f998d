#include "cli/watch/fleet_layout.h"

#include <gtest/gtest.h>

#include <limits>

#include "cli/golden.h"
#include "cli/watch/gpu_join.h"
#include "cli/watch/watch_text.h"

namespace firstword::cli {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

FleetRow Row(std::string name, RowState state, double running, double waiting, double kv) {
  FleetRow row;
  row.id = row.name = std::move(name);
  row.engine = "vLLM 0.30.0+";
  row.state = state;
  row.age_seconds = 0.4;
  row.running = running;
  row.waiting = waiting;
  row.kv_usage = kv;
  row.preemptions_per_second = 0;
  row.tokens_per_second = 1234;
  row.prefix_hits = 0.496;
  row.ttft_p50 = signals::Interval{0.1, 0.25};
  row.ttft_p99 = signals::Interval{0.5, 0.75};
  row.itl_p99 = signals::Interval{0.025, 0.05};
  row.waiting_history = {0, 0, waiting / 2, waiting};
  return row;
}

// A fleet with one of each: waiting, serving, no KV figure, down, a gateway, GPUs.
FleetView SampleFleet() {
  FleetView view;
  view.headline = {signals::Headline::State::kWaiting,
                   "users are waiting: 15 queued, TTFT p99 between 5 s and 10 s, of which queue "
                   "96 %"};
  view.summary.replicas = 3;
  view.summary.running = 96;
  view.summary.waiting = 15;
  view.summary.kv_usage_max = 0.9725;
  view.summary.generation_tokens_per_second = 4321;
  view.targets = 6;
  view.answering = 5;
  view.time_text = "13:14:07";
  view.interval_seconds = 2;
  view.window_seconds = 30;

  FleetRow drowning = Row("10.0.0.7:8000", RowState::kWaiting, 64, 15, 0.9725);
  drowning.preemptions_per_second = 0.4;
  drowning.ttft_p50 = signals::Interval{2.5, 5};
  drowning.ttft_p99 = signals::Interval{10, kInf};
  FleetRow sparse = Row("10.0.0.9:30000", RowState::kIdle, 0, 0, 0);
  sparse.engine = "SGLang 0.5.9–0.5.12";
  sparse.kv_usage = sparse.preemptions_per_second = sparse.prefix_hits = std::nullopt;
  sparse.ttft_p50 = sparse.ttft_p99 = sparse.itl_p99 = std::nullopt;
  sparse.age_seconds = 9;
  FleetRow down;
  down.id = down.name = "10.0.0.10:8000";
  down.state = RowState::kDown;
  down.error = "http://10.0.0.10:8000/metrics: connection refused";
  down.failing_seconds = 75;
  view.replicas = {drowning, Row("10.0.0.8:8000", RowState::kServing, 32, 0, 0.61), sparse, down};

  FleetRow gateway;
  gateway.id = gateway.name = "10.0.0.1:29000";
  gateway.engine = "SGLang Model Gateway";
  gateway.state = RowState::kServing;
  gateway.running = 111;
  gateway.requests_per_second = 7.25;
  gateway.age_seconds = 1;
  view.gateways = {gateway};

  FleetRow gpus;
  gpus.id = gpus.name = "10.0.0.7:9400";
  gpus.engine = "DCGM exporter";
  gpus.gpu = {.utilization = 0.92, .tensor = 0.18, .dram = 0.71, .power_watts = 512.5};
  gpus.age_seconds = 1;
  view.gpu_pages = {gpus};

  JoinGpus(view.replicas, view.gpu_pages);
  SortRows(view.replicas, SortOrder::kPain);
  return view;
}

TEST(FleetLayoutTest, WideScreen) {
  LiveState state;
  state.selected = "10.0.0.8:8000";
  ExpectGolden("fleet_170x24.txt", RenderScreen(SampleFleet(), state, {170, 24}, true).Text());
  ExpectGolden("fleet_120x24.txt", RenderScreen(SampleFleet(), state, {120, 24}, true).Text());
}

TEST(FleetLayoutTest, NarrowScreenDropsWhatMattersLess) {
  ExpectGolden("fleet_80x24.txt", RenderScreen(SampleFleet(), LiveState(), {80, 24}, true).Text());
  ExpectGolden("fleet_80x12_ascii.txt",
               RenderScreen(SampleFleet(), LiveState(), {80, 12}, false).Text());
}

TEST(FleetLayoutTest, AnySizeIsDrawnInsideItsBounds) {
  const FleetView view = SampleFleet();
  LiveState help;
  help.help = true;
  for (std::size_t columns = 1; columns < 200; columns += 7) {
    for (std::size_t rows = 1; rows < 40; rows += 3) {
      for (const LiveState& state : {LiveState(), help}) {
        const Grid grid = RenderScreen(view, state, {columns, rows}, true);
        EXPECT_GE(grid.columns(), 40u);
        EXPECT_GE(grid.rows(), 8u);
      }
    }
  }
}

TEST(FleetLayoutTest, ColoursSayWhatTheWordsSay) {
  const Grid grid = RenderScreen(SampleFleet(), LiveState(), {120, 24}, true);
  EXPECT_EQ(grid.At(2, 2).ink, Ink::kBad);  // the headline
  EXPECT_TRUE(grid.At(0, 6).reverse);       // the first row is selected
  EXPECT_FALSE(grid.At(0, 7).reverse);
}

TEST(FleetLayoutTest, PausedAndHelp) {
  LiveState state;
  state.paused = true;
  EXPECT_NE(RenderScreen(SampleFleet(), state, {80, 24}, true).Text().find("PAUSED at 13:14:07"),
            std::string::npos);
  state.help = true;
  ExpectGolden("help_screen.txt", RenderScreen(SampleFleet(), state, {80, 24}, true).Text());
}

TEST(FleetLayoutTest, LongFleetScrollsToTheSelection) {
  FleetView view = SampleFleet();
  view.replicas.clear();
  for (int i = 0; i < 50; ++i) {
    view.replicas.push_back(Row("replica-" + std::to_string(i), RowState::kServing, 1, 0, 0.1));
  }
  LiveState state;
  state.selected = "replica-40";
  const std::string text = RenderScreen(view, state, {80, 24}, true).Text();
  EXPECT_NE(text.find("replica-40"), std::string::npos);
  EXPECT_EQ(text.find("replica-2 "), std::string::npos);
}

TEST(FleetLayoutTest, FocusOnATargetWithoutData) {
  LiveState state;
  state.selected = "10.0.0.10:8000";
  state.focused = true;
  ExpectGolden("focus_down.txt", RenderScreen(SampleFleet(), state, {80, 8}, true).Text());
}

TEST(WatchTextTest, Block) {
  ExpectGolden("watch_block.txt", WatchText(SampleFleet(), Paint(false), true));
}

TEST(SortRowsTest, Orders) {
  auto f = [](SortOrder order, std::string_view first, std::string_view last) {
    FleetView view = SampleFleet();
    SortRows(view.replicas, order);
    EXPECT_EQ(view.replicas.front().name, first) << SortOrderName(order);
    EXPECT_EQ(view.replicas.back().name, last) << SortOrderName(order);
  };
  f(SortOrder::kPain, "10.0.0.10:8000", "10.0.0.9:30000");
  f(SortOrder::kName, "10.0.0.10:8000", "10.0.0.9:30000");
  f(SortOrder::kWaiting, "10.0.0.7:8000", "10.0.0.10:8000");
  f(SortOrder::kTtft, "10.0.0.7:8000", "10.0.0.10:8000");
}

TEST(GpuJoinTest, ByHostOrTheOnlyPage) {
  EXPECT_EQ(HostOf("10.0.0.7:8000"), "10.0.0.7");
  EXPECT_EQ(HostOf("[fe80::1]:80"), "fe80::1");
  EXPECT_EQ(HostOf("/run/engine.sock"), "/run/engine.sock");

  std::vector<FleetRow> replicas(2);
  replicas[0].name = "a:8000";
  replicas[1].name = "b:8000";
  std::vector<FleetRow> pages(2);
  pages[0].name = "a:9400";
  pages[0].gpu.tensor = 0.1;
  pages[1].name = "c:9400";
  pages[1].gpu.tensor = 0.3;
  JoinGpus(replicas, pages);
  EXPECT_EQ(replicas[0].gpu.tensor, 0.1);
  EXPECT_FALSE(replicas[1].gpu.any());
  JoinGpus(replicas, std::span(pages).first(1));
  EXPECT_EQ(replicas[1].gpu.tensor, 0.1);
}

}  // namespace
}  // namespace firstword::cli
