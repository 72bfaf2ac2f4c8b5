#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

/// The main of a fuzz target without libFuzzer: runs it on the files and folders of the command line. An
/// error if there is nothing to run.
int main(int count, char** values) {
  std::vector<std::string> inputs;
  for (int i = 1; i < count; ++i) {
    std::error_code problem;
    if (!std::filesystem::is_directory(values[i], problem)) {
      inputs.emplace_back(values[i]);
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator(values[i]))
      inputs.push_back(entry.path().string());
  }
  std::sort(inputs.begin(), inputs.end());
  for (const std::string& path : inputs) {
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  }
  std::printf("ran %zu inputs\n", inputs.size());
  return inputs.empty() ? 1 : 0;
}
