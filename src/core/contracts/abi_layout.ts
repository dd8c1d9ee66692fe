// Layout of arguments in call data, from the types of an ABI (Solidity's "Contract ABI Specification").

import { assert } from '../errors/errors.ts';
import type { AbiParameter } from './abi.ts';

/** The kinds of content of a 32-byte word. */
export type WordKind = 'unsigned' | 'signed' | 'boolean' | 'address' | 'bytes';

/** The layout of a type. `headBytes` is the size of a static value, or 32 for the offset of a dynamic one. */
export type AbiLayout =
  | {
      readonly kind: 'word';
      readonly word: WordKind;
      /** Number of significant bytes in the word. */
      readonly size: number;
      readonly isDynamic: false;
      readonly headBytes: number;
    }
  | {
      readonly kind: 'bytes' | 'text';
      readonly isDynamic: true;
      readonly headBytes: number;
    }
  | {
      readonly kind: 'tuple';
      readonly members: readonly AbiLayout[];
      readonly isDynamic: boolean;
      readonly headBytes: number;
      /** Total size of the members. */
      readonly bodyBytes: number;
    }
  | {
      readonly kind: 'array';
      readonly element: AbiLayout;
      /** Undefined for a length that the data states. */
      readonly count: number | undefined;
      readonly isDynamic: boolean;
      readonly headBytes: number;
    };

export type TupleLayout = Extract<AbiLayout, { readonly kind: 'tuple' }>;

/** Returns the layout of arguments whose types were validated. */
export function layoutOf(parameters: readonly AbiParameter[]): TupleLayout {
  const members = parameters.map(layoutOfParameter);
  const isDynamic = members.some((member) => member.isDynamic);
  const bodyBytes = members.reduce((sum, { headBytes }) => sum + headBytes, 0);
  return { kind: 'tuple', members, isDynamic, headBytes: isDynamic ? 32 : bodyBytes, bodyBytes };
}

function layoutOfParameter({ type, components }: AbiParameter): AbiLayout {
  const start = type.indexOf('[', type.lastIndexOf(')') + 1);
  const name = start === -1 ? type : type.slice(0, start);
  const brackets = start === -1 ? [] : type.slice(start + 1, -1).split('][');
  const innermost = components === undefined ? elementaryLayout(name) : layoutOf(components);
  return brackets.reduce<AbiLayout>((element, count) => {
    const isFixed = count !== '';
    const isDynamic = !isFixed || element.isDynamic;
    // Products stay finite: sixteen dimensions of nine digits each are far below the largest number.
    const headBytes = isDynamic ? 32 : Number(count) * element.headBytes;
    return {
      kind: 'array',
      element,
      count: isFixed ? Number(count) : undefined,
      isDynamic,
      headBytes,
    };
  }, innermost);
}

function elementaryLayout(name: string): AbiLayout {
  if (name === 'bytes') return { kind: 'bytes', isDynamic: true, headBytes: 32 };
  if (name === 'string') return { kind: 'text', isDynamic: true, headBytes: 32 };
  const fixed = fixedWords.get(name);
  if (fixed !== undefined) return word(...fixed);
  const [, family = '', digits] = /^(uint|int|bytes)(\d+)$/.exec(name) ?? [];
  const kind = families.get(family);
  assert(kind !== undefined, `${name} is a type of the ABI`);
  return word(kind, kind === 'bytes' ? Number(digits) : Number(digits) / 8);
}

function word(kind: WordKind, size: number): AbiLayout {
  return { kind: 'word', word: kind, size, isDynamic: false, headBytes: 32 };
}

const fixedWords: ReadonlyMap<string, readonly [WordKind, number]> = new Map([
  ['address', ['address', 20]],
  ['bool', ['boolean', 1]],
  // An address and a selector.
  ['function', ['bytes', 24]],
] satisfies [string, readonly [WordKind, number]][]);

const families: ReadonlyMap<string, WordKind> = new Map([
  ['uint', 'unsigned'],
  ['int', 'signed'],
  ['bytes', 'bytes'],
] satisfies [string, WordKind][]);
