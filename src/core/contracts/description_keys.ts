// The keys of `display.formats`: function fragments with parameter names, and types of EIP-712.

import type { Json } from '../schema/json.ts';
import { abiLimits } from './abi.ts';
import { refuseInterface } from './refusal.ts';

// Patterns are compiled once, because a file has up to 50,000 parameters.
const identifier = /[A-Za-z_$][A-Za-z0-9_$]*/y;
const blanks = / */y;
const tupleWord = /tuple(?=\()/y;
const elementType = /[a-z][a-z0-9]*/y;
const dimensions = /(?:\[[0-9]*\])*/y;
const modifiers = / +(?:(?:memory|calldata|payable|indexed) +)*/y;

/** Returns an entry of an ABI for a fragment such as `swap((address token,uint256 amount) order)`. */
export function abiEntryOf(fragment: string, place: string): Json {
  const reader: Reader = { text: fragment.trim(), at: 0, place };
  const name = take(reader, identifier);
  if (name === '') refuse(reader);
  const inputs = parametersAt(reader, 0);
  if (reader.at !== reader.text.length) refuse(reader);
  return { type: 'function', name, inputs };
}

/** Returns the text of `encodeType` without the blanks that authors write after commas. */
export function encodedTypeOf(key: string, place: string): string {
  const text = key.replace(/,\s+/g, ',').trim();
  if (!/^(?:[A-Za-z_$][A-Za-z0-9_$:]*\([^()]*\))+$/.test(text)) {
    refuseInterface(
      place,
      'expected the encoded type, as in `Mail(Person from,string text)Person(…)`',
    );
  }
  return text;
}

type Reader = { readonly text: string; at: number; readonly place: string };

function parametersAt(reader: Reader, depth: number): Json[] {
  if (depth > abiLimits.tupleDepth) refuse(reader);
  const parameters: Json[] = [];
  expectMark(reader, '(');
  if (isNext(reader, ')')) return parameters;
  for (;;) {
    parameters.push(parameterAt(reader, depth));
    if (parameters.length > abiLimits.parameters) refuse(reader);
    if (isNext(reader, ')')) return parameters;
    expectMark(reader, ',');
  }
}

function parameterAt(reader: Reader, depth: number): Json {
  take(reader, blanks);
  take(reader, tupleWord);
  const isTuple = reader.text[reader.at] === '(';
  const components = isTuple ? parametersAt(reader, depth + 1) : undefined;
  const element = isTuple ? 'tuple' : take(reader, elementType);
  const type = `${element}${take(reader, dimensions)}`;
  if (element === '') refuse(reader);
  take(reader, modifiers);
  const name = take(reader, identifier);
  take(reader, blanks);
  return { type, name, ...(components === undefined ? {} : { components }) };
}

/** Takes text that matches at the position; returns '' without a match. */
function take(reader: Reader, pattern: RegExp): string {
  pattern.lastIndex = reader.at;
  const [found = ''] = pattern.exec(reader.text) ?? [];
  reader.at += found.length;
  return found;
}

function isNext(reader: Reader, mark: string): boolean {
  if (reader.text[reader.at] !== mark) return false;
  reader.at += 1;
  return true;
}

function expectMark(reader: Reader, mark: string): void {
  if (!isNext(reader, mark)) refuse(reader);
}

const refuse = ({ place, at }: Reader): never =>
  refuseInterface(
    place,
    `expected a function with types and names, as in \`transfer(address to,uint256 value)\`, at character ${at}`,
  );
