import { utf8 } from '../base/bytes.ts';
import { refusePayload } from './refusal.ts';

/**
 * Returns the UTF-8 bytes of a text exactly as sent. Rejects half a surrogate pair, which an encoder would
 * replace with U+FFFD, so another text would be signed.
 */
export function readText(text: string, path: string): Uint8Array {
  requireText(text, path);
  return utf8(text);
}

/** Rejects a text with half a surrogate pair. */
export function requireText(text: string, path: string): void {
  if (!text.isWellFormed()) {
    refusePayload(path, 'expected well-formed Unicode, got half a surrogate pair');
  }
}
