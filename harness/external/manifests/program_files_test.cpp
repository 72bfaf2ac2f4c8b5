#include "harness/external/manifests/program_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace fixpoint::external {
namespace {

namespace files = std::filesystem;

/// A folder with files, which is removed at the end.
class Folder {
 public:
  Folder() : path_(files::temp_directory_path() / ("program_files." + std::to_string(::getpid()))) {
    files::remove_all(path_);
  }
  ~Folder() { files::remove_all(path_); }
  std::string write(const std::string& name, const std::string& text) const {
    const files::path path = path_ / name;
    files::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.string();
  }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }

 private:
  files::path path_;
};

/// Returns the names of the texts below the folder, in their order.
std::vector<std::string> names_of(const std::vector<runner::ProgramText>& texts, const Folder& folder) {
  std::vector<std::string> names;
  for (const auto& text : texts)
    names.push_back(files::path(text.path).lexically_relative(folder.path()).string());
  return names;
}
std::vector<std::string> names_of(const std::vector<std::string>& argv, const Folder& folder) {
  return names_of(files_of_command(argv).texts, folder);
}
using Names = std::vector<std::string>;

TEST(ProgramFiles, FollowsTheImportsOfPython) {
  const Folder folder;
  const std::string main = folder.write("app/hook.py",
                                        "import sys; sys.path.insert(0, sys.path[0] + '/../shared')\n"
                                        "import os, base64\n"
                                        "from base import *\n"
                                        "from rules import (keys,\n  other)\n"
                                        "import rules.deep.names as n  # and no more\n");
  folder.write("shared/base.py", "from hook import x");
  folder.write("app/rules/__init__.py", "from . import near\nfrom .deep import names\nfrom ..far import x\n");
  folder.write("app/rules/keys.py", "");
  folder.write("app/rules/near.py", "");
  folder.write("app/rules/deep/names.py", "");
  folder.write("app/far.py", "");
  folder.write("app/unrelated.py", "");
  EXPECT_EQ(names_of({"python3", main, "buggy"}, folder),
            (Names{"app/hook.py", "shared/base.py", "app/rules/__init__.py", "app/rules/keys.py",
                   "app/rules/deep/names.py", "app/rules/near.py", "app/far.py"}));
}

TEST(ProgramFiles, FollowsTheImportsOfNode) {
  const Folder folder;
  const std::string main = folder.write("hook.js",
                                        "const {a} = require('./base'), fs = require('fs');\n"
                                        "import x from './lib';\nexport * from './typed.js'\n"
                                        "const other = await import('keys')\n");
  folder.write("base.js", "require('./hook.js')");
  folder.write("lib/package.json", R"({"main": "src/main.mjs"})");
  folder.write("lib/src/main.mjs", "");
  folder.write("typed.ts", "");
  folder.write("node_modules/keys/index.js", "require('deeper')");
  folder.write("node_modules/deeper/index.js", "");
  EXPECT_EQ(names_of({"node", main}, folder),
            (Names{"hook.js", "base.js", "lib/src/main.mjs", "typed.ts", "node_modules/keys/index.js"}))
      << "what is installed comes last, and not what that imports";
}

TEST(ProgramFiles, FollowsModulesFoldersAndTheCommandsOfScripts) {
  const Folder folder;
  folder.write("app/__main__.py", "from . import keys");
  folder.write("app/keys.py", "");
  const std::string script =
      folder.write("run.sh",
                   "#!/bin/sh\n# hook.js\nexec python3 \"$(dirname \"$0\")\"/app/__main__.py\n"
                   "node $HERE/hook.js\n");
  folder.write("hook.js", "");
  EXPECT_EQ(names_of({"python3", folder / "app"}, folder), (Names{"app/__main__.py", "app/keys.py"}));
  EXPECT_EQ(names_of({"sh", script}, folder), (Names{"run.sh", "app/__main__.py", "hook.js", "app/keys.py"}));
  EXPECT_EQ(names_of({"sh", "-c", "exec node " + (folder / "hook.js")}, folder), Names{"hook.js"});
}

TEST(ProgramFiles, FollowsThePackagesOfAModuleOfGo) {
  const Folder folder;
  folder.write("go.mod", "module example.com/hook\n\ngo 1.22\n");
  folder.write("cmd/main.go", "import (\n\t\"fmt\"\n\tkeys \"example.com/hook/internal/keys\"\n)\n");
  folder.write("cmd/main_test.go", "");
  folder.write("internal/keys/keys.go", "package keys");
  folder.write("internal/other/other.go", "package other");
  EXPECT_EQ(names_of({"go", "run", folder / "cmd"}, folder), (Names{"cmd/main.go", "internal/keys/keys.go"}));
}

TEST(ProgramFiles, FindsTheFolderOfTheSources) {
  const Folder folder;
  const std::string script = folder.write("app/hook.py", "");
  EXPECT_EQ(source_folder_of({"python3", script}), "") << "any folder may hold a script";
  folder.write("app/requirements.txt", "");
  EXPECT_EQ(source_folder_of({"python3", script}), folder / "app");
  folder.write("hook/go.mod", "module example.com/hook\n");
  const std::string program = folder.write("hook/bin/hook",
                                           "\x7f"
                                           "ELF and more");
  EXPECT_EQ(source_folder_of({program, "--stdio"}), folder / "hook");
}

TEST(ProgramFiles, KeepsItsLimits) {
  const Folder folder;
  for (const char* name : {"a.py", "b.py", "c.py", "vendor/a.py", "binary.md", "notes.bin"})
    folder.write(name, "text of ten");
  folder.write("a.py", std::string("a\0b", 3));
  folder.write("large.py", std::string(100, 'x'));
  files::create_symlink("/etc/passwd", folder / "passwd.py");
  files::create_symlink(folder / "b.py", folder / "same.py");
  files::create_directory_symlink(folder.path(), folder / "circle");
  const auto names = [&](const ProgramLimits& limits) {
    return names_of(files_of_folder(folder.path(), limits), folder);
  };
  EXPECT_EQ(names({.file_bytes_max = 50}), (Names{"b.py", "binary.md", "c.py", "vendor/a.py"}))
      << "no link out of the folder, no file twice, vendored ones last";
  EXPECT_EQ(names({.file_bytes_max = 50, .files_max = 2}).size(), 2u);
  EXPECT_EQ(names({.file_bytes_max = 50, .bytes_max = 25}).size(), 2u);
}

/// The documents that sources and the command line name are the program's configuration.
TEST(ProgramFiles, ReadsTheDocumentsThatAProgramNames) {
  const Folder folder;
  const std::string main =
      folder.write("hook.py",
                   "import json, os, rules\n"
                   "HERE = os.path.dirname(__file__)\n"
                   "CONFIG = json.load(open(os.path.join(HERE, 'sets.json')))\n"
                   "OTHER = open('/etc/passwd.yaml'), open('../up.yaml'), open('no.yml')\n");
  folder.write("rules.py", "RULES = os.path.join(HERE, 'data', 'rules.yaml')\n");
  folder.write("sets.json", "{\"path\": \"data/not-named.yaml\"}");
  const std::string given = folder.write("given.yaml", "a: 1\n");
  for (const char* name : {"data/rules.yaml", "data/not-named.yaml", "other.json"})
    folder.write(name, "{}\n");
  folder.write("../up.yaml", "");
  const auto texts = files_of_command({"CONFIG=" + given, "python3", main}).texts;
  Names documents;
  for (const auto& text : texts)
    if (text.is_data) documents.push_back(files::path(text.path).lexically_relative(folder.path()).string());
  EXPECT_EQ(documents, (Names{"given.yaml", "sets.json", "data/rules.yaml"}));
  EXPECT_EQ(texts.size(), 5u);
  files::remove(folder / "../up.yaml");
}

TEST(ProgramFiles, ReadsWhatGoEmbeds) {
  const Folder folder;
  folder.write("go.mod", "module example.com/hook\n");
  folder.write("main.go", "package main\n\n//go:embed sidecars.yaml\nvar sidecars string\n");
  folder.write("sidecars.yaml", "a: 1\n");
  EXPECT_EQ(names_of({"go", "run", folder.path()}, folder), (Names{"main.go", "sidecars.yaml"}));
}

}  // namespace
}  // namespace fixpoint::external
