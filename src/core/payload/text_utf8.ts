import { utf8 } from '../base/bytes.ts';
import { refusePayload } from './refusal.ts';

/**
 * UTF-8 bytes of a text exactly as it was sent. Half a surrogate pair has no UTF-8 form; it is
 * refused, because an encoder would put U+FFFD in its place and another text would be signed.
 */
export function readText(text: string, path: string): Uint8Array {
  requireText(text, path);
  return utf8(text);
}

/** Refuses a text that has no UTF-8 form. */
export function requireText(text: string, path: string): void {
  if (!text.isWellFormed()) {
    refusePayload(path, 'expected well-formed Unicode, got half a surrogate pair');
  }
}
