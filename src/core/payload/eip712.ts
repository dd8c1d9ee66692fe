// EIP-712: hashing and signing of typed structured data. First the JSON is parsed against its types, which
// rejects all invalid data; hashing the values then cannot fail. Policies read the same values, so the signed
// values are those that policies allowed.

import { concatBytes, utf8 } from '../base/bytes.ts';
import { endsStep, finish, type StepCounter, type Steps } from '../base/steps.ts';
import { keccak256 } from '../crypto/hashes.ts';
import { newPayloadBudget, type PayloadBudget } from './budget.ts';
import {
  domainMembers,
  domainTypeName,
  encodeType,
  readStructTypes,
  type StructTypes,
} from './eip712_types.ts';
import { readStruct, type TypedStruct, type TypedValue } from './eip712_values.ts';
import { integerBytes } from './integers.ts';
import { type JsonMembers, memberOf, objectAt, readJsonObjectInSteps } from './json_payload.ts';
import { kindOf, quoted, refusePayload } from './refusal.ts';

/** Parsed typed data. */
export type TypedData = {
  /** All struct types, including `EIP712Domain`, even if the client did not declare it. */
  readonly types: StructTypes;
  readonly primaryType: string;
  readonly domain: TypedStruct;
  readonly message: TypedStruct;
};

/** The members of a domain; undefined for missing members. */
type DomainFacts = {
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly chainId: bigint | undefined;
  /** 20 bytes. */
  readonly verifyingContract: Uint8Array | undefined;
  /** The text instead, if the domain type declares a string, as Cosmos chains do. */
  readonly verifyingContractText: string | undefined;
  /** 32 bytes. */
  readonly salt: Uint8Array | undefined;
};

/** Maximum length of typed data as JSON, in characters. */
export const maxTypedDataLength = 1024 * 1024;

/**
 * Parses typed data from JSON, `{ types, domain, primaryType, message }`; ignores other members of the
 * object. If `types` lacks `EIP712Domain`, the type is derived from the members of the domain, in the order
 * of the standard. A domain without members requires an empty `EIP712Domain`, because some clients drop the
 * members of a domain. The payloads of one request share `budget`. Raises `field_invalid` with
 * the path of the wrong member (`parameters.payload.message.from.wallet`).
 */
export function readTypedData(
  payload: string,
  path: string,
  budget: PayloadBudget = newPayloadBudget(),
): TypedData {
  return finish(readTypedDataInSteps(payload, path, budget));
}

/** Like `readTypedData`, in steps of a few values. */
export function* readTypedDataInSteps(
  payload: string,
  path: string,
  budget: PayloadBudget = newPayloadBudget(),
): Steps<TypedData> {
  const object = yield* readJsonObjectInSteps(payload, maxTypedDataLength, path, budget);
  const declared = readStructTypes(
    memberOf(object, 'types', path, 'a JSON object'),
    `${path}.types`,
    budget,
  );
  const domain = presentMembers(
    memberOf(object, 'domain', path, 'a JSON object'),
    `${path}.domain`,
  );
  const types = withDomainType(declared, domain, `${path}.domain`);
  refuseAddressAsText(types, domain, `${path}.domain`);
  const primaryType = primaryTypeAt(object, types, path);
  const message = memberOf(object, 'message', path, 'a JSON object');
  return {
    types,
    primaryType,
    // A domain has only a few values, so they do not count.
    domain: yield* readStruct(domain, domainTypeName, types, `${path}.domain`, newPayloadBudget()),
    message: yield* readStruct(message, primaryType, types, `${path}.message`, budget),
  };
}

/** Returns the 32 bytes to sign: keccak256(0x1901 ‖ domain separator ‖ hash of the message). */
export function hashTypedData(data: TypedData): Uint8Array {
  return typedDataHashes(data).signed;
}

/** Hashes of typed data, 32 bytes each. */
type TypedDataHashes = {
  /** The domain separator. */
  readonly domain: Uint8Array;
  readonly message: Uint8Array;
  /** The hash to sign. */
  readonly signed: Uint8Array;
};

/** Typed data is hashed only once, since hashing thousands of values takes long. */
const knownHashes = new WeakMap<TypedData, TypedDataHashes>();

/** Returns the hashes of typed data, computed once. */
export function typedDataHashes(data: TypedData): TypedDataHashes {
  return finish(hashTypedDataInSteps(data));
}

/** Hashes typed data in steps. */
export function* hashTypedDataInSteps(data: TypedData): Steps<TypedDataHashes> {
  const known = knownHashes.get(data);
  if (known !== undefined) return known;
  const { types } = data;
  const hashing: Hashing = { types, typeHashes: new Map(), counter: { steps: 0 } };
  const domain = yield* hashMembers(data.domain, hashing);
  const message = yield* hashMembers(data.message, hashing);
  const signed = keccak256(concatBytes(magic, domain, message));
  const hashes = { domain, message, signed };
  knownHashes.set(data, hashes);
  return hashes;
}

/** Returns the members of the domain by name. */
export function domainFacts({ domain }: TypedData): DomainFacts {
  const member = <Kind extends TypedValue['kind']>(name: string, kind: Kind) => {
    const value = domain.members.get(name);
    return value !== undefined && isOfKind(value, kind) ? value : undefined;
  };
  return {
    name: member('name', 'string')?.value,
    version: member('version', 'string')?.value,
    chainId: member('chainId', 'integer')?.value,
    verifyingContract: member('verifyingContract', 'address')?.value,
    verifyingContractText: member('verifyingContract', 'string')?.value,
    salt: member('salt', 'bytes')?.value,
  };
}

const magic = Uint8Array.of(0x19, 0x01);
const wordBytes = 32;

type Hashing = {
  readonly types: StructTypes;
  readonly typeHashes: Map<string, Uint8Array>;
  readonly counter: StepCounter;
};

// Clients write null for missing domain members.
function presentMembers(value: unknown, path: string): JsonMembers {
  const entries = Object.entries(objectAt(value, path)).filter(([, member]) => member !== null);
  for (const [name] of entries) {
    if (!domainMembers.some((member) => member.name === name)) {
      refusePayload(path, `unknown domain member ${quoted(name)}`);
    }
  }
  return Object.fromEntries(entries);
}

// Without this type, `serializeTypedData` of viem writes any domain as an empty domain, so the signature
// would cover another domain than the caller showed.
const noDomain =
  'it is empty, and types has no EIP712Domain: declare the members of your domain in types.EIP712Domain, ' +
  'or an empty list for a domain without members';

// Rejects undeclared domain members, which would look signed without being hashed.
function withDomainType(declared: StructTypes, domain: JsonMembers, path: string): StructTypes {
  const domainType = declared.get(domainTypeName);
  if (domainType === undefined) {
    const present = domainMembers.filter(({ name }) => Object.hasOwn(domain, name));
    if (present.length === 0) refusePayload(path, noDomain);
    return new Map([...declared, [domainTypeName, present]]);
  }
  for (const name of Object.keys(domain)) {
    if (!domainType.some((member) => member.name === name)) {
      refusePayload(`${path}.${name}`, `not declared in types.${domainTypeName}`);
    }
  }
  return declared;
}

// A domain with the address as a string hashes differently than a domain with the same address.
function refuseAddressAsText(types: StructTypes, domain: JsonMembers, path: string): void {
  const name = 'verifyingContract';
  const member = types.get(domainTypeName)?.find((each) => each.name === name);
  const value = domain[name];
  const isAddress = typeof value === 'string' && /^\s*(0x)?[0-9a-f]{40}\s*$/i.test(value);
  if (member?.type.kind === 'string' && isAddress) {
    refusePayload(`${path}.${name}`, 'expected it to be declared as an address');
  }
}

function primaryTypeAt(object: JsonMembers, types: StructTypes, payloadPath: string): string {
  const path = `${payloadPath}.primaryType`;
  const name = memberOf(object, 'primaryType', payloadPath, 'the name of a type');
  if (typeof name !== 'string') refusePayload(path, `expected a string, got ${kindOf(name)}`);
  if (name === domainTypeName)
    refusePayload(path, 'expected the type of a message, got the domain');
  if (!types.has(name)) refusePayload(path, `${quoted(name)} is not declared in types`);
  return name;
}

function* hashMembers(struct: TypedStruct, hashing: Hashing): Steps<Uint8Array> {
  const members = yield* encodeValues([...struct.members.values()], hashing);
  return keccak256(concatBytes(typeHash(struct.type, hashing), members));
}

function* encodeValues(values: readonly TypedValue[], hashing: Hashing): Steps<Uint8Array> {
  const words = new Uint8Array(values.length * wordBytes);
  for (const [index, value] of values.entries()) {
    words.set(yield* encodeValue(value, hashing), index * wordBytes);
    if (endsStep(hashing.counter)) yield;
  }
  return words;
}

function typeHash(name: string, { types, typeHashes }: Hashing): Uint8Array {
  const known = typeHashes.get(name);
  if (known !== undefined) return known;
  const hash = keccak256(utf8(encodeType(name, types)));
  typeHashes.set(name, hash);
  return hash;
}

// Returns `encodeData` of the standard for one member: always 32 bytes.
function* encodeValue(value: TypedValue, hashing: Hashing): Steps<Uint8Array> {
  switch (value.kind) {
    case 'integer':
      return integerBytes(value.value, wordBytes);
    case 'bool':
      return integerBytes(value.value ? 1n : 0n, wordBytes);
    case 'address':
      return concatBytes(new Uint8Array(wordBytes - value.value.length), value.value);
    case 'string':
      return keccak256(utf8(value.value));
    case 'bytes':
      if (value.type === 'bytes') return keccak256(value.value);
      return concatBytes(value.value, new Uint8Array(wordBytes - value.value.length));
    case 'list':
      return keccak256(yield* encodeValues(value.items, hashing));
    case 'struct':
      return yield* hashMembers(value, hashing);
  }
}

function isOfKind<Kind extends TypedValue['kind']>(
  value: TypedValue,
  kind: Kind,
): value is Extract<TypedValue, { kind: Kind }> {
  return value.kind === kind;
}
