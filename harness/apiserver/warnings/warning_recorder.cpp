#include "harness/apiserver/warnings/warning_recorder.h"

#include "harness/document/utf8.h"

namespace fixpoint::apiserver {

namespace {

constexpr std::size_t kItemRunesMax = 256;

std::string cut(const std::string& text) {
  std::size_t at = 0;
  for (std::size_t runes = 0; at < text.size() && runes < kItemRunesMax; ++runes) {
    const std::size_t length = document::utf8_length(text, at);
    at += length == 0 ? 1 : length;
  }
  return text.substr(0, at);
}

/// A header cannot carry a control character (Unicode's Cc) or invalid UTF-8.
bool fits_a_header(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x20 || c == 0x7F) return false;
    if (c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0) return false;
  }
  return document::is_utf8(text);
}

}  // namespace

void WarningRecorder::add(const std::string& text) {
  if (text.empty() || (truncating_ && total_ >= total_max_)) return;
  if (!seen_.insert(text).second) return;
  ordered_.push_back(text);
  const std::string shown = truncating_ ? cut(text) : text;
  if (!fits_a_header(shown)) return;
  const std::size_t runes = document::rune_count(shown);
  if (truncating_ || total_ + runes <= total_max_) {
    total_ += runes;
    written_.push_back(shown);
    return;
  }
  truncating_ = true;
  total_ = 0;
  written_.clear();
  for (const std::string& earlier : ordered_) {
    std::string short_text = cut(earlier);
    if (!fits_a_header(short_text)) continue;
    total_ += document::rune_count(short_text);
    written_.push_back(std::move(short_text));
  }
}

}  // namespace fixpoint::apiserver
