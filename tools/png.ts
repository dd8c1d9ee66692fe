// Reads and compares PNG screenshots of browsers (8 bits per channel, not interlaced).

import { inflateSync } from 'node:zlib';

export type Picture = {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly pixels: Uint8Array;
};

const headerBytes = 8;
const channelsOfColorType: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

/** Reads a picture. Raises an error for other variants of PNG. */
export function readPng(bytes: Buffer): Picture {
  const parts: Buffer[] = [];
  let [width, height, channels] = [0, 0, 0];
  for (let at = headerBytes; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') {
      [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
      channels = channelsOfColorType[data[9] ?? 0] ?? 0;
      if (data[8] !== 8 || channels === 0 || data[12] !== 0) throw new Error('unexpected PNG form');
    }
    if (type === 'IDAT') parts.push(data);
    at += 12 + length;
  }
  const rows = inflateSync(Buffer.concat(parts));
  return { width, height, channels, pixels: unfiltered(rows, width * channels, height, channels) };
}

/** Returns the share of pixels that differ; 1 if the sizes differ. */
export function differingShare(a: Picture, b: Picture): number {
  if (a.width !== b.width || a.height !== b.height || a.channels !== b.channels) return 1;
  let differing = 0;
  for (let at = 0; at < a.pixels.length; at += a.channels) {
    for (let i = at; i < at + a.channels; i += 1) {
      if (a.pixels[i] !== b.pixels[i]) {
        differing += 1;
        break;
      }
    }
  }
  return differing / Math.max(1, a.width * a.height);
}

/** Undoes the filters of the rows: none, left, up, average, Paeth. */
function unfiltered(rows: Buffer, rowBytes: number, height: number, channels: number): Uint8Array {
  const pixels = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    const filter = rows[y * (rowBytes + 1)] ?? 0;
    for (let x = 0; x < rowBytes; x += 1) {
      const at = y * rowBytes + x;
      const left = x >= channels ? (pixels[at - channels] ?? 0) : 0;
      const up = y > 0 ? (pixels[at - rowBytes] ?? 0) : 0;
      const corner = x >= channels && y > 0 ? (pixels[at - rowBytes - channels] ?? 0) : 0;
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      pixels[at] = (rows[y * (rowBytes + 1) + 1 + x] ?? 0) + predicted;
    }
  }
  return pixels;
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [byLeft, byUp, byCorner] = [left, up, corner].map((each) => Math.abs(estimate - each));
  if (byLeft === undefined || byUp === undefined || byCorner === undefined) return corner;
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}
