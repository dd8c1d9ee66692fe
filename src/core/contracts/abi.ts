// Contract ABIs of Ethereum: the JSON form of the Solidity ABI specification.

import { hex, utf8 } from '../base/bytes.ts';
import { eachInSteps, endsStep, type StepCounter, type Steps } from '../base/steps.ts';
import { keccak256 } from '../crypto/hashes.ts';
import { quoted } from '../payload/refusal.ts';
import {
  below,
  listAt,
  type Members,
  memberOf,
  objectAt,
  refuseInterface,
  refuseTwins,
  textAt,
  valueOrReason,
} from './refusal.ts';

/** A function that calldata may call. */
export type AbiFunction = {
  readonly name: string;
  /** The name with the canonical types of its inputs: `transfer(address,uint256)`. */
  readonly signature: string;
  /** `0x` and the first four bytes of the Keccak-256 of the signature, lower-case hex. */
  readonly selector: string;
  readonly inputs: readonly AbiParameter[];
  /** The reason why calls of the function cannot be decoded; the function then has no inputs. Optional. */
  readonly problem?: string;
};

export type AbiParameter = {
  /** Empty for a parameter without a name. */
  readonly name: string;
  /** Canonical: a tuple is written with its components in parentheses, then the brackets of arrays. */
  readonly type: string;
  /** Members of a tuple, also of an array of tuples. */
  readonly components?: readonly AbiParameter[];
};

/** Bounds of an ABI. */
export const abiLimits = {
  entries: 5_000,
  /** More functions than the code of a contract has room for; each takes a hash. */
  functions: 2_500,
  parameters: 256,
  tupleDepth: 16,
  arrayDimensions: 16,
  nameCharacters: 256,
} as const;

/**
 * Returns the functions of an ABI, in its order. A function with an unknown type, or with two parameters of
 * one name, has a `problem`. Rejects (`field_invalid`) a value that is not an array of known entries, and a
 * function without a name. Also rejects an ABI without a decodable function, and one with two functions that
 * calldata could match. Each step reads a few parameters.
 */
export function* readAbiInSteps(value: unknown): Steps<readonly AbiFunction[]> {
  const counter = { steps: 0 };
  const functions: AbiFunction[] = [];
  const paths: string[] = [];
  for (const [i, item] of listAt(value, '', abiLimits.entries).entries()) {
    const path = below('', i);
    const entry = objectAt(item, path);
    // The type of a function is optional.
    const type = textAt(memberOf(entry, 'type') ?? 'function', below(path, 'type'));
    if (!entryTypes.has(type)) {
      refuseInterface(below(path, 'type'), `unknown type ${quoted(type)} of an entry`);
    }
    if (type !== 'function') continue;
    functions.push(yield* readFunction(entry, path, counter));
    paths.push(path);
    if (endsStep(counter)) yield;
  }
  if (functions.length > abiLimits.functions) {
    refuseInterface('', `expected at most ${abiLimits.functions} functions`);
  }
  if (functions.length === 0) refuseInterface('', 'expected an ABI with at least one function');
  const [first] = functions;
  // If no function is decodable, the error is the problem of the first.
  if (first?.problem !== undefined && functions.every(({ problem }) => problem !== undefined)) {
    refuseInterface('', first.problem);
  }
  refuseTwins(
    functions.map(({ selector }) => selector),
    'a function with the selector',
    (i) => String(paths[i]),
  );
  return functions;
}

const entryTypes: ReadonlySet<string> = new Set([
  'function',
  'constructor',
  'receive',
  'fallback',
  'event',
  'error',
]);

function* readFunction(entry: Members, path: string, counter: StepCounter): Steps<AbiFunction> {
  const name = identifierAt(memberOf(entry, 'name'), below(path, 'name'));
  const [value, inputsPath] = [memberOf(entry, 'inputs'), below(path, 'inputs')];
  listAt(value, inputsPath, abiLimits.parameters);
  const { value: inputs = [], reason: problem } = yield* valueOrReason(
    readParameters(value, inputsPath, 0, counter),
  );
  const signature = `${name}${problem === undefined ? tupleType(inputs) : writtenTypes(value, 0)}`;
  const selector = `0x${hex(keccak256(utf8(signature)).subarray(0, 4))}`;
  return { name, signature, selector, inputs, ...(problem === undefined ? {} : { problem }) };
}

/**
 * Returns the types of parameters as the ABI writes them, for the selector of a function that cannot be
 * decoded. Compilers write such types for enums of libraries and fixed point numbers.
 */
function writtenTypes(value: unknown, depth: number): string {
  if (!Array.isArray(value) || depth > abiLimits.tupleDepth) return '()';
  const types = value.map((item: unknown) => {
    const members = typeof item === 'object' && item !== null ? (item as Members) : {};
    const written = memberOf(members, 'type');
    const type = typeof written === 'string' ? written : '';
    const inner = () => writtenTypes(memberOf(members, 'components'), depth + 1);
    return type.startsWith('tuple')
      ? `${inner()}${type.slice('tuple'.length)}`
      : (elementaryTypes.get(type) ?? type);
  });
  return `(${types.join(',')})`;
}

function* readParameters(
  value: unknown,
  path: string,
  depth: number,
  counter: StepCounter,
): Steps<readonly AbiParameter[]> {
  const parameters = yield* eachInSteps(
    listAt(value, path, abiLimits.parameters),
    (item, i) => readParameter(item, below(path, i), depth, counter),
    counter,
  );
  const named = [...parameters.entries()].filter(([, { name }]) => name !== '');
  refuseTwins(
    named.map(([, { name }]) => name),
    'a parameter',
    (i) => below(path, named[i]?.[0] ?? i),
  );
  return parameters;
}

function* readParameter(
  item: unknown,
  path: string,
  depth: number,
  counter: StepCounter,
): Steps<AbiParameter> {
  const members = objectAt(item, path);
  const given = memberOf(members, 'name') ?? '';
  const name = given === '' ? '' : identifierAt(given, below(path, 'name'));
  const typePath = below(path, 'type');
  const type = textAt(memberOf(members, 'type'), typePath);
  const [element, brackets] = splitArray(type, typePath);
  if (element !== 'tuple') return { name, type: `${canonicalType(element, typePath)}${brackets}` };
  if (depth === abiLimits.tupleDepth) {
    refuseInterface(path, `expected tuples in at most ${abiLimits.tupleDepth} tuples`);
  }
  const components = yield* readParameters(
    memberOf(members, 'components'),
    below(path, 'components'),
    depth + 1,
    counter,
  );
  return { name, type: `${tupleType(components)}${brackets}`, components };
}

const tupleType = (parameters: readonly AbiParameter[]): string =>
  `(${parameters.map(({ type }) => type).join(',')})`;

/** Splits a type into its element and brackets: `uint8[3][]` into `uint8` and `[3][]`. */
function splitArray(type: string, path: string): [element: string, brackets: string] {
  const start = type.indexOf('[');
  if (start === -1) return [type, ''];
  const brackets = type.slice(start);
  if (!/^(?:\[(?:[1-9][0-9]{0,8})?\])+$/.test(brackets)) {
    refuseInterface(path, `unknown type ${quoted(type)}`);
  }
  if (brackets.split('[').length - 1 > abiLimits.arrayDimensions) {
    refuseInterface(path, `expected at most ${abiLimits.arrayDimensions} array dimensions`);
  }
  return [type.slice(0, start), brackets];
}

/** Canonical elementary types by all their spellings in ABIs. */
const elementaryTypes: ReadonlyMap<string, string> = new Map([
  ...['address', 'bool', 'string', 'bytes', 'function'].map((name) => [name, name] as const),
  ...Array.from({ length: 32 }, (_, i) => `bytes${i + 1}`).map((name) => [name, name] as const),
  ...['uint', 'int'].flatMap((sign) => [
    [sign, `${sign}256`] as const,
    ...Array.from({ length: 32 }, (_, i) => `${sign}${8 * (i + 1)}`).map(
      (name) => [name, name] as const,
    ),
  ]),
]);

function canonicalType(type: string, path: string): string {
  return elementaryTypes.get(type) ?? refuseInterface(path, `unknown type ${quoted(type)}`);
}

function identifierAt(value: unknown, path: string): string {
  const name = textAt(value, path);
  if (name.length <= abiLimits.nameCharacters && /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name)) {
    return name;
  }
  return refuseInterface(path, `expected a Solidity name, got ${quoted(name)}`);
}
