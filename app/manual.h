// The manual page and the completions of shells, made of what the commands declare as their options.
#pragma once

#include <string>

namespace scree::app {

// In the language of man(7), for section 1.
std::string manual_page();

// For "bash", "zsh" or "fish". Throws Error(usage) for other shells.
std::string completions(const std::string& shell);

}  // namespace scree::app
