#include "core/nearest.h"

#include <algorithm>

namespace scree {

int edit_distance(std::string_view a, std::string_view b) {
    // Optimal string alignment, three rows of the table at a time.
    std::vector<int> before, previous(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = static_cast<int>(j);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = static_cast<int>(i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before = previous;
        std::swap(previous, row);
    }
    return previous[b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& words) {
    constexpr std::size_t longest_word = 100;
    std::string best;
    int best_distance = static_cast<int>(std::max<std::size_t>(1, word.size() / 2)) + 1;
    if (word.size() > longest_word) return best;
    for (const std::string& candidate : words) {
        const int distance = edit_distance(word, candidate);
        if (distance < best_distance) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

std::string nearest_hint(std::string_view word, const std::vector<std::string>& words) {
    const std::string best = nearest(word, words);
    return best.empty() ? "" : "; nearest is \"" + best + "\"";
}

}  // namespace scree
