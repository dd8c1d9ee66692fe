// Sponsored calls: the typed data that the sender signs (EIP-712), and the call that delivers it to a gas
// station. The account of the sender runs the code of a delegate (EIP-7702).

import { concatBytes, utf8 } from '../base/bytes.ts';
import type { ChainSignature } from '../chains/chain.ts';
import { keccak256 } from '../crypto/hashes.ts';
import { assert } from '../errors/errors.ts';
import { bigEndian, dynamicBytes, listOf, word } from './abi_encoding.ts';

/** A call of the sender. `to` is 20 bytes, `value` in wei. */
export type StationCall = {
  readonly to: Uint8Array;
  readonly value: bigint;
  readonly data: Uint8Array;
};

/** The content that the sender signs. */
export type StationIntent = {
  readonly chainId: bigint;
  /** 20 bytes. */
  readonly sender: Uint8Array;
  /** The sender's nonce at the delegate. */
  readonly nonce: bigint;
  /** Seconds since 1970. The delegate rejects the calls after this time. */
  readonly deadline: bigint;
  /** At least one call. */
  readonly calls: readonly StationCall[];
};

/** Maximum number of calls that the public delegate accepts at once. */
export const maximumCalls = 20;

const hashOf = (text: string): Uint8Array => keccak256(utf8(text));
const domainType = hashOf(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
);
const domainName = hashOf('TKGasDelegate');
const domainVersion = hashOf('1.1');
const callText = 'Call(address to,uint256 value,bytes data)';
const callType = hashOf(callText);
const oneType = hashOf(
  'Execution(uint128 nonce,uint32 deadline,address to,uint256 value,bytes data)',
);
const batchType = hashOf(`BatchExecution(uint128 nonce,uint32 deadline,Call[] calls)${callText}`);
const selectorOf = (text: string): Uint8Array => hashOf(text).subarray(0, 4);
const executeOne = selectorOf('execute(address,address,uint256,bytes)');
const executeBatch = selectorOf('executeBatch(address,(address,uint256,bytes)[],bytes)');

/** Returns the 32 bytes that the sender signs (EIP-712). */
export function intentDigest({
  chainId,
  sender,
  nonce,
  deadline,
  calls,
}: StationIntent): Uint8Array {
  const domain = keccak256(
    concatBytes(domainType, domainName, domainVersion, word(chainId), addressWord(sender)),
  );
  const [call, ...more] = calls;
  assert(call !== undefined, 'an intent has a call');
  const until = [word(nonce), word(deadline)];
  const content =
    more.length === 0
      ? concatBytes(oneType, ...until, callHashParts(call))
      : concatBytes(batchType, ...until, keccak256(concatBytes(...calls.map(callHash))));
  return keccak256(concatBytes(Uint8Array.of(0x19, 0x01), domain, keccak256(content)));
}

/** Returns the station's call data. Default signature: the bytes with the highest gas cost, for estimates. */
export function stationData(
  { sender, nonce, deadline, calls }: Omit<StationIntent, 'chainId'>,
  signature?: ChainSignature,
): Uint8Array {
  const signed =
    signature === undefined
      ? new Uint8Array(65).fill(0xff)
      : concatBytes(signature.r, signature.s, Uint8Array.of(27 + signature.v));
  const head = concatBytes(signed, bigEndian(nonce, 16), bigEndian(deadline, 4));
  const [call, ...more] = calls;
  assert(call !== undefined, 'an intent has a call');
  if (more.length === 0) {
    const { to, value, data } = call;
    const words = [addressWord(sender), addressWord(to), word(value), word(4n * 32n)];
    return concatBytes(executeOne, ...words, dynamicBytes(concatBytes(head, data)));
  }
  const list = listOf(calls.map(encodedCall));
  const offsets = [word(3n * 32n), word(3n * 32n + BigInt(list.length))];
  return concatBytes(executeBatch, addressWord(sender), ...offsets, list, dynamicBytes(head));
}

const callHashParts = ({ to, value, data }: StationCall): Uint8Array =>
  concatBytes(addressWord(to), word(value), keccak256(data));

const callHash = (call: StationCall): Uint8Array =>
  keccak256(concatBytes(callType, callHashParts(call)));

const encodedCall = ({ to, value, data }: StationCall): Uint8Array =>
  concatBytes(addressWord(to), word(value), word(3n * 32n), dynamicBytes(data));

function addressWord(address: Uint8Array): Uint8Array {
  assert(address.length === 20, 'an address has 20 bytes');
  return concatBytes(new Uint8Array(12), address);
}
