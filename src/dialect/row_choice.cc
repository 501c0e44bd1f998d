#include "dialect/row_choice.h"

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace firstword::dialect {
namespace {

using promql::IsSample;
using promql::IsStale;
using promql::Labels;

constexpr int kNobody = -1;
using Winners = std::vector<int>;  // by row: index of the offer

// Of one page only these tell replicas apart.
std::string ReplicaOf(const Labels& labels) {
  std::string key(labels.Get("instance"));
  key += '\n';
  key += labels.Get("replica");
  return key;
}

std::map<std::string, Winners> FindWinners(std::span<const Offer> offers, std::size_t rows) {
  std::map<std::string, Winners> winners;
  for (std::size_t i = 0; i < offers.size(); ++i) {
    for (const AlternativeColumn& one : offers[i].columns) {
      Winners& replica =
          winners.try_emplace(ReplicaOf(one.column.labels), rows, kNobody).first->second;
      for (std::size_t row = 0; row < rows; ++row) {
        if (replica[row] == kNobody && IsSample(one.column.values[row])) {
          replica[row] = static_cast<int>(i);
        }
      }
    }
  }
  return winners;
}

// One canonical series and the offers that have it.
class SeriesBuilder {
 public:
  SeriesBuilder(std::span<const Offer> offers, const Winners& winners)
      : offers_(offers), winners_(winners), by_offer_(offers.size(), nullptr) {}

  void Add(std::size_t offer, const PartColumn& column) { by_offer_[offer] = &column; }

  ChosenColumn Build(promql::SharedLabels labels, const std::vector<TimestampMs>& times) const {
    ChosenColumn chosen;
    CanonicalColumn& out = chosen.column;
    out.labels = std::move(labels);
    out.values.reserve(times.size());
    int last = kNobody;  // the offer of the newest sample so far
    for (std::size_t row = 0; row < times.size(); ++row) {
      const double value = ValueAt(row, last);
      if (IsSample(value) && std::exchange(last, winners_[row]) != winners_[row]) {
        out.origins.push_back(OriginAt(row, times));
      }
      out.values.push_back(value);
    }
    if (last != kNobody) {
      const PartColumn& newest = *by_offer_[static_cast<std::size_t>(last)];
      if (IsSample(out.values.back())) out.copies = newest.copies;
      chosen.relayed = newest.relayed;
    }
    CountDropped(out);
    return chosen;
  }

 private:
  [[nodiscard]] const PartColumn* WinnerAt(std::size_t row) const {
    return winners_[row] == kNobody ? nullptr : by_offer_[static_cast<std::size_t>(winners_[row])];
  }

  [[nodiscard]] double ValueAt(std::size_t row, int last) const {
    const PartColumn* winner = WinnerAt(row);
    if (winner != nullptr && IsSample(winner->values[row])) return winner->values[row];
    const bool taken_over = last != kNobody && winners_[row] != kNobody && winners_[row] != last;
    const bool ended = std::ranges::any_of(by_offer_, [row](const PartColumn* column) {
      return column != nullptr && IsStale(column->values[row]);
    });
    return taken_over || ended ? promql::kStale : promql::kNoSample;
  }

  [[nodiscard]] Origin OriginAt(std::size_t row, const std::vector<TimestampMs>& times) const {
    const Offer& offer = offers_[static_cast<std::size_t>(winners_[row])];
    return {.from = times[row],
            .dialect = offer.dialect,
            .alternative = offer.alternative,
            .series = WinnerAt(row)->series};
  }

  // Values of an alternative that another one outranks anyway do not matter.
  void CountDropped(CanonicalColumn& out) const {
    for (std::size_t i = 0; i < by_offer_.size(); ++i) {
      if (by_offer_[i] == nullptr) continue;
      for (const DroppedValue& dropped : by_offer_[i]->dropped) {
        const int winner = winners_[dropped.row];
        if (winner != kNobody && winner < static_cast<int>(i)) continue;
        ++out.dropped;
        out.last_dropped = dropped.value;
      }
    }
  }

  std::span<const Offer> offers_;
  const Winners& winners_;
  std::vector<const PartColumn*> by_offer_;
};

promql::SharedLabels Named(Labels labels, const WantedSignal& wanted,
                           Catalog::Component component) {
  labels.Set(promql::kMetricName, SeriesNameOf(*wanted.signal, component));
  return std::make_shared<const Labels>(std::move(labels));
}

bool SaysSomething(const CanonicalColumn& column) {
  return column.dropped > 0 || std::ranges::any_of(column.values, IsSample);
}

// Without a rival nothing is to be chosen; this is the common case and twice as
// fast (dialect_bench).
ChosenColumn TakeAll(const Offer& offer, PartColumn& column, promql::SharedLabels labels,
                     const std::vector<TimestampMs>& times) {
  ChosenColumn chosen{.column = {}, .relayed = column.relayed};
  CanonicalColumn& out = chosen.column;
  out.labels = std::move(labels);
  out.values = std::move(column.values);
  if (IsSample(out.values.back())) out.copies = column.copies;
  out.dropped = column.dropped.size();
  if (out.dropped > 0) out.last_dropped = column.dropped.back().value;
  const auto first = std::ranges::find_if(out.values, IsSample);
  if (first != out.values.end()) {
    out.origins.push_back({.from = times[static_cast<std::size_t>(first - out.values.begin())],
                           .dialect = offer.dialect,
                           .alternative = offer.alternative,
                           .series = std::move(column.series)});
  }
  return chosen;
}

}  // namespace

std::vector<ChosenColumn> ChooseRows(std::vector<Offer> offers, const WantedSignal& wanted,
                                     const std::vector<TimestampMs>& times) {
  std::vector<ChosenColumn> chosen;
  const auto keep = [&](ChosenColumn column) {
    if (SaysSomething(column.column)) chosen.push_back(std::move(column));
  };
  if (offers.size() == 1) {
    for (auto& [component, column] : offers.front().columns) {
      if (!wanted.Has(component)) continue;
      promql::SharedLabels labels = Named(std::move(column.labels), wanted, component);
      keep(TakeAll(offers.front(), column, std::move(labels), times));
    }
    return chosen;
  }
  const std::map<std::string, Winners> winners = FindWinners(offers, times.size());
  std::map<std::pair<Catalog::Component, Labels>, SeriesBuilder> builders;
  for (std::size_t i = 0; i < offers.size(); ++i) {
    for (const auto& [component, column] : offers[i].columns) {
      if (!wanted.Has(component)) continue;
      const Winners& replica = winners.find(ReplicaOf(column.labels))->second;
      builders.try_emplace({component, column.labels}, offers, replica)
          .first->second.Add(i, column);
    }
  }
  for (const auto& [key, builder] : builders) {
    keep(builder.Build(Named(key.second, wanted, key.first), times));
  }
  return chosen;
}

}  // namespace firstword::dialect
