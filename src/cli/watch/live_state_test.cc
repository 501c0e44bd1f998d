#include "cli/watch/live_state.h"

#include <gtest/gtest.h>

namespace firstword::cli {
namespace {

FleetView ThreeRows() {
  FleetView view;
  for (const char* name : {"a", "b", "c"}) {
    FleetRow row;
    row.id = row.name = name;
    view.replicas.push_back(row);
  }
  view.gateways.push_back(view.replicas.back());
  view.gateways.back().id = "gateway";
  return view;
}

TEST(LiveStateTest, MovesThroughAllSections) {
  const FleetView view = ThreeRows();
  LiveState state;
  auto f = [&](Key key, std::string_view want) {
    state.Press(key, view, 24);
    EXPECT_EQ(SelectedRow(view, state)->id, want);
  };
  f(Key::kUp, "a");
  f(Key::kDown, "b");
  f(Key::kDown, "c");
  f(Key::kDown, "gateway");
  f(Key::kDown, "gateway");
  f(Key::kHome, "a");
  f(Key::kEnd, "gateway");
  f(Key::kPageUp, "a");
}

TEST(LiveStateTest, FocusKeepsItsRowAndScrolls) {
  const FleetView view = ThreeRows();
  LiveState state;
  state.Press(Key::kEnter, view, 24);
  EXPECT_TRUE(state.focused);
  EXPECT_EQ(state.selected, "a");
  state.Press(Key::kDown, view, 24);
  EXPECT_EQ(state.scroll, 1u);
  EXPECT_EQ(state.selected, "a");
  state.Press(Key::kPageUp, view, 24);
  EXPECT_EQ(state.scroll, 0u);
  state.Press(Key::kBack, view, 24);
  EXPECT_FALSE(state.focused);
}

TEST(LiveStateTest, Switches) {
  const FleetView view = ThreeRows();
  LiveState state;
  state.Press(Key::kPause, view, 24);
  EXPECT_TRUE(state.paused);
  for (const SortOrder want :
       {SortOrder::kWaiting, SortOrder::kTtft, SortOrder::kName, SortOrder::kPain}) {
    state.Press(Key::kSort, view, 24);
    EXPECT_EQ(state.sort, want);
  }
  state.Press(Key::kReset, view, 24);
  EXPECT_TRUE(state.reset);
  state.Press(Key::kHelp, view, 24);
  EXPECT_TRUE(state.help);
  state.Press(Key::kPause, view, 24);  // only closes the sheet
  EXPECT_FALSE(state.help);
  EXPECT_TRUE(state.paused);
  state.Press(Key::kQuit, view, 24);
  EXPECT_TRUE(state.quit);
}

TEST(LiveStateTest, EmptyFleetHasNothingToSelect) {
  LiveState state;
  const FleetView view;
  state.Press(Key::kDown, view, 24);
  state.Press(Key::kEnter, view, 24);
  EXPECT_EQ(SelectedRow(view, state), nullptr);
  EXPECT_FALSE(state.focused);
}

TEST(LiveStateTest, Characters) {
  EXPECT_EQ(KeyOf('j'), Key::kDown);
  EXPECT_EQ(KeyOf('q'), Key::kQuit);
  EXPECT_EQ(KeyOf('?'), Key::kHelp);
  EXPECT_EQ(KeyOf(27), Key::kBack);
  EXPECT_EQ(KeyOf('\r'), Key::kEnter);
  EXPECT_EQ(KeyOf('x'), Key::kOther);
}

TEST(WaitingHistoryTest, KeepsTheNewestPoints) {
  WaitingHistory history(2);
  history.Append("a", 1);
  history.Append("a", std::nullopt);
  history.Append("a", 3);
  const std::vector<double> points = history.Of("a");
  ASSERT_EQ(points.size(), 2u);
  EXPECT_TRUE(points[0] != points[0]);
  EXPECT_EQ(points[1], 3);
  EXPECT_TRUE(history.Of("b").empty());
}

}  // namespace
}  // namespace firstword::cli
