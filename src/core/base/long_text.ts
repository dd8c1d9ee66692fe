// Encodes long texts in parts, without splitting a character.

import { utf8 } from './bytes.ts';
import type { Steps } from './steps.ts';

/** Number of characters that are encoded in one step. */
const charactersOfStep = 256 * 1024;

/** Returns the UTF-8 bytes of a long text, in steps. */
export function* utf8InSteps(text: string): Steps<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let from = 0; from < text.length; ) {
    const end = from + charactersOfStep;
    // The encoder would replace a surrogate without its other half.
    const to = isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
    const part = utf8(text.slice(from, to));
    parts.push(part);
    length += part.length;
    from = to;
    yield;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
    yield;
  }
  return bytes;
}

/** Returns true for the first half of a surrogate pair. */
export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}
