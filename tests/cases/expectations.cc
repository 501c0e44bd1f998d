#include "expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "signals/xid.h"
#include "vocabulary.h"

namespace firstword::cases {
namespace {

using simdjson::dom::element;
using Look = CaseRun::Look;

struct Context {
  CaseRun& run;
  const Question& question;
  Score& score;
};

// A string or a list of strings.
void ForEachText(element value, const std::function<void(std::string_view)>& f) {
  if (value.is_string()) return f(std::string_view{value});
  for (const element one : simdjson::dom::array(value)) f(std::string_view{one});
}

bool SourceNames(const Look& look, std::string_view raw, std::string_view* signal = nullptr) {
  for (const signals::TargetReport& report : look.reports) {
    for (const signals::ReplicaSignals& replica : report.replicas) {
      for (const auto& [name, value] : replica.values) {
        if (std::find(value.source.begin(), value.source.end(), raw) == value.source.end())
          continue;
        if (signal != nullptr) *signal = name;
        return true;
      }
    }
  }
  return false;
}

void Values(Context& c, element want) {
  for (const auto [key, value] : simdjson::dom::object(want)) {
    CheckFigure(c.run, c.question, key, value, c.score);
  }
}

void Canonical(Context& c, element want) {
  for (const auto [key, value] : simdjson::dom::object(want)) {
    CheckCanonical(c.run, key, value, c.score);
  }
}

// Raw names of one and the same signal, whatever page they are on.
void SameMetric(Context& c, element want) {
  std::string_view first;
  ForEachText(want, [&](std::string_view raw) {
    std::string_view signal;
    const bool known = SourceNames(c.run.Whole(), raw, &signal);
    if (first.empty()) first = signal;
    c.score.Check(known && signal == first,
                  fmt::format("{} is the same signal as the others, not {}", raw, signal));
  });
}

void Ignore(Context& c, element want) {
  const signals::Finding* created = c.run.Whole().Find("created_series");
  ForEachText(want, [&](std::string_view raw) {
    c.score.Check(!SourceNames(c.run.Whole(), raw), fmt::format("{} is no source", raw));
    c.score.Check(created != nullptr && std::find(created->series.begin(), created->series.end(),
                                                  raw) != created->series.end(),
                  fmt::format("{} is named as a time", raw));
  });
}

void RestartBetween(Context& c, element want) {
  bool detected = false;
  double after = 0;
  double before = 0;
  for (const signals::TargetReport& report : c.run.Whole().reports) {
    for (const signals::ReplicaSignals& replica : report.replicas) {
      for (const auto& [name, value] : replica.values) {
        for (const signals::LabelledValue& one : value.by) {
          if (!one.change || !one.change->reset) continue;
          detected = true;
          after = CaseRun::SecondsOf(one.change->reset_after);
          before = CaseRun::SecondsOf(one.change->reset_before);
        }
      }
    }
  }
  detected = detected && c.run.Whole().Find("restart") != nullptr;
  for (const auto [key, value] : simdjson::dom::object(want)) {
    if (key == "detected") {
      c.score.Check(detected == bool(value), fmt::format("restart detected: {}", bool(value)));
    } else if (key == "between") {
      const simdjson::dom::array between(value);
      c.score.Check(after == double(between.at(0)) && before == double(between.at(1)),
                    fmt::format("restart between t{} and t{}, not t{} and t{}",
                                double(between.at(0)), double(between.at(1)), after, before));
    } else {
      c.score.Check(false, fmt::format("no rule for key restart.{}", key));
    }
  }
}

void Events(Context& c, element want) {
  std::vector<signals::XidEvent> came;
  for (const signals::ReplicaRows& rows : c.run.Rows()) {
    const auto events = signals::XidEvents(rows);
    came.insert(came.end(), events.begin(), events.end());
  }
  const simdjson::dom::array list(want);
  c.score.Check(came.size() == list.size(),
                fmt::format("{} events, not {}", list.size(), came.size()));
  std::size_t i = 0;
  for (const element one : list) {
    if (i >= came.size()) break;
    for (const auto [key, value] : simdjson::dom::object(one)) {
      if (key == "t") {
        c.score.Check(CaseRun::SecondsOf(came[i].time) == double(value), "event at another time");
      } else if (key == "xid") {
        c.score.Check(came[i].code == int64_t(value), "event of another code");
      } else {
        c.score.Check(false, fmt::format("no rule for key events.{}", key));
      }
    }
    ++i;
  }
}

// The signal the question asks for is one series with a value at every scrape.
void ContinuousSeries(Context& c, element want) {
  const std::string signal = SignalInQuestion(c.question.text).value_or("");
  bool continuous = false;
  for (const signals::ReplicaRows& rows : c.run.Rows()) {
    const auto columns = rows.Find(signal);
    if (columns.size() != 1) continue;
    const auto& values = columns.front().data.values;
    continuous = values.size() == c.run.times().size() &&
                 std::all_of(values.begin(), values.end(), promql::IsSample);
  }
  c.score.Check(continuous == bool(want), fmt::format("{} is one continuous series", signal));
}

void Type(Context& c, element want) {
  const std::string signal = SignalInQuestion(c.question.text).value_or("");
  std::string_view came = "absent";
  for (const signals::TargetReport& report : c.run.Whole().reports) {
    for (const signals::ReplicaSignals& replica : report.replicas) {
      if (const auto* value = replica.Find(signal))
        came = dialect::SignalTypeName(value->def->type);
    }
  }
  c.score.Check(came == std::string_view{want},
                fmt::format("type {}, not {}", std::string_view{want}, came));
}

void Diagnosis(Context& c, element want) {
  const std::string_view label{want};
  const auto code = FindingForDiagnosis(label);
  if (!code) {
    c.score.Check(false, fmt::format("no rule for diagnosis {}", label));
    return;
  }
  c.score.Check(c.run.Whole().Find(std::string(*code)) != nullptr,
                fmt::format("finding {} for diagnosis {}, not there", *code, label));
}

void Said(Context& c, element want) {
  ForEachText(want, [&](std::string_view text) { CheckSaid(c.run, c.question, text, c.score); });
}

void NotSaid(Context& c, element want) {
  ForEachText(want, [&](std::string_view text) { CheckNotSaid(c.run, c.question, text, c.score); });
}

void Answer(Context& c, element want) {
  CheckAnswer(c.run, c.question, std::string_view{want}, c.score);
}

void ForPeople(Context&, element) {}

struct Rule {
  std::string_view key;
  void (*check)(Context&, element);
};
constexpr Rule kRules[] = {
    {"values", Values},
    {"canonical", Canonical},
    {"canonical_same_metric", SameMetric},
    {"ignore", Ignore},
    {"restart", RestartBetween},
    {"events", Events},
    {"continuous_series", ContinuousSeries},
    {"type", Type},
    {"diagnosis", Diagnosis},
    {"answer", Answer},
    {"evidence", Said},
    {"must_warn", Said},
    {"must_also_say", Said},
    {"reason", Said},
    {"meaning", Said},
    {"helpful", Said},
    {"useful_as", Said},
    {"alert", Said},
    {"severity", Said},
    {"must_not", NotSaid},
    {"note", ForPeople},
};

constexpr std::string_view kLater[] = {"lint", "fires", "should_fire"};

}  // namespace

void CheckExpected(CaseRun& run, const Question& question, simdjson::dom::object expected,
                   Score& score) {
  Context context{run, question, score};
  for (const auto [key, value] : expected) {
    if (std::find(std::begin(kLater), std::end(kLater), key) != std::end(kLater)) {
      score.later.emplace_back(key);
      continue;
    }
    const auto rule = std::find_if(std::begin(kRules), std::end(kRules),
                                   [name = key](const Rule& r) { return r.key == name; });
    if (rule != std::end(kRules)) {
      rule->check(context, value);
    } else if (value.is_object()) {
      CheckQuantileDoubt(run, question, key, simdjson::dom::object(value), score);
    } else {
      score.Check(false, fmt::format("no rule for key {}", key));
    }
  }
}

}  // namespace firstword::cases
