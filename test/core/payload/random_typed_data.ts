// Generates valid typed data, as JSON and as the values that other libraries take.

import fc from 'fast-check';

export type Member = { name: string; type: string };

export type RandomTypedData = {
  types: Record<string, Member[]>;
  primaryType: string;
  domainType: Member[];
  /** The form of clients: integers as decimal strings, `0x` strings or numbers. */
  written: { domain: Record<string, unknown>; message: Record<string, unknown> };
  /** The form of libraries: integers as bigint. */
  values: { domain: Record<string, unknown>; message: Record<string, unknown> };
};

type Both = { written: unknown; value: unknown };

const domainMembers: readonly Member[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
];

/**
 * Random typed data. Structs refer only to later structs and all are reachable from the first, as ethers
 * requires.
 */
export const randomTypedData: fc.Arbitrary<RandomTypedData> = fc.gen().map((draw) => {
  const names = draw(uniqueNames, /^[A-Z_][A-Za-z0-9_]{0,7}$/, 5);
  const all: Record<string, Member[]> = {};
  for (const [index, name] of names.entries()) {
    all[name] = draw(uniqueNames, /^[a-z][A-Za-z0-9_]{0,5}$/, 4).map((member) => ({
      name: member,
      type: drawType(draw, names.slice(index + 1)),
    }));
  }
  const primaryType = names[0] ?? '';
  const types = reachedFrom(primaryType, all);
  const message = drawValue(draw, primaryType, types);
  const domainType = domainMembers.filter(() => draw(fc.boolean));
  const domain = drawValue(draw, 'EIP712Domain', { EIP712Domain: domainType });
  return {
    types,
    primaryType,
    domainType,
    written: { domain: objectOf(domain.written), message: objectOf(message.written) },
    values: { domain: objectOf(domain.value), message: objectOf(message.value) },
  };
});

function uniqueNames(pattern: RegExp, maxLength: number): fc.Arbitrary<string[]> {
  return fc.uniqueArray(fc.stringMatching(pattern), { minLength: 1, maxLength });
}

function drawType(draw: fc.GeneratorValue, structs: readonly string[]): string {
  const bits = 8 * draw(fc.integer, { min: 1, max: 32 });
  const atomic = ['string', 'bytes', 'bool', 'address', `uint${bits}`, `int${bits}`];
  const base = draw(fc.constantFrom, ...atomic, `bytes${bits / 8}`, ...structs);
  const suffixes = draw(fc.array, fc.constantFrom('[]', '[1]', '[2]', '[3]'), { maxLength: 2 });
  // Half of the members are not arrays.
  return draw(fc.boolean) ? base : base + suffixes.join('');
}

function drawValue(
  draw: fc.GeneratorValue,
  type: string,
  types: Record<string, readonly Member[]>,
): Both {
  const array = /^(.*)\[(\d*)\]$/.exec(type);
  if (array !== null) {
    const [, element = '', length = ''] = array;
    const count = length === '' ? draw(fc.nat, { max: 3 }) : Number(length);
    const items = Array.from({ length: count }, () => drawValue(draw, element, types));
    return { written: items.map(({ written }) => written), value: items.map(({ value }) => value) };
  }
  const members = types[type];
  if (members !== undefined) {
    const drawn = members.map(
      (member) => [member.name, drawValue(draw, member.type, types)] as const,
    );
    return {
      written: Object.fromEntries(drawn.map(([name, both]) => [name, both.written])),
      value: Object.fromEntries(drawn.map(([name, both]) => [name, both.value])),
    };
  }
  const integer = /^(u?)int(\d+)$/.exec(type);
  if (integer !== null) return drawInteger(draw, integer[1] === 'u', Number(integer[2]));
  if (type === 'string') return same(draw(fc.string, { unit: 'grapheme', maxLength: 12 }));
  if (type === 'bool') return same(draw(fc.boolean));
  const size = type === 'address' ? 20 : Number(type.slice('bytes'.length));
  const bounds = type === 'bytes' ? { maxLength: 70 } : { minLength: size, maxLength: size };
  return same(`0x${draw(fc.uint8Array, bounds).toHex()}`);
}

function drawInteger(draw: fc.GeneratorValue, unsigned: boolean, bits: number): Both {
  const half = 2n ** BigInt(bits - 1);
  const value = draw(fc.bigInt, {
    min: unsigned ? 0n : -half,
    max: unsigned ? 2n * half - 1n : half - 1n,
  });
  const spellings: unknown[] = [value.toString()];
  if (value >= 0n)
    spellings.push(`0x${value.toString(16)}`, `0x${value.toString(16).toUpperCase()}`);
  if (Number.isSafeInteger(Number(value))) spellings.push(Number(value));
  return { written: draw(fc.constantFrom, ...spellings), value };
}

function reachedFrom(name: string, all: Record<string, Member[]>): Record<string, Member[]> {
  const members = all[name] ?? [];
  const reached: Record<string, Member[]> = { [name]: members };
  for (const { type } of members) {
    const base = type.replace(/\[.*$/, '');
    if (all[base] !== undefined) Object.assign(reached, reachedFrom(base, all));
  }
  return reached;
}

function objectOf(value: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value ?? {}));
}

function same(value: unknown): Both {
  return { written: value, value };
}
