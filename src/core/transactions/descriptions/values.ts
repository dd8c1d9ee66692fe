// Decoded arguments and typed data in a common form, which the paths of descriptions select from.

import { eip55 } from '../../address/ethereum.ts';
import { hex } from '../../base/bytes.ts';
import type { AbiParameter } from '../../contracts/abi.ts';
import type { AbiValue } from '../../contracts/abi_arguments.ts';
import type { DescriptionSegment } from '../../contracts/description_paths.ts';
import type { TypedStruct, TypedValue } from '../../payload/eip712_values.ts';
import { quotedText, shownHex } from '../text/shown_text.ts';

/** A signed value. `hex` is `0x` and lower-case digits. */
export type SignedValue =
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'address' | 'bytes'; readonly hex: string }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'list'; readonly items: readonly SignedValue[] }
  | { readonly kind: 'struct'; readonly members: ReadonlyMap<string, SignedValue> };

/** A value and its place, such as `order.tokens[0]`. `part` is a slice of the value at the place. */
export type PlacedValue = {
  readonly place: string;
  readonly value: SignedValue;
  readonly isPart?: true;
};

/** Returns the arguments of a call by name; an argument without a name by its position. */
export function argumentsByName(
  inputs: readonly AbiParameter[],
  values: readonly AbiValue[],
): SignedValue {
  const members = inputs.flatMap(({ name, ...rest }, i) => {
    const value = values[i];
    if (value === undefined) return [];
    return [[name === '' ? String(i) : name, fromAbi(value, rest)] as const];
  });
  return { kind: 'struct', members: new Map(members) };
}

function fromAbi(
  value: AbiValue,
  { type, components }: Pick<AbiParameter, 'type' | 'components'>,
): SignedValue {
  if (value.kind !== 'list') return value;
  const element = /^(.*)\[[0-9]*\]$/s.exec(type)?.[1];
  if (element !== undefined) {
    const item = { type: element, ...(components === undefined ? {} : { components }) };
    return { kind: 'list', items: value.items.map((each) => fromAbi(each, item)) };
  }
  return argumentsByName(components ?? [], value.items);
}

/** Returns the message of typed data. */
export function messageValue({ members }: TypedStruct): SignedValue {
  return {
    kind: 'struct',
    members: new Map([...members].map(([name, value]) => [name, fromTyped(value)])),
  };
}

function fromTyped(value: TypedValue): SignedValue {
  switch (value.kind) {
    case 'struct':
      return messageValue(value);
    case 'list':
      return { kind: 'list', items: value.items.map(fromTyped) };
    case 'integer':
      return { kind: 'integer', value: value.value };
    case 'bool':
      return { kind: 'boolean', value: value.value };
    case 'string':
      return { kind: 'text', value: value.value };
    case 'address':
    case 'bytes':
      return { kind: value.kind, hex: `0x${hex(value.value)}` };
  }
}

/** Number of list items that the paths of a description may still select; negative when exceeded. */
export type ItemBudget = { left: number };

/**
 * Returns the values at a path, several for a slice of a list; undefined if the path leads to no value.
 * Selects no list items beyond the budget.
 */
export function valuesAt(
  root: SignedValue,
  segments: readonly DescriptionSegment[],
  budget: ItemBudget,
): readonly PlacedValue[] | undefined {
  let found: readonly PlacedValue[] = [{ place: '', value: root }];
  for (const segment of segments) {
    const next: PlacedValue[] = [];
    for (const each of found) {
      const inner = step(each, segment, budget);
      if (inner === undefined) return undefined;
      next.push(...inner);
    }
    found = next;
  }
  return found;
}

function step(
  { place, value, isPart }: PlacedValue,
  segment: DescriptionSegment,
  budget: ItemBudget,
): readonly PlacedValue[] | undefined {
  if (isPart) return undefined;
  if (segment.kind === 'name') {
    const member = value.kind === 'struct' ? value.members.get(segment.name) : undefined;
    if (member === undefined) return undefined;
    return [{ place: place === '' ? segment.name : `${place}.${segment.name}`, value: member }];
  }
  if (value.kind === 'list') {
    const { items } = value;
    const [from, to] = boundsOf(segment, items.length);
    // An index beyond the list selects nothing.
    if (segment.kind === 'index' && from === to) return undefined;
    budget.left -= to - from;
    if (budget.left < 0) return [];
    return items
      .slice(from, to)
      .map((item, i) => ({ place: `${place}[${from + i}]`, value: item }));
  }
  const digits = digitsOf(value);
  if (digits === undefined) return undefined;
  const [from, to] = boundsOf(segment, digits.length / 2);
  const part = digits.slice(2 * from, 2 * to);
  return [{ place, value: { kind: 'bytes', hex: `0x${part}` }, isPart: true }];
}

/** Returns the range of positions that an index or slice selects. */
function boundsOf(
  segment: Exclude<DescriptionSegment, { readonly kind: 'name' }>,
  length: number,
): readonly [from: number, to: number] {
  const placed = (at: number) => Math.min(Math.max(at < 0 ? length + at : at, 0), length);
  if (segment.kind === 'slice') {
    const from = placed(segment.from ?? 0);
    return [from, Math.max(from, placed(segment.to ?? length))];
  }
  const at = segment.index < 0 ? length + segment.index : segment.index;
  return at >= 0 && at < length ? [at, at + 1] : [0, 0];
}

/** Returns the bytes of a value that can be sliced, as hex digits. */
function digitsOf(value: SignedValue): string | undefined {
  if (value.kind === 'bytes' || value.kind === 'address') return value.hex.slice(2);
  if (value.kind !== 'integer' || value.value < 0n) return undefined;
  return value.value.toString(16).padStart(64, '0');
}

const nothing: ReadonlySet<string> = new Set();

/**
 * Returns every value that is neither a list nor a struct, and every empty list, in order. Omits covered
 * places and values inside them.
 */
export function leavesOf(
  value: SignedValue,
  place = '',
  covered: ReadonlySet<string> = nothing,
): readonly PlacedValue[] {
  if (place !== '' && covered.has(place)) return [];
  if (value.kind === 'list') {
    if (value.items.length === 0) return [{ place, value }];
    return value.items.flatMap((item, i) => leavesOf(item, `${place}[${i}]`, covered));
  }
  if (value.kind !== 'struct') return [{ place, value }];
  return [...value.members].flatMap(([name, member]) =>
    leavesOf(member, place === '' ? name : `${place}.${name}`, covered),
  );
}

const maximumItems = 8;

/** Returns the text of a value without a format. */
export function rawText(value: SignedValue): string {
  switch (value.kind) {
    case 'address':
      return eip55(value.hex.slice(2));
    case 'bytes':
      return shownHex(value.hex);
    case 'text':
      return quotedText(value.value);
    case 'list':
    case 'struct':
      return listTextOf(value).text;
    default:
      return String(value.value);
  }
}

/** Returns false if `rawText` leaves out items of a list or members of a struct. */
export const isWholeInText = (value: SignedValue): boolean =>
  (value.kind !== 'list' && value.kind !== 'struct') || listTextOf(value).isWhole;

type ListText = { readonly text: string; readonly isWhole: boolean };

/** Cached, because many fields may refer to the same list of thousands of values. */
const textsOfLists = new WeakMap<SignedValue, ListText>();

const listTextOf = (value: SignedValue): ListText =>
  textsOfLists.getOrInsertComputed(value, listText);

function listText(value: SignedValue): ListText {
  if (value.kind === 'list' && value.items.length === 0) return { text: '[]', isWhole: true };
  const leaves = leavesOf(value);
  const shown = leaves.slice(0, maximumItems).map((leaf) => rawText(leaf.value));
  const left = leaves.length - shown.length;
  const text = `[${[...shown, ...(left === 0 ? [] : [`… ${left} more`])].join(', ')}]`;
  return { text, isWhole: left === 0 };
}
