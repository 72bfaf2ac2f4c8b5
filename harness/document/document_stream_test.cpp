#include "harness/document/document_stream.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "harness/document/json.h"

namespace fixpoint::document {
namespace {

/// A folder that is removed after the test.
class DocumentStream : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("fixpoint-stream-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  std::string error_of(const std::string& file, const Limits& limits = {}) const {
    const auto read = read_file(file, limits);
    return read ? "no error" : read.error().text();
  }

  std::filesystem::path folder_;
};

TEST_F(DocumentStream, BeginsWithABraceForJson) {
  EXPECT_EQ(read_stream(" \n{\"a\":1}\n{\"a\":2}\n")->size(), 2u);
  EXPECT_EQ(read_stream("a: 1\n---\na: 2\n")->size(), 2u);
  EXPECT_EQ(read_stream("")->size(), 0u);
  const auto foreign = [](std::string_view text) { return read_stream(text, {}, Strictness::foreign); };
  EXPECT_EQ(foreign("{\"a\": 1}\n---\na: 2\n")->size(), 2u) << "JSON, and YAML behind it";
  EXPECT_EQ(foreign("{a: 1}\n")->size(), 1u) << "a flow mapping of YAML";
  EXPECT_EQ(foreign("{\"a\": 1, b: }}").error().text(), foreign("{\"a\": 1, b").error().text()) << "of JSON";
  EXPECT_EQ(read_stream("{\"a\":1}\n{b: 2}").error().text(),
            "document 2: line 2, column 2: expected a member's name in quotes");
}

TEST_F(DocumentStream, AListIsJsonIfItCanBe) {
  const auto written = [](std::string_view text) {
    const auto read = read_stream(text);
    if (!read) return read.error().text();
    std::string all;
    for (const Value& document : *read) all += write_json(document) + "\n";
    return all;
  };
  EXPECT_EQ(written(" \n[{\"value\": 1.0}, 1e3]"), "[{\"value\":1.0},1e3]\n") << "numbers stay as they are";
  EXPECT_EQ(written("[1]\n[2]"), "[1]\n[2]\n");
  EXPECT_EQ(written("[a, {b: c}]"), "[\"a\",{\"b\":\"c\"}]\n");
  EXPECT_EQ(written("[1]\n---\n[2]"), "[1]\n[2]\n");
  EXPECT_EQ(written("[a, b").find("document 1: line "), 0u) << written("[a, b");
}

TEST_F(DocumentStream, ErrorsBeginWithTheFile) {
  const auto bad = write("bad.yaml", "a: 1\n---\na: [\n");
  EXPECT_EQ(error_of(bad).find(bad + ": document 2: line "), 0u) << error_of(bad);
  EXPECT_EQ(error_of(path("none")), path("none") + ": No such file or directory");
}

TEST_F(DocumentStream, NamesAHelmTemplate) {
  const std::string says =
      ": this is a Helm template, not YAML; render it first: helm template RELEASE CHART > rendered.yaml";
  for (const char* action : {"{{ .Values.image }}", "{{- if .Values.on }}", "{{$name}}", "{{- end -}}",
                             "{{ include \"chart.labels\" . | nindent 4 }}", "{{/* a comment */}}",
                             "{{- (index .Values.list 0) }}"}) {
    const auto file = write("chart.yaml", "kind: Pod\nmetadata:\n  name: web\n" + std::string(action) + "\n");
    EXPECT_EQ(error_of(file), file + ":4" + says) << action;
  }
  const auto value = write("value.yaml", "kind: Pod\nspec: {image: {{ .Values.image }}}\n");
  EXPECT_EQ(error_of(value), value + ":2" + says);
  EXPECT_EQ(error_of(write("quoted.yaml", "a: \"{{ .Values.image }}\"\n")), "no error") << "it is YAML";
  const auto quoted = write("quoted_bad.yaml", "a: \"{{ .Values.image }}\"\nb: 'it {{ .x }}'\nc: [\n");
  EXPECT_EQ(error_of(quoted).find(quoted + ": document 1: line "), 0u) << "the error is another one";
  const auto json = write("case.json", "{\"a\": \"{{ .Values.image }}\"");
  EXPECT_EQ(error_of(json).find(json + ": document 1: line "), 0u)
      << "a chart is no JSON: " << error_of(json);
  EXPECT_EQ(error_of(write("first.yaml", "{{- if .Values.on }}\na: 1\n{{- end }}\n")),
            path("first.yaml") + ":1" + says);
  const auto bad = write("bad.yaml", "a: {{b: c}: [}\n");
  EXPECT_EQ(error_of(bad).find(bad + ": document 1: line "), 0u) << "braces alone are no template";
}

TEST_F(DocumentStream, OnlyRegularFilesOfBoundedLengthAreRead) {
  const auto good = write("good.json", "{\"a\": 1}");
  EXPECT_EQ(error_of(good), "no error");
  EXPECT_EQ(error_of(good, {.file_bytes_max = 8}), "no error");
  EXPECT_EQ(error_of(good, {.file_bytes_max = 7}), good + ": the file is longer than file_bytes_max = 7");
  EXPECT_EQ(error_of(folder_.string()), folder_.string() + ": expected a file, found a folder");
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(error_of(path("pipe")), path("pipe") + ": not a regular file");
  EXPECT_EQ(error_of("/dev/zero"), "/dev/zero: not a regular file");
}

}  // namespace
}  // namespace fixpoint::document
