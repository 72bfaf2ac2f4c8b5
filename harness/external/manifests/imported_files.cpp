#include "harness/external/manifests/imported_files.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>

#include "harness/document/document_stream.h"
#include "harness/document/json.h"

namespace fixpoint::external {

namespace {

namespace files = std::filesystem;
using runner::ProgramText;

constexpr Limits kOfManifest{.file_bytes_max = 1 << 20};

bool is_file(const files::path& path) {
  std::error_code problem;
  return files::is_regular_file(path, problem);
}
bool is_a_folder(const files::path& path) {
  std::error_code problem;
  return files::is_directory(path, problem);
}

template <class Take>
void each_line_of(std::string_view text, const Take& take) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    take(text.substr(0, end), text);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == ';'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Returns the words of a text that consist of the characters of dotted names.
std::vector<std::string> dotted_words(std::string_view text) {
  const auto is_inner = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  };
  std::vector<std::string> words;
  for (auto at = text.begin(); at != text.end();) {
    const auto begin = std::find_if(at, text.end(), is_inner);
    at = std::find_if_not(begin, text.end(), is_inner);
    if (begin != at) words.emplace_back(begin, at);
  }
  return words;
}

/// Returns the texts in single or double quotes on a line.
std::vector<std::string> quoted_texts(std::string_view line) {
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] != '"' && line[at] != '\'') continue;
    const auto end = line.find(line[at], at + 1);
    if (end == std::string_view::npos) break;
    texts.emplace_back(line.substr(at + 1, end - at - 1));
    at = end;
  }
  return texts;
}

void add(std::vector<std::string>& into, const std::vector<std::string>& more) {
  into.insert(into.end(), more.begin(), more.end());
}

// Python.

std::vector<std::string> python_module_in(const std::vector<std::string>& folders,
                                          const std::string& module) {
  for (const std::string& folder : folders) {
    auto found = python_module(folder, module);
    if (!found.empty()) return found;
  }
  return {};
}

/// Reads `from MODULE import NAMES`: the module, and those of its names that are modules themselves.
std::vector<std::string> python_names(std::string_view statement, std::vector<std::string> folders,
                                      const std::string& own_folder) {
  const auto import = statement.find(" import ");
  if (import == std::string_view::npos) return {};
  std::string_view module = trimmed(statement.substr(0, import));
  const bool is_relative = module.starts_with('.');
  files::path from = own_folder;
  if (is_relative) module.remove_prefix(1);
  for (; is_relative && module.starts_with('.'); module.remove_prefix(1)) from = from.parent_path();
  if (is_relative) folders = {from.string()};
  const std::string name(module);
  std::vector<std::string> found;
  if (!name.empty()) found = python_module_in(folders, name);
  for (const std::string& member :
       dotted_words(statement.substr(import + std::string_view(" import ").size())))
    add(found, python_module_in(folders, name.empty() ? member : name + "." + member));
  return found;
}

std::vector<std::string> imported_by_python(const ProgramText& file, std::vector<std::string> folders) {
  const std::string own = files::path(file.path).parent_path().string();
  folders.push_back(own);
  std::vector<std::string> found;
  each_line_of(file.text, [&](std::string_view raw, std::string_view rest) {
    std::string_view line = trimmed(raw.substr(0, raw.find('#')));
    const bool is_open = line.find('(') != std::string_view::npos && line.find(')') == std::string_view::npos;
    if (line.find("import_module(") != std::string_view::npos)
      for (const std::string& module : quoted_texts(line)) add(found, python_module_in(folders, module));
    if (line.starts_with("from ")) {
      if (is_open) line = trimmed(rest.substr(0, rest.find(')')));
      add(found, python_names(line.substr(5), folders, own));
    } else if (line.starts_with("import ")) {
      for (const std::string& module : dotted_words(line.substr(7, line.find(';') - 7)))
        add(found, python_module_in(folders, module));
    }
  });
  return found;
}

// Node.

/// Returns the file of a package that some node_modules above the folder holds.
std::string installed_module(files::path folder, const std::string& name) {
  for (;; folder = folder.parent_path()) {
    const std::string found = node_module((folder / "node_modules" / name).string());
    if (!found.empty() || !folder.has_relative_path()) return found;
  }
}

std::vector<std::string> imported_by_node(const ProgramText& file) {
  constexpr std::array<std::string_view, 4> kWords{"require", "import", "from ", "export"};
  const files::path own = files::absolute(files::path(file.path)).parent_path();
  const bool is_installed = file.path.find("node_modules") != std::string::npos;
  std::vector<std::string> found;
  each_line_of(file.text, [&](std::string_view line, std::string_view) {
    if (std::none_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return line.find(word) != std::string_view::npos; }))
      return;
    for (const std::string& name : quoted_texts(line)) {
      const bool is_path = name.starts_with("./") || name.starts_with("../") || name.starts_with('/');
      const bool is_name = !name.empty() && name.find(' ') == std::string::npos && !name.starts_with("node:");
      if (!is_path && (is_installed || !is_name)) continue;
      const std::string path =
          is_path ? node_module((own / name).lexically_normal().string()) : installed_module(own, name);
      if (!path.empty()) found.push_back(path);
    }
  });
  return found;
}

std::vector<std::string> imported_by_ruby(const ProgramText& file) {
  std::vector<std::string> found;
  each_line_of(file.text, [&](std::string_view line, std::string_view) {
    if (line.find("require_relative") == std::string_view::npos) return;
    for (const std::string& name : quoted_texts(line)) {
      const files::path path = files::path(file.path).parent_path() / name;
      for (const files::path& candidate : {path, files::path(path.string() + ".rb")})
        if (is_file(candidate)) found.push_back(candidate.lexically_normal().string());
    }
  });
  return found;
}

// Go.

/// The module of a file of Go: the folder of go.mod, and the path that it declares.
struct GoModule {
  files::path folder;
  std::string path;
};

GoModule go_module_of(files::path folder) {
  for (folder = files::absolute(folder);; folder = folder.parent_path()) {
    const files::path file = folder / "go.mod";
    if (is_file(file)) {
      const auto text = document::read_text_file(file.string(), kOfManifest);
      std::string path;
      if (text) {
        each_line_of(*text, [&](std::string_view line, std::string_view) {
          if (path.empty() && line.starts_with("module ")) path = trimmed(line.substr(7));
        });
      }
      return {folder, path};
    }
    if (!folder.has_relative_path()) return {};
  }
}

std::vector<std::string> imported_by_go(const ProgramText& file) {
  const GoModule module = go_module_of(files::path(file.path).parent_path());
  std::vector<std::string> found;
  if (module.path.empty()) return found;
  each_line_of(file.text, [&](std::string_view line, std::string_view) {
    for (const std::string& name : quoted_texts(line)) {
      if (name.starts_with(module.path + "/"))
        add(found, go_package((module.folder / name.substr(module.path.size() + 1)).string()));
    }
  });
  return found;
}

}  // namespace

std::vector<std::string> python_module(const std::string& folder, const std::string& module) {
  std::vector<std::string> found;
  files::path at = folder;
  std::string_view rest = module;
  while (!rest.empty()) {
    const auto end = std::min(rest.find('.'), rest.size());
    at /= rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (is_a_folder(at)) {
      for (const char* name : {"__init__.py", "__main__.py"})
        if ((rest.empty() || name[2] == 'i') && is_file(at / name)) found.push_back((at / name).string());
      continue;
    }
    const files::path file = at.string() + ".py";
    if (!is_file(file) || !rest.empty()) return {};
    found.push_back(file.string());
  }
  return found;
}

std::string node_module(const std::string& path) {
  constexpr std::array<const char*, 9> kEnds{"",     ".js",  ".mjs", ".cjs", ".ts",
                                             ".tsx", ".jsx", ".mts", ".json"};
  for (const char* end : kEnds)
    if (is_file(path + end)) return path + end;
  // TypeScript imports the file that it will be compiled to.
  if (path.ends_with(".js") && is_file(path.substr(0, path.size() - 3) + ".ts"))
    return path.substr(0, path.size() - 3) + ".ts";
  if (!is_a_folder(path)) return "";
  const auto text = document::read_text_file((files::path(path) / "package.json").string(), kOfManifest);
  const auto package =
      text ? document::read_json(*text) : document::Result<document::Value>(document::Value());
  std::string main(package ? (*package)["main"].text() : "");
  if (main.empty()) main = "index";
  const std::string file = (files::path(path) / main).lexically_normal().string();
  if (is_a_folder(file)) return node_module((files::path(file) / "index").string());
  return file == path ? "" : node_module(file);
}

std::vector<std::string> go_package(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code problem;
  for (files::directory_iterator at(folder, problem), end; !problem && at != end; at.increment(problem)) {
    const std::string path = at->path().string();
    if (path.ends_with(".go") && !path.ends_with("_test.go")) found.push_back(path);
  }
  std::sort(found.begin(), found.end());
  return found;
}

ImportFolders added_folders(const ProgramText& script) {
  ImportFolders folders;
  const files::path own = files::absolute(files::path(script.path)).parent_path();
  const auto take = [&](const files::path& folder) {
    const std::string path = folder.lexically_normal().string();
    if (is_a_folder(path) && std::find(folders.begin(), folders.end(), path) == folders.end())
      folders.push_back(path);
  };
  each_line_of(script.text, [&](std::string_view line, std::string_view) {
    if (line.find("sys.path") == std::string_view::npos) return;
    for (std::string text : quoted_texts(line)) {
      if (is_a_folder(text) && text.starts_with('/') && text.find("..") == std::string::npos) take(text);
      while (text.starts_with('/')) text.erase(0, 1);
      take(own / text);
    }
    take(own.parent_path());  // dirname(dirname(__file__)), and Path(__file__).parent.parent
  });
  return folders;
}

std::vector<std::string> imported_files(const ProgramText& file, const ImportFolders& folders) {
  const std::string end = files::path(file.path).extension().string();
  const std::string_view first = std::string_view(file.text).substr(0, file.text.find('\n'));
  const auto runs = [&](std::string_view name) {
    return end.empty() && first.starts_with("#!") && first.find(name) != std::string_view::npos;
  };
  if (end == ".py" || runs("python")) return imported_by_python(file, folders);
  if (end == ".go") return imported_by_go(file);
  if (end == ".rb" || runs("ruby")) return imported_by_ruby(file);
  constexpr std::array<std::string_view, 7> kOfNode{".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", ".mts"};
  if (std::find(kOfNode.begin(), kOfNode.end(), end) != kOfNode.end() || runs("node"))
    return imported_by_node(file);
  return {};
}

bool is_document(std::string_view path) {
  return path.ends_with(".json") || path.ends_with(".yaml") || path.ends_with(".yml");
}

std::vector<std::string> named_documents(const ProgramText& file, ImportFolders folders) {
  folders.insert(folders.begin(), files::path(file.path).parent_path().string());
  folders.emplace_back();
  constexpr std::string_view kEmbed = "//go:embed ";
  std::vector<std::string> found;
  const auto take = [&](std::string_view name) {
    if (!is_document(name) || name.starts_with('/') || name.find("..") != std::string_view::npos) return;
    for (const std::string& folder : folders) {
      const files::path path = files::path(folder) / name;
      if (is_file(path)) return found.push_back(path.lexically_normal().string());
    }
  };
  each_line_of(file.text, [&](std::string_view line, std::string_view) {
    std::string joined;  // join(HERE, "conf", "rules.json")
    for (const std::string& text : quoted_texts(line)) {
      take(text);
      joined.append(joined.empty() ? "" : "/").append(text);
      if (joined != text) take(joined);
    }
    if (line.starts_with(kEmbed)) take(trimmed(line.substr(kEmbed.size())));
  });
  return found;
}

}  // namespace fixpoint::external
