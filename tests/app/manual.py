#!/usr/bin/python3
"""The manual page and the completions of shells name every command and option, as their own help does."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SCREE = os.environ.get("SCREE") or sys.exit("SCREE must name the program to test")


def scree(*arguments):
    return subprocess.run([SCREE, *arguments], capture_output=True, text=True)


COMMANDS = re.findall(r"^  (\S+)  ", scree("help").stdout, re.M)


def options_of(command):
    """The long options that `scree help COMMAND` lists."""
    return [] if command == "help" else re.findall(r"^  (?:-\w,\s*)?(--[\w-]+)", scree("help", command).stdout, re.M)


class Manual(unittest.TestCase):
    def complete(self, *words):
        """What bash would offer for the last of the words."""
        script = f"""source <("{SCREE}" help --completions bash)
COMP_WORDS=({' '.join(f"'{word}'" for word in words)}) COMP_CWORD={len(words) - 1}
_scree 2>/dev/null
printf '%s\\n' "${{COMPREPLY[@]}}" """
        return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout.split()

    def test_help_is_understood(self):
        self.assertGreater(len(COMMANDS), 10)
        self.assertIn("--threads", options_of("run"))

    def test_manual_page_has_every_option(self):
        page = scree("help", "--man").stdout.replace("\\-", "-")
        for command in COMMANDS:
            section = re.search(rf"^\.SS \\fBscree {re.escape(command)}\\fR.*?(?=^\.S[SH])", page, re.M | re.S)
            self.assertTrue(section, command)
            for option in options_of(command):
                self.assertIn(option, section.group(0), command)

    def test_manual_page_is_well_formed(self):
        if not shutil.which("man"):
            self.skipTest("man is not here")
        with tempfile.NamedTemporaryFile("w", suffix=".1") as file:
            file.write(scree("help", "--man").stdout)
            file.flush()
            shown = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", file.name], capture_output=True, text=True,
                                   env={**os.environ, "MANROFFSEQ": "", "MANWIDTH": "80"})
            self.assertEqual((shown.returncode, shown.stderr), (0, ""))

    def test_bash(self):
        self.assertEqual(sorted(self.complete("scree", "")), sorted(COMMANDS))
        self.assertEqual(self.complete("scree", "res"), ["resume"])
        for command in COMMANDS:
            offered = self.complete("scree", command, "--")
            for option in options_of(command):
                self.assertIn(option, offered, command)
        self.assertIn("triangulation", self.complete("scree", "run", "--neighbors", "t"))

    def test_zsh_and_fish(self):
        for shell, syntax in (("zsh", "-n"), ("fish", "--no-execute")):
            text = scree("help", "--completions", shell).stdout
            for command in COMMANDS:
                for option in options_of(command):
                    self.assertIn(option if shell == "zsh" else f"-l {option[2:]}", text, command)
            if shutil.which(shell):
                with tempfile.NamedTemporaryFile("w") as file:
                    file.write(text)
                    file.flush()
                    subprocess.run([shell, syntax, file.name], check=True)

    def test_other_shells_are_refused(self):
        answer = scree("help", "--completions", "bsh")
        self.assertEqual(answer.returncode, 2)
        self.assertIn('"bash"', answer.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
