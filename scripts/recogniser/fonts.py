"""The typefaces that are installed, and those of the packages, with the characters that each has."""
import glob
import os
import re
import subprocess
import tempfile

from fontTools.ttLib import TTFont

# Symbols, scripts and variants of families with dozens of files.
LEFT_OUT = re.compile(r"Symbol|Emoji|Dingbat|Display|Math|Music|Awesome|D050000L|Z003|Chancery|Noto(Sans|Serif)[A-Z]")
NOTO = re.compile(r"Noto(Sans|Serif)")
NOTO_KEPT = re.compile(
    r"Noto(Sans|Serif)(Mono)?-(Regular|Bold|Italic|Condensed|SemiCondensed|CondensedBold|Light)\.ttf"
)
FIXED_WIDTH = re.compile(
    r"mono|cour|ocr|3270|incons|hack|code|fantas|anonym|vt323|consol|typewriter|nimbusmono|freemono", re.IGNORECASE
)
NEEDED = set("AZaz09.,:")


def installed():
    output = subprocess.run(["fc-list", "--format", "%{file}\n"], capture_output=True, text=True, check=True).stdout
    for path in sorted(set(output.split("\n"))):
        name = os.path.basename(path)
        if not name.lower().endswith((".ttf", ".otf")) or LEFT_OUT.search(name):
            continue
        if not NOTO.search(name) or NOTO_KEPT.match(name):
            yield path


def packaged(modules):
    """Those of the packages, written out of their compressed files."""
    folder = tempfile.mkdtemp()
    for path in sorted(glob.glob(os.path.join(modules, "@fontsource/*/files/*-latin-*.woff"))):
        font = TTFont(path)
        font.flavor = None
        target = os.path.join(folder, os.path.basename(path)[: -len(".woff")] + ".ttf")
        font.save(target)
        yield target


def fonts(modules):
    """(path, characters, has a fixed width) of each typeface."""
    found = []
    for path in [*installed(), *packaged(modules)]:
        try:
            characters = {chr(code) for code in TTFont(path, lazy=True).getBestCmap()}
        except Exception:  # A file that is no typeface after all.
            continue
        if NEEDED <= characters:
            found.append((path, characters, bool(FIXED_WIDTH.search(os.path.basename(path)))))
    return found
