// The short form of fuzzing: the seeds, what broke once (tests/fuzz/corpus), and seeded mutations of both.
#include "fuzz/targets.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/random.h"

namespace scree::fuzz {
namespace {

std::vector<std::string> kept_cases(const std::string& target) {
    std::vector<std::string> out;
    const std::filesystem::path folder = std::filesystem::path(SCREE_SOURCE_DIR) / "tests" / "fuzz" / "corpus" / target;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
        std::ifstream file(entry.path(), std::ios::binary);
        out.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return out;
}

void mutate(std::string& bytes, const std::vector<std::string>& words, Random& random) {
    for (std::uint64_t k = 1 + random.below(4); k > 0; --k) {
        const std::size_t at = random.below(bytes.size() + 1);
        switch (random.below(8)) {
            case 0:
                if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
                break;
            case 1:
                if (at < bytes.size()) bytes[at] = static_cast<char>(random.bits());
                break;
            case 2:
                bytes.erase(at, random.below(20));
                break;
            case 3:
                bytes.insert(at, bytes.substr(random.below(bytes.size() + 1), random.below(40)));
                break;
            case 4:
                bytes.resize(at);
                break;
            case 5: {  // a number of eight or four bytes
                constexpr std::uint64_t values[] = {0,
                                                    1,
                                                    8,
                                                    0x7fffffff,
                                                    0xffffffff,
                                                    0x7fffffffffffffff,
                                                    0xffffffffffffffff,
                                                    0x7ff0000000000000,
                                                    0x8000000000000000};
                const std::uint64_t value = values[random.below(std::size(values))];
                const std::size_t width = random.below(2) ? 8 : 4;
                if (at + width <= bytes.size()) std::memcpy(bytes.data() + at, &value, width);
                break;
            }
            default: {  // a word in place of the digits that stand there, or between
                if (words.empty()) break;
                std::size_t end = at;
                while (end < bytes.size() && random.below(8) && std::isalnum(static_cast<unsigned char>(bytes[end])))
                    ++end;
                bytes.replace(at, end - at, words[random.below(words.size())]);
            }
        }
    }
}

class Fuzz : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Fuzz, nothing_but_located_errors_comes_out) {
    const Target& target = targets()[GetParam()];
    std::vector<std::string> seeds = target.seeds();
    for (std::string& kept : kept_cases(target.name)) seeds.push_back(std::move(kept));
    const auto run = [&](const std::string& bytes, const std::string& which) {
        try {
            target.run(bytes);
        } catch (const std::exception& error) {
            const auto path = std::filesystem::temp_directory_path() / fmt::format("scree-fuzz-{}", target.name);
            std::ofstream(path, std::ios::binary) << bytes;
            FAIL() << which << ": " << error.what() << "; the bytes are in " << path;
        }
    };
    for (std::size_t k = 0; k < seeds.size() && !HasFatalFailure(); ++k) run(seeds[k], fmt::format("seed {}", k));
    const int rounds = target.rounds * (std::getenv("SCREE_LONG") ? 200 : 1);
    for (int round = 0; round < rounds && !HasFatalFailure(); ++round) {
        Random random(20, GetParam(), static_cast<std::uint64_t>(round) << 16);
        std::string bytes = seeds[random.below(seeds.size())];
        mutate(bytes, target.words, random);
        run(bytes, fmt::format("round {}", round));
    }
}

INSTANTIATE_TEST_SUITE_P(all, Fuzz, ::testing::Range(std::size_t{0}, targets().size()),
                         [](const auto& target) { return targets()[target.param].name; });

}  // namespace
}  // namespace scree::fuzz
