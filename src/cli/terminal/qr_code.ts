// A text as a QR code in the terminal.

import { encode } from 'uqr';

/** Modules of quiet around a code (ISO/IEC 18004). */
const border = 4;
const blackOnWhite = '\u001b[30;107m';
const reset = '\u001b[0m';

/**
 * Lines that draw a text, two rows of modules each. With colours it is black on white; without, blocks
 * are the light modules, as terminals mostly have light letters on dark.
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
