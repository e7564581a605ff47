// A CSV file for the time of a test.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace scree {

class CsvFile {
  public:
    explicit CsvFile(const std::string& text)
        : path_(std::filesystem::temp_directory_path() / ("placing_" + std::to_string(::getpid()) + ".csv")) {
        std::ofstream(path_) << text;
    }
    ~CsvFile() { std::filesystem::remove(path_); }
    std::string path() const { return path_.string(); }

  private:
    std::filesystem::path path_;
};

}  // namespace scree
