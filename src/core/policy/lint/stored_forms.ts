// Stored forms of values that conditions compare exactly; other spellings never match.

import type { FieldNotes, StoredForm } from '../names/row.ts';
import { fieldRowOf, isStructName } from '../names/structs.ts';
import type { Literal } from './lint_analysis.ts';

/**
 * Returns an Ethereum address in the letter case of EIP-55, from 40 hex digits in lower case. The caller
 * passes it, because web pages lint without Keccak.
 */
export type Checksum = (digits: string) => string;

/**
 * Returns the problem of a value that is compared with `Struct.member`; undefined for valid values. Without
 * `checksum`, the letter case of Ethereum addresses is not checked.
 */
export function storedFormProblem(
  key: string,
  literal: Literal,
  checksum: Checksum | undefined,
): string | undefined {
  if (literal.kind !== 'text') return undefined;
  const { form, oneOf } = notesOf(key);
  if (oneOf !== undefined && !oneOf.includes(literal.value))
    return `it is one of ${oneOf.join(', ')}`;
  return form === undefined ? undefined : forms[form](literal.value, checksum);
}

type Form = (text: string, checksum: Checksum | undefined) => string | undefined;

const forms: Readonly<Record<StoredForm, Form>> = { address, identifier, lowerHex, targetKey };

/** Returns the notes of a member, of the elements of a list (`[]`), or of a part of a hex text (`[..]`). */
export function notesOf(key: string): FieldNotes {
  const [, struct = '', field = '', part] = /^(\w+)\.(\w+)(\[\]|\[\.\.\])?$/.exec(key) ?? [];
  const row = isStructName(struct) ? fieldRowOf(struct, field) : undefined;
  if (row === undefined || row.type.startsWith('list<') !== (part === '[]')) return {};
  if (part === '[..]') return row.form === 'lowerHex' ? { form: row.form } : {};
  return row;
}

function address(text: string, checksum: Checksum | undefined): string | undefined {
  const [, digits] = /^0x([0-9a-f]{40})$/i.exec(text) ?? [];
  if (digits === undefined || checksum === undefined) return undefined;
  const stored = checksum(digits.toLowerCase());
  return stored === text ? undefined : `the address is stored as \`${stored}\``;
}

function identifier(text: string): string | undefined {
  if (uuid.test(text)) return undefined;
  return uuid.test(text.toLowerCase())
    ? 'identifiers are stored in lower case'
    : 'an identifier is a UUID, not a name';
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function lowerHex(text: string): string | undefined {
  return /[A-F]/.test(text) && /^(0x)?[0-9a-f]*$/i.test(text)
    ? 'these hexadecimal digits are stored in lower case'
    : undefined;
}

function targetKey(text: string): string | undefined {
  return /^04[0-9a-f]{128}$/.test(text)
    ? undefined
    : 'a target key is stored uncompressed, as 130 hexadecimal digits in lower case';
}
