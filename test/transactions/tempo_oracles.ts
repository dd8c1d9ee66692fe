// The interpretation of a Tempo transaction by other libraries: the newest ox, the ox in viem, and the RLP
// of ethers.

import { decodeRlp, encodeRlp } from 'ethers';
import { TxEnvelopeTempo } from 'ox/tempo';
import { Transaction } from 'viem/tempo';
import { caselessText, type FactStruct } from '../../src/core/policy/language/values.ts';

type Envelope = ReturnType<typeof TxEnvelopeTempo.deserialize>;

/** The reason for a refusal, or the envelope according to ox. */
export type Judgement =
  | { readonly refused: string; readonly envelope?: undefined }
  | { readonly envelope: Envelope; readonly refused?: undefined };

/** Judges the bytes by ox, and by the rules that ox does not check. */
export function judge(bytes: Uint8Array): Judgement {
  const text = `0x${bytes.toHex()}` as const;
  const refused = { refused: 'a library refuses it, or writes other bytes' };
  const rlp = tried(() => decodeRlp(bytes.subarray(1)));
  if (rlp === undefined || `0x76${encodeRlp(rlp).slice(2)}` !== text) return refused;
  const rule = Array.isArray(rlp) ? brokenRule(rlp) : 'no list';
  if (rule !== undefined) return { refused: rule };
  const envelope = tried(() => TxEnvelopeTempo.deserialize(text as TxEnvelopeTempo.Serialized));
  if (envelope === undefined) return refused;
  if (tried(() => TxEnvelopeTempo.serialize(envelope)) !== text) return refused;
  return { envelope };
}

/** Returns true if viem also reads the bytes and writes them again unchanged. */
export async function viemWritesTheSame(bytes: Uint8Array): Promise<boolean> {
  const text = `0x${bytes.toHex()}`;
  try {
    const read = Transaction.deserialize(text as `0x76${string}`);
    return (await Transaction.serialize(read as never)) === text;
  } catch {
    // viem throws errors of many types.
    return false;
  }
}

type Item = string | readonly Item[];

/** The maximum number of bytes of each integer in the list; undefined for other items. */
const lengths = [8, 32, 32, 8, undefined, undefined, 32, 8, 8, 8] as const;

/** Returns a broken rule that ox does not check, found from the items alone. */
function brokenRule(list: readonly Item[]): string | undefined {
  if (list.length !== 13) return 'items other than thirteen';
  const [calls, accessList, feeToken, feePayer, authorizations] = [4, 5, 10, 11, 12].map(
    (at) => list[at],
  );
  const isTooLong = lengths.some((bytes, at) => bytes !== undefined && !isInteger(list[at], bytes));
  if (isTooLong) return 'an integer in another form or too long';
  // ox does not compare the tip with a fee of 0.
  if (list[2] === '0x' && list[1] !== '0x') return 'a tip above a fee of 0';
  if (!Array.isArray(accessList) || accessList.length > 0) return 'an access list';
  if (!Array.isArray(authorizations) || authorizations.length > 0) return 'authorizations';
  if (!isAddress(feeToken)) return 'a fee token of another length';
  if (feePayer !== '0x' && feeToken !== '0x') return 'a fee token that the signature leaves out';
  if (typeof feePayer === 'string' && !['0x', '0x00'].includes(feePayer)) return 'a payer';
  if (Array.isArray(feePayer)) {
    const [parity, r, s, ...more] = feePayer as readonly Item[];
    const isSignature =
      more.length === 0 &&
      ['0x', '0x01'].includes(String(parity)) &&
      [r, s].every((part) => part !== '0x' && isInteger(part, 32));
    if (!isSignature) return 'a signature in another form';
  }
  if (!Array.isArray(calls) || calls.length === 0 || calls.length > 32) return 'a number of calls';
  return calls.every(isCall) ? undefined : 'a call in another form, or with a value';
}

function isCall(call: Item): boolean {
  if (!Array.isArray(call) || call.length !== 3) return false;
  const [to, value, input] = call;
  return isAddress(to) && value === '0x' && typeof input === 'string';
}

function isAddress(item: Item | undefined): boolean {
  return typeof item === 'string' && (item === '0x' || item.length === 42);
}

function isInteger(item: Item | undefined, bytes: number): boolean {
  return typeof item === 'string' && item.length <= 2 + 2 * bytes && !item.startsWith('0x00');
}

/** Returns true if ox stores the chain or a time as a float that loses digits. */
export function hasLargeFloat(bytes: Uint8Array): boolean {
  const list = tried(() => decodeRlp(bytes.subarray(1)));
  if (!Array.isArray(list)) return false;
  return [0, 8, 9].some((at) => {
    const item = list[at];
    return typeof item === 'string' && item !== '0x' && BigInt(item) > 2n ** 53n - 1n;
  });
}

/** Returns the facts of an envelope. */
export function factsOf(envelope: Envelope, from: string): FactStruct {
  return {
    tempo: {
      tx: {
        chain_id: BigInt(envelope.chainId),
        nonce: envelope.nonce ?? 0n,
        gas_limit: envelope.gas ?? 0n,
        max_fee_per_gas: envelope.maxFeePerGas ?? 0n,
        max_priority_fee_per_gas: envelope.maxPriorityFeePerGas ?? 0n,
        valid_before: BigInt(envelope.validBefore ?? 0),
        valid_after: BigInt(envelope.validAfter ?? 0),
        from: caselessText(from),
        fee_token: caselessText(String(envelope.feeToken ?? '')),
        calls: envelope.calls.map(({ to, data }) => ({
          to: caselessText(to ?? ''),
          input: caselessText(data ?? '0x'),
          function_signature: data !== undefined && data.length >= 10 ? data.slice(0, 10) : '',
        })),
      },
    },
  };
}

/** Returns the hash to sign according to ox, in hex. */
export function signedPayload(envelope: Envelope): string {
  return TxEnvelopeTempo.getSignPayload(envelope as never).slice(2);
}

function tried<Value>(make: () => Value): Value | undefined {
  try {
    return make();
  } catch {
    // The libraries throw errors of many types for bytes that they refuse.
    return undefined;
  }
}
