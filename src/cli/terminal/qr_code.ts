// Draws a text as a QR code in the terminal.

import { encode } from 'uqr';

/** Quiet zone around the code, in modules (ISO/IEC 18004). */
const border = 4;
const blackOnWhite = '\u001b[30;107m';
const reset = '\u001b[0m';

/**
 * Returns lines with two rows of modules each. With colours, the code is black on white. Without, blocks draw
 * the light modules, because most terminals are dark.
 */
export function qrLines(text: string, isColored: boolean): readonly string[] {
  const { data } = encode(text, { ecc: 'M', border });
  const isBlock = (row: boolean[] | undefined, column: number): boolean =>
    (row?.[column] ?? false) === isColored;
  const lines: string[] = [];
  for (let row = 0; row < data.length; row += 2) {
    const [upper = [], lower] = [data[row], data[row + 1]];
    const cells = upper.map((_, column) => {
      const [top, bottom] = [isBlock(upper, column), isBlock(lower, column)];
      if (top && bottom) return '█';
      if (top) return '▀';
      return bottom ? '▄' : ' ';
    });
    lines.push(isColored ? `${blackOnWhite}${cells.join('')}${reset}` : cells.join(''));
  }
  return lines;
}
