#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""docs/site/build.py FOLDER [--pages [PYTHON]]: the documentation as a site in FOLDER/site.

README.md, CHANGELOG.md, CONTRIBUTING.md and docs/*.md are the pages, by Sphinx; links between them and to files of the tree
are checked, to headings too. Doxygen makes the C++ reference of the public headers, Sphinx that of the Python module where a
build has it. What the site would load from the network is an error.
--pages: without references, but for that of the Python module in the folder PYTHON where that is given.
Exit code 77: Sphinx, its reader of Markdown or its theme is missing.
"""
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = pathlib.Path(__file__).resolve().parent
# Titles and pages of the navigation; pages that nobody has sorted come last.
SECTIONS = {
    "Begin": ["install", "command", "python", "report", "freecad", "examples"],
    "Decks": ["deck", "elements", "constraints", "modes", "dynamics", "dynamics-explicit", "earthquakes", "heat", "buckling",
              "results", "element-files", "plan"],
    "Grids": ["grid-case", "grid", "models"],
    "Many devices": ["domains", "many-machines", "gpu"],
    "The library": ["exec", "operators", "solvers", "architecture", "performance", "CONTRIBUTING", "CHANGELOG"],
}
LINK = re.compile(r"(\]\()([^)\s]+)(\))")
CODE = re.compile(r"^```.*?^```|^(?: {4}[^\n]*\n)+|`[^`\n]+`", re.MULTILINE | re.DOTALL)


def pages():
    """Name on the site -> file of the tree."""
    found = {"index": ROOT / "README.md"}
    for name in ("CHANGELOG", "CONTRIBUTING"):
        found[name] = ROOT / f"{name}.md"
    for path in sorted((ROOT / "docs").glob("*.md")):
        found[path.stem] = path
    return found


class Links:
    """Of one page to those of the site, and to files of the tree, which come along."""

    def __init__(self, page, by_file, source):
        self.page, self.by_file, self.source = page, by_file, source
        self.wrong = []

    def of_site(self, target):
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return target
        name, _, heading = target.partition("#")
        path = (self.page.parent / name).resolve()
        if path in self.by_file:
            return f"{self.by_file[path]}.md" + (f"#{heading}" if heading else "")
        if not path.is_relative_to(ROOT) or not path.is_file():
            self.wrong.append(f"{self.page.relative_to(ROOT)}: {target} is not there")
            return target
        within = pathlib.Path("files") / path.relative_to(ROOT)
        if path.suffix == ".md":  # a page beside an example would be one of the site, which it is not
            within = within.with_suffix(".txt")
        (self.source / within).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, self.source / within)
        return str(within)

    def rewritten(self, text):
        kept = []

        def keep(match):
            kept.append(match[0])
            return f"\0{len(kept) - 1}\0"

        text = CODE.sub(keep, text)
        text = LINK.sub(lambda match: match[1] + self.of_site(match[2]) + match[3], text)
        text = re.sub(r'((?:src|srcset|href)=")([^"]+)(")', lambda match: match[1] + self.picture(match[2]) + match[3], text)
        return re.sub("\0(\\d+)\0", lambda match: kept[int(match[1])], text)

    def picture(self, target):
        """Of HTML within a page, where Sphinx looks for no files: they go where pages find them."""
        if re.match(r"[a-z]+:", target):
            return target
        path = (self.page.parent / target).resolve()
        if path in self.by_file:
            return f"{self.by_file[path]}.html"
        if not path.is_relative_to(ROOT) or not path.is_file():
            self.wrong.append(f"{self.page.relative_to(ROOT)}: {target} is not there")
            return target
        (self.source / "pictures").mkdir(exist_ok=True)
        shutil.copyfile(path, self.source / "pictures" / path.name)
        return f"pictures/{path.name}"


def navigation(found, references):
    rest = [name for name in found if name != "index" and not any(name in names for names in SECTIONS.values())]
    text = ""
    for title, names in {**SECTIONS, "More": rest}.items():
        names = [name for name in names if name in found]
        if names:
            text += "\n```{toctree}\n:hidden:\n:caption: " + title + "\n\n" + "\n".join(names) + "\n```\n"
    if references:
        text += "\n```{toctree}\n:hidden:\n:caption: Reference\n\n" + "\n".join(references) + "\n```\n"
    return text


def write_sources(source, references):
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    found = pages()
    by_file = {path: name for name, path in found.items()}
    wrong = []
    for name, path in found.items():
        links = Links(path, by_file, source)
        text = links.rewritten(path.read_text())
        wrong += links.wrong
        if name == "index":
            text += navigation(found, references)
        (source / f"{name}.md").write_text(text)
    if wrong:
        sys.exit("\n".join(wrong))
    return len(found)


def python_module():
    """The folder of a build that has the module, the youngest of them."""
    built = [path for path in ROOT.glob("build/*/python/setka/__init__.py") if list(path.parent.glob("_setka*.so"))]
    return max(built, key=lambda path: path.stat().st_mtime).parent.parent if built else None


def write_cpp(folder):
    out = folder / "cpp"
    shutil.rmtree(out, ignore_errors=True)
    version = re.search(r"project\(setka VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
    text = (HERE / "Doxyfile").read_text() + f"\nOUTPUT_DIRECTORY = {folder}\nPROJECT_NUMBER = {version}\n"
    subprocess.run(["doxygen", "-"], input=text, text=True, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return out


def loads_from_elsewhere(site):
    """Whatever a browser would fetch by itself; links that a reader may follow are none."""
    load = re.compile(r"""<(?:script|img|iframe|source|link(?![^>]*rel="(?:canonical|author)"))\b[^>]*(?:src|href)="(?:https?:)?//[^"]*"|"""
                      r"""(?:@import|url\()\s*["']?(?:https?:)?//[^)\s]*""")
    for path in sorted(site.rglob("*")):
        if path.suffix in (".html", ".css"):
            for match in load.finditer(path.read_text(errors="replace")):
                yield f"{path.relative_to(site)}: {match[0]}"


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    everything = len(sys.argv) == 2
    for module, package in (("sphinx", "python3-sphinx"), ("myst_parser", "python3-myst-parser"), ("furo", "furo")):
        if importlib.util.find_spec(module) is None:
            print(f"{package} is not installed")
            sys.exit(77)
    source, site = folder / "source", folder / "site"
    module = python_module() if everything else pathlib.Path(sys.argv[3]).resolve() if len(sys.argv) == 4 else None
    references = (["reference-cpp"] if everything else []) + (["reference-python"] if module else [])
    count = write_sources(source, references)
    if everything:
        (source / "reference-cpp.md").write_text(
            "# C++ reference\n\n<p><a href=\"cpp/index.html\">Classes, functions and files of the public headers</a>, "
            "made from the sources.</p>\n")
    if module:
        (source / "reference-python.rst").write_text(
            "Python reference\n================\n\n.. automodule:: setka\n   :members:\n   :imported-members:\n")
    shutil.rmtree(site, ignore_errors=True)
    environment = dict(os.environ, SETKA_PYTHON=str(module or ""))
    made = subprocess.run([sys.executable, "-m", "sphinx", "-b", "html", "-W", "--keep-going", "-q", "-c", HERE, source, site],
                          env=environment, check=False)
    if made.returncode:
        sys.exit("the pages have errors")
    shutil.rmtree(site / ".doctrees", ignore_errors=True)
    if (source / "pictures").exists():
        shutil.copytree(source / "pictures", site / "pictures", dirs_exist_ok=True)
    if everything:
        write_cpp(site)
    elsewhere = list(loads_from_elsewhere(site))
    if elsewhere:
        sys.exit("the site would load from the network:\n" + "\n".join(elsewhere))
    print(f"{count} pages" + (", a C++ reference" if everything else "") + (", a Python reference" if module else ""))


main()
