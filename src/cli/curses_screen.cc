// ncurses declares the functions for wide characters only on demand.
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>

#include <algorithm>
#include <clocale>
#include <cstdlib>

#include "cli/watch/screen.h"

namespace firstword::cli {
namespace {

short PairOf(Ink ink) {
  switch (ink) {
    case Ink::kGood:
      return 1;
    case Ink::kWarn:
      return 2;
    case Ink::kBad:
      return 3;
    default:
      return 0;
  }
}

attr_t AttributesOf(const Grid::Cell& cell) {
  attr_t attributes = A_NORMAL;
  if (cell.ink == Ink::kBold || cell.ink == Ink::kBad) attributes |= A_BOLD;
  if (cell.ink == Ink::kDim) attributes |= A_DIM;
  if (cell.reverse) attributes |= A_REVERSE;
  return attributes;
}

Key KeyOfCurses(int code) {
  switch (code) {
    case KEY_UP:
      return Key::kUp;
    case KEY_DOWN:
      return Key::kDown;
    case KEY_PPAGE:
      return Key::kPageUp;
    case KEY_NPAGE:
      return Key::kPageDown;
    case KEY_HOME:
      return Key::kHome;
    case KEY_END:
      return Key::kEnd;
    case KEY_ENTER:
      return Key::kEnter;
    case KEY_BACKSPACE:
    case KEY_LEFT:
      return Key::kBack;
    case KEY_RIGHT:
      return Key::kEnter;
    case KEY_RESIZE:
      return Key::kResize;
    default:
      return KeyOf(code);
  }
}

class CursesScreen final : public Screen {
 public:
  explicit CursesScreen(SCREEN* screen, bool color) : screen_(screen) {
    cbreak();
    noecho();
    nonl();
    curs_set(0);
    keypad(stdscr, true);
    // Escape alone is a key here; the rest of an arrow key arrives at once.
    set_escdelay(25);
    color_ = color && has_colors();
    if (!color_) return;
    start_color();
    use_default_colors();
    init_pair(1, COLOR_GREEN, -1);
    init_pair(2, COLOR_YELLOW, -1);
    init_pair(3, COLOR_RED, -1);
  }

  ~CursesScreen() override {
    endwin();
    delscreen(screen_);
  }

  ScreenSize size() const override {
    return {static_cast<std::size_t>(getmaxx(stdscr)), static_cast<std::size_t>(getmaxy(stdscr))};
  }

  void Show(const Grid& grid) override {
    erase();
    const ScreenSize screen = size();
    for (std::size_t row = 0; row < std::min(grid.rows(), screen.rows); ++row) {
      for (std::size_t column = 0; column < std::min(grid.columns(), screen.columns); ++column) {
        PutCell(column, row, grid.At(column, row));
      }
    }
    refresh();
  }

  std::optional<Key> NextKey(std::chrono::milliseconds wait) override {
    timeout(static_cast<int>(wait.count()));
    const int code = getch();
    if (code == ERR) return std::nullopt;
    return KeyOfCurses(code);
  }

 private:
  void PutCell(std::size_t column, std::size_t row, const Grid::Cell& cell) {
    if (cell.character == 0) return;
    const wchar_t text[2] = {static_cast<wchar_t>(cell.character), L'\0'};
    cchar_t complex;
    setcchar(&complex, text, AttributesOf(cell), color_ ? PairOf(cell.ink) : short{0}, nullptr);
    mvadd_wch(static_cast<int>(row), static_cast<int>(column), &complex);
  }

  SCREEN* screen_;
  bool color_ = false;
};

// Containers often have no locale; the terminal in front of them still reads UTF-8.
void UseUnicodeLocale() {
  const char* current = std::setlocale(LC_ALL, "");
  if (current == nullptr || MB_CUR_MAX == 1) std::setlocale(LC_CTYPE, "C.UTF-8");
}

}  // namespace

Result<std::unique_ptr<Screen>> OpenTerminal(bool color) {
  UseUnicodeLocale();
  SCREEN* screen = newterm(nullptr, stdout, stdin);
  if (screen == nullptr) {
    return Fail(ErrorCode::kIo, "this terminal cannot show a full screen",
                "add --plain, or set TERM");
  }
  return std::make_unique<CursesScreen>(screen, color);
}

}  // namespace firstword::cli
