#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "expectations.h"
#include "vocabulary.h"

namespace firstword::cases {
namespace {

using signals::Histogram;
using signals::SignalValue;
using Look = CaseRun::Look;
using Stat = Figure::Stat;

// The signal on the page of a target; for "" on the only page that has it.
const SignalValue* ValueIn(const Look& look, const std::string& target, const std::string& signal) {
  const SignalValue* found = nullptr;
  for (const signals::TargetReport& report : look.reports) {
    if (!target.empty() && report.target.Get("instance") != target) continue;
    for (const signals::ReplicaSignals& replica : report.replicas) {
      if (const SignalValue* value = replica.Find(signal)) found = value;
    }
  }
  return found;
}

const Histogram* HistogramIn(const Look& look, const Figure& figure) {
  if (figure.target.empty()) {
    if (figure.signal == "llm:ttft_seconds" && look.fleet.ttft) return &*look.fleet.ttft;
    if (figure.signal == "llm:itl_seconds" && look.fleet.itl) return &*look.fleet.itl;
  }
  const SignalValue* value = ValueIn(look, figure.target, figure.signal);
  return value != nullptr && value->histogram ? &*value->histogram : nullptr;
}

// Gauges that the fleet adds or averages are asked of the fleet.
std::optional<double> GaugeIn(const Look& look, const Figure& figure) {
  if (figure.target.empty()) {
    if (figure.signal == "llm:requests_running") return look.fleet.running;
    if (figure.signal == "llm:requests_waiting") return look.fleet.waiting;
    if (figure.signal == "llm:kv_cache_usage_ratio") {
      return figure.stat == Stat::kMean ? look.fleet.kv_usage_mean : look.fleet.kv_usage_max;
    }
  }
  const SignalValue* value = ValueIn(look, figure.target, figure.signal);
  return value == nullptr ? std::nullopt : value->value;
}

std::optional<double> PartOf(const SignalValue* value, const Figure& figure) {
  if (value == nullptr) return std::nullopt;
  std::optional<double> sum;
  for (const signals::LabelledValue& one : value->by) {
    if (one.labels.Get(figure.label) != figure.label_value) continue;
    const auto part = one.change ? std::optional(one.change->increase) : one.value;
    if (part) sum = sum.value_or(0) + *part;
  }
  return sum;
}

std::optional<double> Ratio(std::optional<double> part, const SignalValue* whole) {
  if (!part || whole == nullptr || !whole->increase || *whole->increase <= 0) return std::nullopt;
  return *part / *whole->increase;
}

std::optional<double> HistogramFigure(const Histogram& histogram, const Figure& figure) {
  const auto exactly = [&](double bound) -> std::optional<double> {
    const auto above = histogram.CountAbove(bound);
    if (!above || above->lower != above->upper) return std::nullopt;
    return above->lower;
  };
  switch (figure.stat) {
    case Stat::kMean:
      return histogram.Mean();
    case Stat::kQuantile:
      return histogram.Interpolated(figure.quantile);
    case Stat::kCount:
      return histogram.count();
    case Stat::kAbove:
      return exactly(figure.low);
    case Stat::kShare: {
      const auto low = exactly(figure.low);
      const auto high = exactly(figure.high);
      if (!low || !high || histogram.count().value_or(0) <= 0) return std::nullopt;
      return (*low - *high) / *histogram.count();
    }
    default:
      return std::nullopt;
  }
}

std::optional<double> FigureIn(const Look& look, const Figure& figure) {
  const signals::TargetReport* report = look.Report(figure.target);
  switch (figure.stat) {
    case Stat::kRanksKnown:
      return report ? std::optional<double>(report->ranks_known.size()) : std::nullopt;
    case Stat::kRanksReporting:
      return report ? std::optional<double>(report->ranks_reporting.size()) : std::nullopt;
    case Stat::kHitRate: {
      const SignalValue* hits = ValueIn(look, figure.target, "llm:prefix_cache_hits_total");
      return Ratio(hits ? hits->increase : std::nullopt,
                   ValueIn(look, figure.target, "llm:prefix_cache_queries_total"));
    }
    case Stat::kHitRateOf:
      return Ratio(
          PartOf(ValueIn(look, figure.target, "llm:prompt_tokens_by_source_total"), figure),
          ValueIn(look, figure.target, "llm:prompt_tokens_total"));
    case Stat::kByLabel:
      return PartOf(ValueIn(look, figure.target, figure.signal), figure);
    case Stat::kIncrease:
    case Stat::kRate: {
      const SignalValue* value = ValueIn(look, figure.target, figure.signal);
      if (value == nullptr) return std::nullopt;
      return figure.stat == Stat::kRate ? value->rate : value->increase;
    }
    default:
      break;
  }
  if (const Histogram* histogram = HistogramIn(look, figure)) {
    return HistogramFigure(*histogram, figure);
  }
  return GaugeIn(look, figure);
}

// A figure that must not come out equals none that the product gives for the signal.
void CheckWrong(const Look& look, Figure figure, std::string_view key, double wrong, Score& score) {
  for (const Stat stat : {Stat::kValue, Stat::kMean, Stat::kMax, Stat::kQuantile}) {
    figure.stat = stat;
    figure.quantile = 0.99;
    const auto came = FigureIn(look, figure);
    score.Check(!came || !Near(*came, wrong),
                fmt::format("{}: {} came out, which is the wrong figure", key, wrong));
  }
}

}  // namespace

bool Near(double a, double b) {
  return std::abs(a - b) <= 0.005 * std::max(std::abs(a), std::abs(b));
}

std::string Text(std::optional<double> value) {
  return value ? fmt::format("{:.6g}", *value) : "no data";
}

Found FindFigure(CaseRun& run, const Question& question, std::string_view key) {
  const auto figure = ParseFigure(key, question.text, question.targets);
  if (!figure) return {};
  const Look& look = run.LookAt(figure->from.value_or(run.times().front()),
                                figure->to.value_or(run.times().back()));
  Found found{.known_key = true, .value = FigureIn(look, *figure), .interval = {}};
  if (figure->stat == Stat::kQuantile) {
    const Histogram* histogram = HistogramIn(look, *figure);
    if (histogram != nullptr) found.interval = histogram->Quantile(figure->quantile);
  }
  return found;
}

void CheckFigure(CaseRun& run, const Question& question, std::string_view key,
                 simdjson::dom::element want, Score& score) {
  const auto figure = ParseFigure(key, question.text, question.targets);
  if (!figure) {
    score.Check(false, fmt::format("no rule for key values.{}", key));
    return;
  }
  if (want.is_object()) {
    for (const auto [time, value] : simdjson::dom::object(want)) {
      double t = 0;
      std::from_chars(time.data(), time.data() + time.size(), t);
      const auto came = FigureIn(run.LookAt(t, t), *figure);
      score.Check(came && Near(*came, double(value)),
                  fmt::format("{} at t{} is {}, not {}", key, t, double(value), Text(came)));
    }
    return;
  }
  if (!want.is_null() && !want.is_number()) {
    score.Check(false, fmt::format("no rule for the type of values.{}", key));
    return;
  }
  if (figure->stat == Stat::kWrong) {
    CheckWrong(run.Whole(), *figure, key, double(want), score);
    return;
  }
  const Found found = FindFigure(run, question, key);
  if (want.is_null()) {
    score.Check(!found.value, fmt::format("{} has no data, not {}", key, Text(found.value)));
    return;
  }
  const double number = double(want);
  score.Check(found.value && Near(*found.value, number),
              fmt::format("{} is {}, not {}", key, number, Text(found.value)));
  if (found.interval) {
    score.Check(found.interval->lower <= number && number <= found.interval->upper,
                fmt::format("{} = {} lies outside its interval", key, number));
  }
}

void CheckCanonical(CaseRun& run, std::string_view word, simdjson::dom::element want,
                    Score& score) {
  Figure figure;
  figure.signal = SignalOf(word).value_or("");
  if (figure.signal.empty()) {
    score.Check(false, fmt::format("no rule for key canonical.{}", word));
    return;
  }
  if (want.is_object()) {
    CheckFigure(run, {}, word, want, score);
    return;
  }
  const SignalValue* value = ValueIn(run.Whole(), "", figure.signal);
  if (want.is_string()) {
    const std::string raw(std::string_view{want});
    const bool from_it =
        value != nullptr && !value->source.empty() &&
        std::all_of(value->source.begin(), value->source.end(),
                    [&](const std::string& name) { return name.starts_with(raw); });
    score.Check(from_it, fmt::format("{} is read from {}", figure.signal, raw));
    return;
  }
  const auto came = value == nullptr ? std::nullopt : value->value;
  score.Check(want.is_number() && came && *came == double(want),
              fmt::format("{} is not as expected but {}", word, Text(came)));
}

void CheckQuantileDoubt(CaseRun& run, const Question& question, std::string_view key,
                        simdjson::dom::object want, Score& score) {
  const auto figure = ParseFigure(key, question.text, question.targets);
  const Histogram* histogram = figure ? HistogramIn(run.Whole(), *figure) : nullptr;
  const auto interval = histogram ? histogram->Quantile(figure->quantile) : std::nullopt;
  if (!interval) {
    score.Check(false, fmt::format("{} has no interval", key));
    return;
  }
  for (const auto [name, value] : want) {
    if (name == "known") {
      score.Check(std::isinf(interval->upper) != bool(value),
                  fmt::format("{} known: {}", key, bool(value)));
    } else if (name == "at_least") {
      score.Check(interval->lower == double(value),
                  fmt::format("{} at least {}, not {}", key, double(value), interval->lower));
    } else if (name == "share_above_top_bucket") {
      const double above = histogram->CountAbove(*histogram->TopBound())->lower;
      const double share = above / *histogram->count();
      score.Check(Near(share, double(value)),
                  fmt::format("{} above the top bucket: {}, not {}", key, double(value), share));
    } else {
      score.Check(false, fmt::format("no rule for key {}.{}", key, name));
    }
  }
}

}  // namespace firstword::cases
