#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <functional>

#include "expectations.h"
#include "signals/xid.h"
#include "vocabulary.h"

namespace firstword::cases {
namespace {

using Look = CaseRun::Look;
using State = signals::Headline::State;
using signals::Finding;

// A finding and the target it is about ("" the fleet).
struct Said {
  const Finding* finding = nullptr;
  std::string target;
};
Said FindSaid(const Look& look, std::string_view code) {
  for (const signals::TargetReport& report : look.reports) {
    if (const Finding* finding = report.FindFinding(code)) {
      return {finding, std::string(report.target.Get("instance"))};
    }
  }
  for (const Finding& finding : look.fleet.findings) {
    if (finding.code == code) return {&finding, {}};
  }
  return {};
}

bool Has(const Look& look, std::string_view code) {
  return FindSaid(look, code).finding != nullptr;
}

bool HoldsNumber(std::string_view text, const std::string& number) {
  const double wanted = std::strtod(number.c_str(), nullptr);
  const std::vector<std::string> numbers = NumbersIn(text);
  return std::any_of(numbers.begin(), numbers.end(), [wanted](const std::string& one) {
    return Near(std::strtod(one.c_str(), nullptr), wanted);
  });
}

std::size_t EventCount(CaseRun& run, std::optional<double> at = {}) {
  std::size_t count = 0;
  for (const signals::ReplicaRows& rows : run.Rows()) {
    for (const signals::XidEvent& event : signals::XidEvents(rows)) {
      if (!at || CaseRun::SecondsOf(event.time) == *at) ++count;
    }
  }
  return count;
}

bool AnyNegativeRate(const Look& look) {
  for (const signals::TargetReport& report : look.reports) {
    for (const signals::ReplicaSignals& replica : report.replicas) {
      for (const auto& [name, value] : replica.values) {
        if (value.rate.value_or(0) < 0 || value.increase.value_or(0) < 0) return true;
      }
    }
  }
  return false;
}

const signals::SignalValue* AnyValue(const Look& look, std::string_view signal) {
  for (const signals::TargetReport& report : look.reports) {
    for (const signals::ReplicaSignals& replica : report.replicas) {
      if (const auto* value = replica.Find(signal)) return value;
    }
  }
  return nullptr;
}

bool ReadsFrom(const signals::SignalValue* value, std::string_view part_of_name) {
  return value != nullptr &&
         std::any_of(value->source.begin(), value->source.end(), [&](const std::string& name) {
           return name.find(part_of_name) != std::string::npos;
         });
}

// Harmful claims in words: the claim is not made when the predicate holds.
struct Claim {
  std::string_view words;
  std::function<bool(CaseRun&, const Question&)> avoided;
};
const Claim kClaims[] = {
    {"negative rate", [](CaseRun& run, const Question&) { return !AnyNegativeRate(run.Whole()); }},
    {"without saying restart",
     [](CaseRun& run, const Question&) { return Has(run.Whole(), "restart"); }},
    {"average of the two p99",
     [](CaseRun& run, const Question& question) {
       double sum = 0;
       for (const std::string& target : question.targets) {
         sum += FindFigure(run, question, "p99_" + target).value.value_or(0);
       }
       const auto fleet = FindFigure(run, question, "p99_fleet").value;
       return fleet && !Near(*fleet, sum / static_cast<double>(question.targets.size()));
     }},
    {"scale out because gpu",
     [](CaseRun& run, const Question&) {
       return Has(run.Whole(), "gpu_busy_but_idle_pipes") &&
              run.Whole().headline.state != State::kWaiting;
     }},
    {"report no data without naming",
     [](CaseRun& run, const Question& question) {
       const auto* value = AnyValue(run.Whole(), SignalInQuestion(question.text).value_or(""));
       return value != nullptr && value->value && !value->source.empty();
     }},
    {"report 0",
     [](CaseRun& run, const Question& question) {
       const std::string signal = SignalInQuestion(question.text).value_or("");
       return std::all_of(run.times().begin(), run.times().end(), [&](double t) {
         const auto* value = AnyValue(run.LookAt(t, t), signal);
         return value != nullptr && value->value.value_or(0) != 0;
       });
     }},
    {"no traffic",
     [](CaseRun& run, const Question&) {
       return Has(run.Whole(), "no_progress") && run.Whole().headline.state == State::kWaiting;
     }},
    {"as if measured",
     [](CaseRun& run, const Question& question) {
       const auto interval = FindFigure(run, question, "p99").interval;
       return interval && std::isinf(interval->upper);
     }},
    {"without a mark",
     [](CaseRun& run, const Question&) { return Has(run.Whole(), "quantile_in_top_bucket"); }},
    {"no queue because the gauge",
     [](CaseRun& run, const Question&) {
       return Has(run.Whole(), "burst_between_scrapes") &&
              run.Whole().headline.state == State::kWaiting;
     }},
    {"two models", [](CaseRun& run, const Question&) { return run.Whole().fleet.replicas == 1; }},
    {"add replicas as the first advice",
     [](CaseRun& run, const Question&) {
       const Said said = FindSaid(run.Whole(), "deferred_waiting");
       return said.finding != nullptr && HasWords(said.finding->text, "more replicas do not help");
     }},
    {"treat it as a counter",
     [](CaseRun& run, const Question& question) {
       const auto* value = AnyValue(run.Whole(), SignalInQuestion(question.text).value_or(""));
       return value != nullptr && value->histogram && !value->rate;
     }},
    {"merge the two new histograms",
     [](CaseRun& run, const Question&) {
       const auto* itl = AnyValue(run.Whole(), "llm:itl_seconds");
       const auto* tpot = AnyValue(run.Whole(), "llm:tpot_seconds");
       return itl != nullptr && tpot != nullptr &&
              std::none_of(itl->source.begin(), itl->source.end(),
                           [&](const std::string& name) { return ReadsFrom(tpot, name); });
     }},
    {"per-request one as itl",
     [](CaseRun& run, const Question&) {
       const auto* itl = AnyValue(run.Whole(), "llm:itl_seconds");
       return itl != nullptr && !ReadsFrom(itl, "request_");
     }},
};

// "36 running", "pod running=2", "prefix hits 0", "0 %", "count 4 errors", "old: 0": a
// figure that must not come out. nullopt: not of that form.
std::optional<bool> WrongFigureAvoided(CaseRun& run, const Question& question,
                                       const std::string& claim) {
  const std::vector<std::string> words = [&] {
    std::vector<std::string> out(1);
    for (const char c : claim) {
      if (c == ' ' || c == '=') {
        out.emplace_back();
      } else {
        out.back() += c;
      }
    }
    return out;
  }();
  const auto number = [](const std::string& text) -> std::optional<double> {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0') return std::nullopt;
    return value;
  };
  const Look& look = run.Whole();
  const auto first = number(words.front());
  const auto last = number(words.back());
  const auto differs = [](std::optional<double> came, double wrong) {
    return !came || !Near(*came, wrong);
  };

  if (words.size() == 2 && words[0].ends_with(':') && last) {
    const std::string target = words[0].substr(0, words[0].size() - 1);
    return run.HasTarget(target) && !FindFigure(run, question, target).value;
  }
  if (words.size() == 2 && first && words[1] == "%") {
    return HasWords(question.text, "hit rate") &&
           differs(FindFigure(run, question, "hit_rate").value, *first / 100);
  }
  if (words.size() == 2 && first && SignalOf(words[1])) {
    return differs(FindFigure(run, question, words[1]).value, *first);
  }
  if (words.size() == 3 && words[0] == "count" && number(words[1]) && words[2] == "errors") {
    return EventCount(run) != static_cast<std::size_t>(*number(words[1]));
  }
  if (words.size() == 2 && words[0] == "count") {
    const std::size_t minus = words[1].find('-');
    const auto a = number(words[1].substr(0, minus));
    const auto b = minus == std::string::npos ? std::nullopt : number(words[1].substr(minus + 1));
    if (a && b) return differs(FindFigure(run, question, "increase").value, *a - *b);
  }
  if (words.size() == 3 && words[0] == "page" && words[1] == "at") {
    const auto time = words[2].starts_with('t') ? number(words[2].substr(1)) : std::nullopt;
    if (time) return EventCount(run, *time) == 0;
  }
  if (words.size() == 3 && last) {
    // "pod running=2": a partial sum may be shown, but never as the whole.
    if (const auto signal = SignalOf(words[1]); signal && claim.find('=') != std::string::npos) {
      return look.fleet.partial || differs(FindFigure(run, question, words[1]).value, *last);
    }
    if (SignalOf(words[0] + "_" + words[1])) {
      return differs(FindFigure(run, question, words[0] + "_" + words[1]).value, *last);
    }
  }
  return std::nullopt;
}

struct Answer {
  std::string_view question;
  std::string_view answer;  // its beginning
  std::function<bool(const Look&)> given;
};
const Answer kAnswers[] = {
    {"idle?", "unknown", [](const Look& l) { return l.headline.state == State::kUnknown; }},
    {"compute-bound?", "no", [](const Look& l) { return Has(l, "gpu_busy_but_idle_pipes"); }},
    {"hung?", "no",
     [](const Look& l) { return Has(l, "frozen_gauges") && !Has(l, "no_progress"); }},
    {"or broken?", "broken", [](const Look& l) { return Has(l, "no_progress"); }},
    {"standing queue", "yes", [](const Look& l) { return l.headline.state == State::kWaiting; }},
    {"should an alert", "no", [](const Look& l) { return l.headline.state != State::kWaiting; }},
};

// "new: none; old: no data"
std::optional<bool> AnswerPerTarget(CaseRun& run, const Question& question,
                                    std::string_view answer) {
  std::optional<bool> all;
  while (!answer.empty()) {
    const std::string part(answer.substr(0, answer.find("; ")));
    answer.remove_prefix(std::min(answer.size(), part.size() + 2));
    const std::size_t colon = part.find(": ");
    if (colon == std::string::npos || !run.HasTarget(part.substr(0, colon))) return std::nullopt;
    const auto value = FindFigure(run, question, part.substr(0, colon)).value;
    const std::string word = part.substr(colon + 2);
    if (word != "none" && word != "no data") return std::nullopt;
    all = all.value_or(true) && (word == "none" ? value == 0.0 : !value);
  }
  return all;
}

}  // namespace

void CheckAnswer(CaseRun& run, const Question& question, std::string_view answer, Score& score) {
  if (const auto given = AnswerPerTarget(run, question, answer)) {
    score.Check(*given, fmt::format("the answer is \"{}\"", answer));
    return;
  }
  const Look& look = run.Whole();
  for (const Answer& known : kAnswers) {
    if (!HasWords(question.text, known.question) || !answer.starts_with(known.answer)) continue;
    score.Check(known.given(look),
                fmt::format("the answer is \"{}\", not \"{}\"", answer, look.headline.text));
    // Of an answer "why: N of M", the numbers are part.
    const std::size_t colon = answer.find(": ");
    if (known.answer != "unknown" || colon == std::string_view::npos) return;
    for (const std::string& number : NumbersIn(answer.substr(colon))) {
      score.Check(HoldsNumber(look.headline.text, number),
                  fmt::format("\"{}\" names {}", look.headline.text, number));
    }
    return;
  }
  score.Check(false, fmt::format("no rule for answer \"{}\"", answer));
}

void CheckSaid(CaseRun& run, const Question& question, std::string_view sentence, Score& score) {
  const Sentence* known = SentenceFor(sentence);
  if (known == nullptr) {
    score.Check(false, fmt::format("no rule for \"{}\"", sentence));
    return;
  }
  const Said said = FindSaid(run.Whole(), known->code);
  score.Check(said.finding != nullptr,
              fmt::format("finding {} for \"{}\", not there", known->code, sentence));
  if (said.finding == nullptr) return;
  const std::string text = said.target + " " + said.finding->text;
  for (const std::string_view words : known->text) {
    score.Check(text.find(words) != std::string::npos,
                fmt::format("\"{}\" says \"{}\"", text, words));
  }
  for (const std::string& number : NumbersIn(sentence)) {
    score.Check(HoldsNumber(text, number), fmt::format("\"{}\" names {}", text, number));
  }
  for (const std::string& target : question.targets) {
    const bool meant =
        (" " + std::string(sentence) + " ").find(" " + target + " ") != std::string::npos;
    const bool named = text.find(target) != std::string::npos;
    score.Check(!meant || named, fmt::format("\"{}\" names {}", text, target));
  }
  constexpr std::string_view kSince = "since t";
  if (const std::size_t at = sentence.find(kSince); at != std::string_view::npos) {
    double since = 0;
    std::from_chars(sentence.data() + at + kSince.size(), sentence.data() + sentence.size(), since);
    score.Check(HoldsNumber(text, fmt::format("{}", run.times().back() - since)),
                fmt::format("\"{}\" says since when", text));
  }
}

void CheckNotSaid(CaseRun& run, const Question& question, std::string_view claim, Score& score) {
  const Look& look = run.Whole();
  const std::string failure = fmt::format("must not say \"{}\"", claim);
  if (IsDiagnosis(claim)) {
    const auto code = FindingForDiagnosis(claim);
    score.Check((!code || !Has(look, *code)) && look.headline.state != State::kWaiting, failure);
    return;
  }
  for (const Claim& known : kClaims) {
    if (!HasWords(claim, known.words)) continue;
    score.Check(known.avoided(run, question), failure);
    return;
  }
  if (const auto avoided = WrongFigureAvoided(run, question, std::string(claim))) {
    score.Check(*avoided, failure);
    return;
  }
  score.Check(false, fmt::format("no rule for must_not \"{}\"", claim));
}

}  // namespace firstword::cases
