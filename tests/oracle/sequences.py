"""What xterm.js makes of single control sequences that people's tools use: tests/cases/sequences.jsonl.

Each case is a few bytes on a small screen, as esctest has them. Needs node, and @xterm/headless and
@xterm/addon-unicode11 in a folder: `python tests/oracle/sequences.py FOLDER_WITH_NODE_MODULES`. Run by hand
when a case is added or the reference is renewed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

CASES = Path(__file__).parent.parent / "cases" / "sequences.jsonl"
COLUMNS, ROWS = 20, 6

FIVE_LINES = "a1\r\nb2\r\nc3\r\nd4\r\ne5"
FULL = "\r\n".join(letter * 20 for letter in "abcde")

SEQUENCES: dict[str, str] = {
    # The cursor.
    "CUP": "\x1b[3;5HX",
    "CUP without numbers": "abc\x1b[HX",
    "CUP beyond the screen": "\x1b[99;99HX",
    "HVP": "\x1b[2;4fX",
    "CUU stops at the top": "\x1b[3;3H\x1b[9AX",
    "CUD stops at the bottom": "\x1b[9BX",
    "CUF stops at the margin": "\x1b[99CX",
    "CUB stops at the margin": "abc\x1b[9DX",
    "CUF and CUB by default": "ab\x1b[D\x1b[CX",
    "CNL and CPL": "abc\x1b[2EX\x1b[FY",
    "CHA": "abcdef\x1b[3GX",
    "HPA and HPR": "abcdef\x1b[2`X\x1b[3aY",
    "VPA and VPR": "ab\x1b[3dX\x1b[2eY",
    "CR, LF, VT and FF": "ab\rX\nY\x0bZ\x0cW",
    "BS": "abc\b\bX",
    "BS at the margin": "\b\bX",
    "IND and NEL": "ab\x1bDc\x1bEd",
    "RI": "\x1b[3;3Hab\x1bMX",
    "RI at the top scrolls": FIVE_LINES + "\x1b[H\x1bMX",
    "DECSC and DECRC": "\x1b[2;3H\x1b7\x1b[5;9Habc\x1b8X",
    "DECRC gives the style back": "\x1b[1;31m\x1b7\x1b[0;32mab\x1b8X",
    "SCOSC and SCORC": "\x1b[2;3H\x1b[s\x1b[5;9Habc\x1b[uX",
    "DECRC with nothing kept": "abc\x1b8X",
    # Wrapping.
    "a line wraps": "x" * 21 + "Y",
    "the wrap waits for a character": "x" * 20 + "\x1b[DY",
    "CR after the last column": "x" * 20 + "\rY",
    "LF after the last column": "x" * 20 + "\nY",
    "BS after the last column": "x" * 20 + "\bY",
    "EL after the last column": "x" * 20 + "\x1b[KY",
    "DECAWM off": "\x1b[?7l" + "x" * 22 + "Y",
    "DECAWM off and on": "\x1b[?7l" + "x" * 25 + "\x1b[?7hYZ",
    "a wide character at the margin": "x" * 19 + "漢Y",
    "the last line wraps and scrolls": "\x1b[6;1H" + "x" * 25,
    # Tabs.
    "HT": "a\tb\tc",
    "HT at the margin": "a\t\t\t\t\tb",
    "HTS": "\x1b[1;4H\x1bH\r\tX",
    "TBC of one": "\x1b[1;9H\x1b[g\r\tX",
    "TBC of all": "\x1b[3g\r\tX",
    "CHT and CBT": "\x1b[2IX\x1b[ZY",
    # Erasing.
    "EL to the right": "abcdef\x1b[3D\x1b[K",
    "EL to the left": "abcdef\x1b[3D\x1b[1K",
    "EL of all": "abcdef\x1b[3D\x1b[2KX",
    "ED below": FULL + "\x1b[3;5H\x1b[J",
    "ED above": FULL + "\x1b[3;5H\x1b[1J",
    "ED of all": FULL + "\x1b[3;5H\x1b[2JX",
    "ECH": "abcdef\x1b[5D\x1b[3XY",
    "ECH keeps the cursor": "abcdef\x1b[H\x1b[2X",
    "erased cells have the ground colour": "abcdef\x1b[44m\x1b[4D\x1b[K",
    "ECH with a ground colour": "abcdef\x1b[41m\x1b[4D\x1b[2X",
    "ED with a ground colour": "ab\x1b[42m\x1b[J",
    # Insertion and deletion.
    "ICH": "abcdef\x1b[4D\x1b[2@XY",
    "DCH": "abcdef\x1b[4D\x1b[2P",
    "DCH of more than there are": "abcdef\x1b[4D\x1b[99P",
    "IRM": "abc\x1b[H\x1b[4hXY\x1b[4lZ",
    "IL": FIVE_LINES + "\x1b[2;1H\x1b[2LX",
    "DL": FIVE_LINES + "\x1b[2;1H\x1b[2MX",
    "IL and DL with a ground colour": FIVE_LINES + "\x1b[2;1H\x1b[44m\x1b[L\x1b[4;1H\x1b[M",
    "ICH splits a wide character": "a漢字b\x1b[1;3H\x1b[@",
    "DCH splits a wide character": "a漢字b\x1b[1;3H\x1b[P",
    "half of a wide character is written over": "漢字\x1b[1;2Hx",
    "REP": "ab\x1b[4bc",
    "REP of a wide character": "漢\x1b[2bc",
    # Scrolling and regions.
    "LF at the bottom scrolls": FULL + "\r\nf\r\ng\r\nh",
    "SU": FIVE_LINES + "\x1b[2SX",
    "SD": FIVE_LINES + "\x1b[2TX",
    "DECSTBM and LF": FIVE_LINES + "\x1b[2;4r\x1b[4;1H\nX",
    "DECSTBM and RI": FIVE_LINES + "\x1b[2;4r\x1b[2;1H\x1bMX",
    "DECSTBM sends the cursor home": "\x1b[3;3Hab\x1b[2;4rX",
    "LF below the region does not scroll": FIVE_LINES + "\x1b[2;4r\x1b[6;1H\n\nX",
    "IL within the region": FIVE_LINES + "\x1b[2;4r\x1b[3;1H\x1b[LX",
    "DL within the region": FIVE_LINES + "\x1b[2;4r\x1b[3;1H\x1b[MX",
    "IL outside the region does nothing": FIVE_LINES + "\x1b[2;3r\x1b[5;1H\x1b[L",
    "SU within the region": FIVE_LINES + "\x1b[2;4r\x1b[S",
    "SD within the region": FIVE_LINES + "\x1b[2;4r\x1b[T",
    "CUU stops at the region's top": "\x1b[3;5r\x1b[4;1H\x1b[9AX",
    "CUD stops at the region's bottom": "\x1b[2;4r\x1b[3;1H\x1b[9BX",
    "the region is taken back": FIVE_LINES + "\x1b[2;3r\x1b[r\x1b[6;1H\n\nX",
    "DECOM": "\x1b[3;5r\x1b[?6h\x1b[2;2HX\x1b[?6l\x1b[2;2HY",
    "DECOM stays within the region": "\x1b[3;5r\x1b[?6h\x1b[9;9HX",
    # The alternate screen.
    "mode 1049 keeps screen and cursor": "abc\x1b[?1049h\x1b[2;2Hxyz\x1b[?1049lX",
    "mode 1049 begins blank": "abc\x1b[?1049hX",
    "mode 1047": "abc\x1b[?1047hxyz\x1b[?1047lX",
    "mode 47": "abc\x1b[?47hxyz\x1b[?47lX",
    "mode 1048": "ab\x1b[?1048h\x1b[4;4Hcd\x1b[?1048lX",
    # Characters.
    "DEC line drawing": "\x1b(0lqqk\x1b(B\r\n\x1b(0x\x1b(B  \x1b(0x\x1b(B",
    "SO and SI": "\x1b)0a\x0eqx\x0fq",
    "a combining accent": "e\u0301x",
    "emoji are wide": "\U0001f600x",
    "a zero-width joiner": "a\u200bb",
    "bytes that are no UTF-8 stand for themselves only once": "a\ufffdb",
    "DECALN": "\x1b[3;3H\x1b#8",
    "RIS": "\x1b[2;4r\x1b[?6h\x1b[31mabc\x1bcX",
    "DECSTR": "\x1b[2;4r\x1b[?6h\x1b[4h\x1b[31m\x1b[!pX",
    # Style.
    "SGR attributes": "\x1b[1mb\x1b[2mf\x1b[22mn\x1b[3mi\x1b[4mu\x1b[7mr\x1b[9ms\x1b[0mp",
    "SGR off again": "\x1b[1;3;4;7;9ma\x1b[23mb\x1b[24mc\x1b[27md\x1b[29me\x1b[22mf",
    "SGR colours": "\x1b[31ma\x1b[42mb\x1b[39mc\x1b[49md\x1b[91me\x1b[102mf",
    "SGR 256 colours": "\x1b[38;5;208ma\x1b[48;5;17mb\x1b[38:5:99mc",
    "SGR true colour": "\x1b[38;2;1;2;3ma\x1b[48;2;250;251;252mb\x1b[38:2::9:8:7mc",
    "SGR without numbers": "\x1b[1;31ma\x1b[mb",
    "SGR with an empty number": "\x1b[31;;1ma",
    "SGR that nobody knows": "\x1b[31;77;1ma",
    "conceal": "\x1b[8ma\x1b[28mb",
    # What is no text.
    "OSC 0 is not shown": "\x1b]0;a title\x07X",
    "OSC 8 is not shown": "\x1b]8;;http://example.org\x1b\\link\x1b]8;;\x1b\\X",
    "OSC 52 is not shown": "\x1b]52;c;aGk=\x07X",
    "DCS is not shown": "\x1bPq#0~~\x1b\\X",
    "APC and PM are not shown": "\x1b_a\x1b\\\x1b^b\x1b\\X",
    "CAN ends a sequence": "\x1b[3\x18X",
    "ESC ends a sequence": "\x1b[3\x1b[2;2HX",
    "a sequence nobody knows": "\x1b[?9999hA\x1b[5;6zB\x1b[>1;2uC",
    "C0 within a sequence": "ab\x1b[\r2CX",
    "modes that show nothing": "\x1b[?2004h\x1b[?1h\x1b=\x1b[?1000;1006h\x1b[?2026hX\x1b[?2026l",
    "a cursor's shape": "\x1b[4 qX",
}

REFERENCE = """
const {Terminal} = require('@xterm/headless');
const {Unicode11Addon} = require('@xterm/addon-unicode11');
const input = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const color = (isDefault, isPalette, value) => isDefault ? 0 : isPalette ? 1 + value : 0x1000000 + value;
async function play(name, output) {
  const terminal = new Terminal({cols: input.columns, rows: input.rows, allowProposedApi: true});
  terminal.loadAddon(new Unicode11Addon());
  terminal.unicode.activeVersion = '11';
  await new Promise(done => terminal.write(output, done));
  const buffer = terminal.buffer.active, screen = [], styles = [];
  for (let y = 0; y < input.rows; y++) {
    const line = buffer.getLine(buffer.baseY + y);
    screen.push(line.translateToString(true).trimEnd());
    for (let x = 0; x < input.columns; x++) {
      const cell = line.getCell(x);
      if (!cell.getWidth()) continue;
      const named = {bold: cell.isBold(), faint: cell.isDim(), italic: cell.isItalic(),
        underline: cell.isUnderline(), inverse: cell.isInverse(), invisible: cell.isInvisible(),
        strikethrough: cell.isStrikethrough()};
      const style = [color(cell.isFgDefault(), cell.isFgPalette(), cell.getFgColor()),
        color(cell.isBgDefault(), cell.isBgPalette(), cell.getBgColor()),
        Object.keys(named).filter(name => named[name]).join(' ')];
      const blank = [' ', ''].includes(cell.getChars());
      if (blank && !style[2].includes('inverse') && !style[2].includes('underline'))
        style[0] = 0, style[2] = '';
      if (style[0] || style[1] || style[2]) styles.push([y, x, ...style]);
    }
  }
  const cursor = [buffer.cursorX, buffer.cursorY];
  return {name, output, screen: screen.join('\\n').trimEnd(), cursor, styles};
}
(async () => {
  const cases = [];
  for (const [name, output] of Object.entries(input.sequences)) cases.push(await play(name, output));
  console.log(JSON.stringify(cases));
})();
"""


def main() -> int:
    asked = json.dumps({"columns": COLUMNS, "rows": ROWS, "sequences": SEQUENCES})
    done = subprocess.run(
        ["node", "-e", REFERENCE], input=asked, capture_output=True, text=True, cwd=sys.argv[1], check=True
    )
    cases = json.loads(done.stdout)
    CASES.write_text("".join(json.dumps(case, ensure_ascii=False) + "\n" for case in cases), encoding="utf-8")
    print(f"{len(cases)} cases")
    return 0


if __name__ == "__main__":
    sys.exit(main())
