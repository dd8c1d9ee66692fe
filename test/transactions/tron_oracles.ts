// The interpretation of a Tron transaction by other libraries: @bufbuild/protobuf with our own schema, and
// the messages of TronWeb.

import { TronWeb } from 'tronweb';
import { equalBytes, hex } from '../../src/core/base/bytes.ts';
import type { FactStruct, FactValue } from '../../src/core/policy/language/values.ts';
import { type Decoded, decode, encode } from './tron_schema.ts';

/** The reason why the reader refuses what a library reads and writes unchanged, or the facts. */
export type Judgement =
  | { readonly refused: string; readonly facts?: undefined }
  | { readonly facts: FactStruct; readonly refused?: undefined };

/** The names of contracts by their number. */
const contracts = new Map([
  [1, 'TransferContract'],
  [31, 'TriggerSmartContract'],
  [46, 'AccountPermissionUpdateContract'],
  [54, 'FreezeBalanceV2Contract'],
  [55, 'UnfreezeBalanceV2Contract'],
  [57, 'DelegateResourceContract'],
  [58, 'UnDelegateResourceContract'],
]);

/** Judges the bytes by @bufbuild/protobuf, and by the rules beyond the encoding. */
export function judge(bytes: Uint8Array): Judgement {
  const raw = decodeStrictly('raw', bytes);
  if (raw === undefined) return { refused: 'the library refuses it, or writes other bytes' };
  const { contract, refBlockNum, auths, scripts } = raw;
  if (refBlockNum !== 0n || length(auths) + length(scripts) > 0) {
    return { refused: 'a field that policies have no name for' };
  }
  if (length(raw['refBlockBytes']) !== 2 || length(raw['refBlockHash']) !== 8) {
    return { refused: 'a reference of another length' };
  }
  const numbers = [raw['expiration'], raw['timestamp'], raw['feeLimit']];
  if (numbers.some(isNegative) || raw['expiration'] === 0n) return { refused: 'a number' };
  const [one, ...more] = contract as readonly Decoded[];
  if (one === undefined || more.length > 0) return { refused: 'not one contract' };
  return judgeContract(raw, one);
}

function judgeContract(raw: Decoded, contract: Decoded): Judgement {
  const { type, parameter, provider, ContractName, PermissionId } = contract;
  if (length(provider) + length(ContractName) > 0) {
    return { refused: 'a field that policies have no name for' };
  }
  const name = contracts.get(Number(type));
  if (name === undefined) return { refused: 'a contract that is not supported' };
  if (isNegative(PermissionId)) return { refused: 'a number' };
  const { typeUrl, value } = (parameter ?? {}) as { typeUrl?: string; value?: Uint8Array };
  if (typeUrl !== `type.googleapis.com/protocol.${name}`) return { refused: 'another type URL' };
  const members = decodeStrictly(name, value ?? new Uint8Array(0));
  if (members === undefined) return { refused: 'the library refuses it, or writes other bytes' };
  const problem = problemOf(members);
  if (problem !== undefined) return { refused: problem };
  return {
    facts: {
      tron: {
        tx: {
          ref_block_bytes: hex(raw['refBlockBytes'] as Uint8Array),
          ref_block_hash: hex(raw['refBlockHash'] as Uint8Array),
          expiration: raw['expiration'] as bigint,
          timestamp: raw['timestamp'] as bigint,
          data: hex(raw['data'] as Uint8Array),
          fee_limit: raw['feeLimit'] as bigint,
          contract: [
            { type: name, permission_id: BigInt(PermissionId as number), ...factsOf(members) },
          ],
        },
      },
    },
  };
}

function decodeStrictly(name: string, bytes: Uint8Array): Decoded | undefined {
  try {
    const decoded = decode(name, bytes);
    return equalBytes(encode(name, decoded), bytes) ? decoded : undefined;
  } catch {
    // The library throws errors of several types for bytes that are not a message.
    return undefined;
  }
}

const addressNames = new Set([
  'ownerAddress',
  'toAddress',
  'contractAddress',
  'receiverAddress',
  'address',
]);
const permissionNames = ['Owner', 'Witness', 'Active'];
const resourceNames = ['BANDWIDTH', 'ENERGY', 'TRON_POWER'];

/** Returns a rule beyond the encoding that a member of a message breaks. */
function problemOf(message: Decoded): string | undefined {
  for (const [name, value] of Object.entries(message)) {
    if (addressNames.has(name)) {
      const bytes = value as Uint8Array;
      if (bytes.length !== 21 || bytes[0] !== 0x41) return 'an address';
    }
    if (isNegative(value)) return 'a number';
    if (name === 'resource' && !(Number(value) in resourceNames)) return 'a resource';
    if (name === 'type' && !(Number(value) in permissionNames)) return 'a type of permission';
    if (name === 'operations' && length(value) !== 0 && length(value) !== 32) return 'operations';
    if (name === 'keys' && length(value) > 5) return 'more keys than the chain takes';
    if (name === 'actives' && length(value) > 8) return 'more permissions than the chain takes';
    const nested = Array.isArray(value) ? value : isMessage(value) ? [value] : [];
    const problem = nested.map(problemOf).find((each) => each !== undefined);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function factsOf(message: Decoded): FactStruct {
  const facts: { [name: string]: FactValue } = {};
  for (const [name, value] of Object.entries(message)) {
    if (name === '$typeName' || value === undefined) continue;
    facts[snake(name)] = factOf(name, value);
  }
  return facts;
}

function factOf(name: string, value: unknown): FactValue {
  if (addressNames.has(name)) return base58(value as Uint8Array);
  if (value instanceof Uint8Array) return hex(value);
  if (name === 'resource') return resourceNames[Number(value)] ?? '';
  if (name === 'type') return permissionNames[Number(value)] ?? '';
  if (Array.isArray(value)) return value.map(factsOf);
  if (isMessage(value)) return factsOf(value);
  if (typeof value === 'number') return BigInt(value);
  return value as bigint | boolean | string;
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const known = new Map<string, string>();

function base58(address: Uint8Array): string {
  const digits = hex(address);
  const text = known.get(digits) ?? TronWeb.address.fromHex(digits);
  known.set(digits, text);
  return text;
}

function isMessage(value: unknown): value is Decoded {
  return typeof value === 'object' && value !== null && '$typeName' in value;
}

function length(value: unknown): number {
  return (value as { readonly length: number }).length;
}

function isNegative(value: unknown): boolean {
  return (typeof value === 'bigint' || typeof value === 'number') && value < 0;
}

type TronWebMessage = {
  readonly deserializeBinary: (bytes: Uint8Array) => { serializeBinary(): Uint8Array };
};
type TronWebMessages = { readonly [name: string]: TronWebMessage } & {
  readonly Transaction: { readonly raw: TronWebMessage };
};

/** Returns true if TronWeb reads both messages and writes the same bytes. Its numbers end at 2^53. */
export function tronWebWritesTheSame(
  bytes: Uint8Array,
  contract: string,
  members: Uint8Array,
): boolean {
  const messages = Reflect.get(globalThis, 'TronWebProto') as TronWebMessages;
  const inner = messages[contract];
  if (inner === undefined) throw new Error(`TronWeb has no ${contract}`);
  return writesTheSame(messages.Transaction.raw, bytes) && writesTheSame(inner, members);
}

function writesTheSame(message: TronWebMessage, bytes: Uint8Array): boolean {
  try {
    return equalBytes(message.deserializeBinary(bytes).serializeBinary(), bytes);
  } catch {
    // It checks the range of a number after rounding it to a float.
    return false;
  }
}
