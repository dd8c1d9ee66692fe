// Reads the entries of a PSBT (BIP-174) without the code under test.

import assert from 'node:assert/strict';
import { schnorr } from '@noble/curves/secp256k1.js';
import { hex } from '../../../src/core/base/bytes.ts';
import { bytes } from '../../standards/vector_files.ts';

type SignedVector = {
  readonly signedTransaction: string;
  readonly signatures?: readonly Signature[];
};

type Signature = {
  readonly input: number;
  readonly compare: 'exact' | 'verify';
  readonly sighash: string;
  readonly verifyKey?: string;
};

/** The entry with the Schnorr signature of a key path, whose nonce is random. */
const taprootSignature = '13';

/** Returns true if two PSBTs have the same entries, in any order, and valid Schnorr signatures. */
export function samePsbt(signed: string, vector: SignedVector): boolean {
  const [got, wanted] = [mapsOf(bytes(signed)), mapsOf(bytes(vector.signedTransaction))];
  for (const { input, compare, sighash, verifyKey = '' } of vector.signatures ?? []) {
    if (compare === 'exact') continue;
    // The first map is the global map.
    const [ours, theirs] = [got[input + 1], wanted[input + 1]];
    assert(ours !== undefined && theirs !== undefined);
    const signature = ours.get(taprootSignature) ?? '';
    if (!schnorr.verify(bytes(signature), bytes(sighash), bytes(verifyKey))) return false;
    theirs.set(taprootSignature, signature);
  }
  assert.deepEqual(got.map(sorted), wanted.map(sorted));
  return true;
}

const sorted = (map: ReadonlyMap<string, string>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

/**
 * Returns the maps of a PSBT, first the global one, then one for each input and output; keys and values are
 * hex.
 */
export function mapsOf(psbt: Uint8Array): Map<string, string>[] {
  let at = 5;
  const size = (): number => {
    const first = psbt[at] ?? 0;
    const width = first < 0xfd ? 0 : first === 0xfd ? 2 : 4;
    let value = width === 0 ? first : 0;
    for (let i = width; i > 0; i -= 1) value = value * 256 + (psbt[at + i] ?? 0);
    at += 1 + width;
    return value;
  };
  const take = (length: number): string => {
    const taken = hex(psbt.subarray(at, at + length));
    at += length;
    return taken;
  };
  const maps = [new Map<string, string>()];
  while (at < psbt.length) {
    const length = size();
    if (length === 0) maps.push(new Map());
    else {
      const key = take(length);
      maps.at(-1)?.set(key, take(size()));
    }
  }
  return maps;
}
