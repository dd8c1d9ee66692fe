// Paths of ERC-7730: names, indices and slices, separated by dots, below a root.

import { refuseInterface } from './refusal.ts';

/** A root is `data`: a signed value; `container`: a member of the transaction; or `file`: a constant. */
export type DescriptionPath = {
  readonly root: 'data' | 'container' | 'file';
  readonly segments: readonly DescriptionSegment[];
};

/** A slice selects bytes or items of a list. Its end is exclusive; negative numbers count from the end. */
export type DescriptionSegment =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'slice'; readonly from: number | undefined; readonly to: number | undefined };

const pathLimits = { characters: 256, segments: 16 } as const;

/** Members of a transaction or of the domain of typed data that a path may name. */
const containerNames = ['from', 'to', 'value', 'chainId'];

/** Parses a path. `place` is its position in the file, for error messages. */
export function readPath(text: string, place: string): DescriptionPath {
  if (text.length > pathLimits.characters) {
    refuseInterface(place, `expected at most ${pathLimits.characters} characters`);
  }
  const [, mark = '', rest = ''] = /^([#@$]\.?)?(.*)$/s.exec(text) ?? [];
  const root = mark.startsWith('@') ? 'container' : mark.startsWith('$') ? 'file' : 'data';
  const parts = rest
    .replace(/(?<=[^.])\[/g, '.[')
    .split('.')
    .filter((part) => part !== '');
  if (parts.length > pathLimits.segments) {
    refuseInterface(place, `expected at most ${pathLimits.segments} parts of a path`);
  }
  const segments = parts.map((part) => readSegment(part, place));
  const [first] = segments;
  const isContainer = first?.kind === 'name' && containerNames.includes(first.name);
  if (root === 'container' && (segments.length > 1 || !isContainer)) {
    refuseInterface(
      place,
      `expected one of ${containerNames.map((name) => `@.${name}`).join(', ')}`,
    );
  }
  return { root, segments };
}

function readSegment(part: string, place: string): DescriptionSegment {
  if (/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(part)) return { kind: 'name', name: part };
  const [, index] = /^\[(-?[0-9]{1,6})\]$/.exec(part) ?? [];
  if (index !== undefined) return { kind: 'index', index: Number(index) };
  const [slice, from, to] = /^\[(-?[0-9]{1,6})?:?(-?[0-9]{1,6})?\]$/.exec(part) ?? [];
  if (slice === undefined) return refuseInterface(place, 'expected names, indices and slices');
  return { kind: 'slice', from: numberOf(from), to: numberOf(to) };
}

const numberOf = (digits: string | undefined) =>
  digits === undefined ? undefined : Number(digits);
