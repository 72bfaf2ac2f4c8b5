#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cli/command.h"
#include "harness/score/scoreboard.h"

// The commands of the second program, by which fixpoint measures itself. It is started by `./fixpoint score`.
namespace fixpoint::score {

using cli::Arguments;

int score_bugs(const Arguments& arguments);
int score_strangers(const Arguments& arguments);
int score_problems(const Arguments& arguments);
int score_definitions(const Arguments& arguments);

/// Options that the families with a scoreboard have in common.
struct BoardFlags {
  std::vector<std::string> names = {};
  std::string file = {};    ///< the committed scoreboard, without .json
  std::string things = {};  ///< bugs or strangers
  std::string check = {};
  bool saves = false, json = false;
  std::optional<Scoreboard> committed = {};
};

/// Declares NAME, --check, --save and --json.
void add_board_options(cli::Options& line, BoardFlags& flags);

/// Reads the scoreboard of --check, and makes sure that --save can write. Returns an exit code for bad input.
std::optional<int> prepare(BoardFlags& flags);

/// Prints the board, or what is lost against that of --check, and saves it; `known` is the number of things
/// that were to be tried. Returns the exit code.
int conclude(const Scoreboard& board, std::size_t known, const BoardFlags& flags);

}  // namespace fixpoint::score
