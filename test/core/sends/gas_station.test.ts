// Compares the typed data and the call data of sponsored calls with viem.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeFunctionData, encodePacked, type Hex, hashTypedData, toHex } from 'viem';
import { hex } from '../../../src/core/base/bytes.ts';
import {
  intentDigest,
  type StationCall,
  stationData,
} from '../../../src/core/sends/gas_station.ts';
import {
  batchTypes,
  executionTypes,
  stationCall,
  stationDomain,
} from '../../support/gas_station_types.ts';

const sender = new Uint8Array(20).fill(0xa1);
const senderText = `0x${hex(sender)}` as const;
const calls: readonly StationCall[] = [
  { to: new Uint8Array(20).fill(0xb2), value: 0n, data: new Uint8Array() },
  { to: new Uint8Array(20).fill(0xc3), value: 5n, data: new Uint8Array(33).fill(7) },
  { to: new Uint8Array(20).fill(0), value: 2n ** 256n - 1n, data: new Uint8Array(64).fill(1) },
];
const shown = ({ to, value, data }: StationCall) => {
  return { to: `0x${hex(to)}` as const, value, data: `0x${hex(data)}` as const };
};
const domain = stationDomain(8453n, senderText);
const terms = { nonce: 2n ** 128n - 1n, deadline: 2n ** 32n - 1n };
const signature = {
  r: new Uint8Array(32).fill(0x11),
  s: new Uint8Array(32).fill(0x22),
  v: 1,
} as const;
test('one call is signed as an execution', () => {
  for (const each of calls) {
    const deadline = Number(terms.deadline);
    const expected = hashTypedData({
      domain,
      types: executionTypes,
      primaryType: 'Execution',
      message: { nonce: terms.nonce, deadline, ...shown(each) },
    });
    const digest = intentDigest({ chainId: 8453n, sender, ...terms, calls: [each] });
    assert.equal(`0x${hex(digest)}`, expected);
  }
});

test('several calls are signed as a batch', () => {
  const expected = hashTypedData({
    domain,
    types: batchTypes,
    primaryType: 'BatchExecution',
    message: { ...terms, deadline: Number(terms.deadline), calls: calls.map(shown) },
  });
  const digest = intentDigest({ chainId: 8453n, sender, ...terms, calls });
  assert.equal(`0x${hex(digest)}`, expected);
});

test('the station is called with the signature, the nonce, the deadline and the calls', () => {
  const head = encodePacked(
    ['bytes32', 'bytes32', 'uint8', 'uint128', 'uint32'],
    [toHex(signature.r), toHex(signature.s), 28, terms.nonce, Number(terms.deadline)],
  );
  const abi = [
    {
      type: 'function',
      name: 'execute',
      stateMutability: 'nonpayable',
      outputs: [],
      inputs: [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }, { type: 'bytes' }],
    },
    {
      type: 'function',
      name: 'executeBatch',
      stateMutability: 'nonpayable',
      outputs: [],
      inputs: [
        { type: 'address' },
        { type: 'tuple[]', components: stationCall },
        { type: 'bytes' },
      ],
    },
  ] as const;
  const written = (some: readonly StationCall[]): Hex =>
    `0x${hex(stationData({ sender, ...terms, calls: some }, signature))}`;
  for (const each of calls) {
    const { to, value, data } = shown(each);
    const packed: Hex = `${head}${data.slice(2)}`;
    const args = [senderText, to, value, packed] as const;
    assert.equal(written([each]), encodeFunctionData({ abi, functionName: 'execute', args }));
  }
  const args = [senderText, calls.map(shown), head] as const;
  assert.equal(written(calls), encodeFunctionData({ abi, functionName: 'executeBatch', args }));
});

test('a call without a signature has the same length, and no cheaper bytes', () => {
  const unsigned = stationData({ sender, ...terms, calls });
  assert.equal(unsigned.length, stationData({ sender, ...terms, calls }, signature).length);
  assert(!unsigned.subarray(-96, -31).includes(0), 'the place of the signature has no zero byte');
});
