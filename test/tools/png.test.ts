// The reader of pictures accepts every filter of rows, and compares pictures by their pixels.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { differingShare, readPng } from '../../tools/png.ts';

const [width, height, channels] = [4, 5, 3];
const pixels = Uint8Array.from({ length: width * height * channels }, (_, i) => (i * 37) % 256);

/** Returns a PNG with five rows, whose row number `y` has the filter `y`. */
function pngOf(values: Uint8Array): Buffer {
  const rowBytes = width * channels;
  const at = (y: number, x: number) => (y < 0 || x < 0 ? 0 : (values[y * rowBytes + x] ?? 0));
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Array.from({ length: rowBytes }, (__, x) => {
      const [left, up, corner] = [at(y, x - channels), at(y - 1, x), at(y - 1, x - channels)];
      const nearest = [left, up, corner].toSorted(
        (a, b) => Math.abs(left + up - corner - a) - Math.abs(left + up - corner - b),
      )[0];
      const predicted = [0, left, up, Math.floor((left + up) / 2), nearest][y] ?? 0;
      return (at(y, x) - predicted) & 0xff;
    });
    return [y, ...row];
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const parts = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  // The reader does not verify checksums, so they are zero.
  return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
}

test('rows of every filter are read', () => {
  const read = readPng(pngOf(pixels));
  assert.deepEqual([read.width, read.height, read.channels], [width, height, channels]);
  assert.deepEqual(read.pixels, pixels);
});

test('the share of differing pixels is that of all, and another size differs whole', () => {
  const changed = pixels.with(0, 1).with(1, 2).with(30, 7);
  const [was, is] = [pixels, changed].map((values) => readPng(pngOf(values)));
  assert(was && is);
  assert.equal(differingShare(was, was), 0);
  assert.equal(differingShare(was, is), 2 / 20);
  assert.equal(differingShare(was, { ...is, height: 4 }), 1);
});
