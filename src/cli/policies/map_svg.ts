// The map of users and wallets as an SVG file.

import type { MapRow, Reach } from '../../core/policy/map/policy_map.ts';
import { drawMap } from '../../core/policy/map/policy_map_drawing.ts';

const words: Readonly<Record<Reach, string>> = {
  alone: 'alone',
  votes: 'with votes',
  content: 'by content',
  never: '',
};

/** Text for each reach in the table. */
export const reachText = (reach: Reach): string => words[reach];

const fills: Readonly<Record<Reach, string>> = {
  alone: '#bbf0c8',
  votes: '#ffe7a3',
  content: '#cfe1ff',
  never: '#ffffff',
};

/** Draws the map: a row for each user, a column for each wallet; messages above transactions. */
export function mapSvg(rows: readonly MapRow[], wallets: number): string {
  const { width, height, cells, texts } = drawMap(rows, wallets, words);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="13">`,
    '<title>Signatures of users with wallets: messages above, transactions below</title>',
    ...cells.map(
      (cell) =>
        `<rect x="${cell.x}" y="${cell.y}" width="${cell.width}" height="${cell.height}" fill="${fills[cell.reach]}" stroke="#888"/>`,
    ),
    ...texts.map(({ text, x, y }) => `<text x="${x}" y="${y}">${escaped(text)}</text>`),
    '</svg>\n',
  ].join('\n');
}

function escaped(text: string): string {
  const shown = text.replaceAll(/\p{Cc}/gu, '\u{fffd}');
  return shown.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
