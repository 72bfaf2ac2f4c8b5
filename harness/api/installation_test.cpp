#include <gtest/gtest.h>

#include <string>

#include "harness/api/append_model.h"
#include "harness/api/cases.h"
#include "harness/cli/work_folder_model.h"
#include "harness/patterns_model.h"

namespace fixpoint {
namespace {

const std::string kFlags = FIXPOINT_COMPILER_FLAGS;
bool has_sanitizer() { return kFlags.find("-fsanitize") != std::string::npos; }

/// Installs fixpoint below `prefix` of the folder.
void install(const cli::WorkFolder& folder) {
  const auto installed = folder.shell("cmake --install " FIXPOINT_BUILD " --prefix prefix");
  ASSERT_EQ(installed.code, 0) << installed.out << installed.err;
}

/// Builds programs of a separate project against the installed fixpoint, in that folder.
void build_consumers(const cli::WorkFolder& folder, const std::string& build, const std::string& programs,
                     const std::string& compiler = FIXPOINT_COMPILER) {
  const auto built = folder.shell("cmake -S " FIXPOINT_SOURCE "/harness/api/consumer -B " + build +
                                  " -G Ninja -DCMAKE_PREFIX_PATH=$PWD/prefix "
                                  "-DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O0 "
                                  "-DCMAKE_CXX_COMPILER=" +
                                  compiler + " '-DCMAKE_CXX_FLAGS=" + kFlags + "' && cmake --build " + build +
                                  " --target " + programs);
  ASSERT_EQ(built.code, 0) << built.out << built.err;
}

void look_at_installation(const cli::WorkFolder& folder) {
  const auto installed = folder.shell("prefix/bin/fixpoint version");
  EXPECT_EQ(installed.out.substr(0, 9), "fixpoint ");
  for (const char* file : {"share/man/man1/fixpoint.1", "share/bash-completion/completions/fixpoint",
                           "share/zsh/site-functions/_fixpoint",
                           "share/fish/vendor_completions.d/fixpoint.fish", "share/doc/fixpoint/LICENSE"})
    EXPECT_NE(folder.read(std::string("prefix/") + file), "") << file;
  EXPECT_NE(folder.shell("ls prefix/share/fixpoint/corpus/regressions prefix/share/fixpoint/schemas").out,
            "");
  // The package can be moved: it names no folder of the machine that built it.
  const auto paths =
      folder.shell("cat prefix/lib*/cmake/fixpoint/*.cmake prefix/lib*/*/cmake/fixpoint/*.cmake");
  EXPECT_NE(paths.out.find("fixpoint::fixpoint"), std::string::npos) << paths.err;
  for (const char* place : {"/usr/", FIXPOINT_SOURCE})
    EXPECT_EQ(paths.out.find(place), std::string::npos) << place;
}

void run_gtest_consumer(const cli::WorkFolder& folder) {
  const auto ran = folder.shell("build/gtest_consumer");
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("Own/SidecarProperty.Holds/no_duplicate_names"), std::string::npos) << ran.out;
  const auto failed = folder.shell("GROW=1 build/gtest_consumer '--gtest_filter=Sidecar.*:*SidecarFinding*'");
  EXPECT_EQ(failed.code, 1) << failed.out << failed.err;
  EXPECT_NE(failed.out.find("which is still failing: no-duplicate-names: duplicate"), std::string::npos)
      << failed.out;
  // docs/library.md shows this output.
  std::string shown =
      folder.shell("sed -n '/^```text$/,/^```$/{//!p}' " FIXPOINT_SOURCE "/docs/library.md").out;
  ASSERT_NE(shown.find("FOUND"), std::string::npos) << shown;
  for (std::size_t end = shown.find("\n\n"); !shown.empty(); end = shown.find("\n\n")) {
    const std::string paragraph = shown.substr(0, end);
    EXPECT_NE(failed.out.find(paragraph), std::string::npos) << paragraph << "\nin\n" << failed.out;
    shown.erase(0, end == std::string::npos ? end : end + 2);
  }
}

/// Writes Cases as a fuzzer's inputs.
void write_inputs(const cli::WorkFolder& folder) {
  folder.shell("mkdir inputs");
  for (std::uint64_t number = 0; number < 20; ++number)
    folder.write("inputs/" + std::to_string(number), draw_case(1, number, guarded()).text());
}

/// libFuzzer, or without it the replay of inputs.
void run_libfuzzer_consumer(const cli::WorkFolder& folder) {
  write_inputs(folder);
  const std::string runs = kFlags.empty() ? "" : " -runs=0";
  const auto ran = folder.shell("build/libfuzzer_consumer inputs" + runs);
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  const auto failed = folder.shell("GROW=1 build/libfuzzer_consumer inputs" + runs);
  EXPECT_NE(failed.code, 0);
  EXPECT_NE(failed.err.find("FOUND  "), std::string::npos) << failed.err;
  EXPECT_NE(failed.err.find("\"kind\": \"Finding\""), std::string::npos) << failed.err;
}

/// All programs at once, since each test would install and configure anew.
TEST(Consumer, BuildsAgainstAnInstalledFixpointAndRuns) {
  const cli::WorkFolder folder("consumer");
  install(folder);
  look_at_installation(folder);
  const std::string sanitised = has_sanitizer() ? "" : " sanitised_consumer";
  build_consumers(
      folder, "build",
      "consumer rapidcheck_consumer nlohmann_consumer gtest_consumer libfuzzer_consumer" + sanitised);
  const auto ran = folder.shell("build/consumer");
  EXPECT_EQ(ran.code, 0) << ran.out;
  EXPECT_NE(ran.out.find("FOUND  no-duplicate-names"), std::string::npos) << ran.out;
  const auto checked = folder.shell("build/rapidcheck_consumer");
  EXPECT_EQ(checked.code, 0) << checked.out << checked.err;
  EXPECT_NE(checked.err.find("a second call on its own output"), std::string::npos) << checked.err;
  const auto with_json = folder.shell("build/nlohmann_consumer");
  EXPECT_EQ(with_json.code, 0) << with_json.out << with_json.err;
  run_gtest_consumer(folder);
  run_libfuzzer_consumer(folder);
  if (has_sanitizer()) return;
  // A program may have a sanitizer that its fixpoint has not.
  const auto watched = folder.shell("build/sanitised_consumer");
  EXPECT_EQ(watched.code, 0) << watched.out << watched.err;
}

/// The public headers alone, none of which needs a file that is not installed.
TEST(Consumer, GetsThePublicHeaders) {
  const cli::WorkFolder folder("headers");
  install(folder);
  EXPECT_EQ(folder.shell("cd prefix/include && find . -type f | sort").out,
            "./fixpoint/cases.h\n./fixpoint/command_sequences.h\n./fixpoint/fixpoint.h\n./fixpoint/gtest.h\n"
            "./fixpoint/json_details.h\n./fixpoint/libfuzzer.h\n./fixpoint/nlohmann.h\n"
            "./fixpoint/object_handler.h\n./fixpoint/rapidcheck.h\n./fixpoint/stored_findings.h\n"
            "./fixpoint/test_verdict.h\n");
}

/// libFuzzer itself, and a library that another compiler built.
TEST(Consumer, UsesLibFuzzerWhereClangIs) {
  const cli::WorkFolder folder("consumer-clang");
  if (folder.shell("command -v clang++-19").code != 0) GTEST_SKIP() << "no clang++-19";
  if (has_sanitizer()) GTEST_SKIP() << "BuildsAgainstAnInstalledFixpointAndRuns does the same";
  install(folder);
  build_consumers(folder, "build", "libfuzzer_consumer", "clang++-19");
  const auto ran = folder.shell("build/libfuzzer_consumer -runs=300 -seed=2 -max_len=65536");
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  const auto failed = folder.shell("GROW=1 build/libfuzzer_consumer -runs=3000 -seed=1 -max_len=65536");
  EXPECT_NE(failed.code, 0);
  EXPECT_NE(failed.err.find("FOUND  "), std::string::npos) << failed.err;
}

TEST(Consumer, HearsWhichComponentsThereAre) {
  const cli::WorkFolder folder("components");
  install(folder);
  const auto configure = [&](const std::string& components) {
    folder.write("CMakeLists.txt",
                 "cmake_minimum_required(VERSION 3.25)\nproject(one LANGUAGES CXX)\n"
                 "set(CMAKE_DISABLE_FIND_PACKAGE_rapidcheck ON)\n"
                 "find_package(fixpoint 0.1 REQUIRED " +
                     components +
                     ")\nmessage(STATUS \"found: ${fixpoint_nlohmann_FOUND} ${fixpoint_libfuzzer_FOUND} "
                     "${fixpoint_rapidcheck_FOUND}\")\n");
    return folder.shell(
        "rm -rf build; cmake -S . -B build -G Ninja -DCMAKE_PREFIX_PATH=$PWD/prefix "
        "-DCMAKE_CXX_COMPILER=" FIXPOINT_COMPILER);
  };
  EXPECT_EQ(configure("").code, 0) << "no library but those of fixpoint itself is asked for";
  const auto optional = configure("COMPONENTS nlohmann libfuzzer OPTIONAL_COMPONENTS rapidcheck");
  EXPECT_EQ(optional.code, 0) << optional.err;
  EXPECT_TRUE(is_found(optional.out, "found: (TRUE|1) TRUE (FALSE|0)?\n")) << optional.out;
  EXPECT_NE(configure("COMPONENTS rapidcheck").code, 0);
  const auto unknown = configure("COMPONENTS catch2");
  EXPECT_NE(unknown.code, 0);
  EXPECT_NE(unknown.err.find("no component catch2: rapidcheck, nlohmann, gtest and"), std::string::npos)
      << unknown.err;
}

/// Configures a project that has fixpoint as a part, without the packages of the tests.
TEST(Consumer, ConfiguresWithFixpointAsASubdirectory) {
  const cli::WorkFolder folder("subdirectory");
  folder.write("main.cpp", "int main() {}\n");
  folder.write("CMakeLists.txt",
               "cmake_minimum_required(VERSION 3.25)\nproject(sub LANGUAGES CXX)\n"
               "set(BUILD_TESTING OFF CACHE BOOL \"\")\n"
               "foreach(package GTest benchmark rapidcheck)\n"
               "  set(CMAKE_DISABLE_FIND_PACKAGE_${package} ON)\nendforeach()\n"
               "add_subdirectory(" FIXPOINT_SOURCE
               " fixpoint)\nadd_executable(sub main.cpp)\n"
               "target_link_libraries(sub PRIVATE fixpoint::fixpoint)\n");
  const auto configured =
      folder.shell("cmake -S . -B build -G Ninja -DCMAKE_CXX_COMPILER=" FIXPOINT_COMPILER);
  EXPECT_EQ(configured.code, 0) << configured.out << configured.err;
}

/// Compiles the programs with fixpoint as a part of their project, as FetchContent makes it. They are not
/// linked, which would build all of fixpoint again.
TEST(Consumer, CompilesWithFixpointAsAPart) {
  const cli::WorkFolder folder("part");
  std::string objects;
  for (const std::string program : {"gtest_consumer", "libfuzzer_consumer"})
    objects += " CMakeFiles/" + program + ".dir/" + program + "_main.cpp.o";
  const auto built =
      folder.shell("cmake -S " FIXPOINT_SOURCE
                   "/harness/api/consumer -B build -G Ninja -DFIXPOINT_AS_PART=" FIXPOINT_SOURCE
                   " -DCMAKE_CXX_COMPILER=" FIXPOINT_COMPILER " && ninja -C build" +
                   objects);
  EXPECT_EQ(built.code, 0) << built.out << built.err;
}

/// Packs fixpoint, unpacks the package elsewhere and runs what is in it.
TEST(Package, IsOneThatDebianInstalls) {
  const cli::WorkFolder folder("package");
  const auto packed = folder.shell("cpack -G DEB --config " FIXPOINT_BUILD "/CPackConfig.cmake -B packed");
  ASSERT_EQ(packed.code, 0) << packed.out << packed.err;
  const auto fields = folder.shell("dpkg-deb --field packed/*.deb Package Depends");
  EXPECT_EQ(fields.code, 0) << fields.err;
  for (const char* library :
       {"libc6 (>= ", "libcurl4 (>= ", "libmicrohttpd12 (>= ", "libre2-", "libyaml-cpp"})
    EXPECT_NE(fields.out.find(library), std::string::npos) << library << " in " << fields.out;
  const auto ran = folder.shell(
      "dpkg-deb -x packed/*.deb root && root/usr/bin/fixpoint fuzz kserve/modelcar@0.12.0 --cases 50");
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("ERROR"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("regressions:"), std::string::npos) << "the corpus of the package: " << ran.out;
}

}  // namespace
}  // namespace fixpoint
