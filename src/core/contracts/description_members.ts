// Bounds of descriptions, and readers of their members.

import { below, type Members, refuseInterface, textAt } from './refusal.ts';

export const descriptionLimits = {
  deployments: 500,
  formats: 200,
  /** Maximum total length of the functions or types of formats, since parsing them takes long. */
  keyCharacters: 100_000,
  /** Maximum number of fields of one format, including those of groups. */
  fields: 64,
  /** Maximum number of fields and groups of one format. */
  items: 256,
  groupDepth: 4,
  /** Maximum length of a label, an intent or a name of an enumeration. */
  textCharacters: 200,
  /** Maximum number of constants, definitions and values of enumerations in a file. */
  constants: 2_000,
  /** Maximum number of addresses or values in one parameter. */
  listed: 100,
} as const;

/** Rejects unknown members, which may change the meaning of the others. */
export function requireMembers(object: Members, known: readonly string[], place: string): void {
  const unknown = Object.keys(object).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  refuseInterface(below(place, unknown), unsupported.get(unknown) ?? 'is not a known member');
}

const unsupported: ReadonlyMap<string, string> = new Map([
  ['includes', 'other files are not included: upload one merged file'],
  ['factory', 'contracts of a factory cannot be checked here: name each deployment'],
  ['encryption', 'encrypted values cannot be read here'],
  ['maps', 'maps are not supported'],
]);

/** Returns a text of at most `descriptionLimits.textCharacters`. */
export function boundedText(value: unknown, place: string): string {
  const text = textAt(value, place);
  const maximum = descriptionLimits.textCharacters;
  if (text.length <= maximum) return text;
  return refuseInterface(place, `expected at most ${maximum} characters, got ${text.length}`);
}

/** Returns a text, an integer or a boolean as text. */
export function scalarText(value: unknown, place: string): string {
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value);
  return boundedText(value, place);
}
