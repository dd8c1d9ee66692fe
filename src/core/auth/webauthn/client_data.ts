// Reads the browser's part of a ceremony: clientDataJSON (Web Authentication Level 3, section 5.8.1).

import { textOfUtf8 } from '../../base/bytes.ts';
import { isJsonObject, parsedJsonOnce } from '../../schema/json.ts';
import type { Refuse } from './refuse.ts';

export type ClientData = {
  /** `webauthn.create` or `webauthn.get`. */
  readonly type: string;
  /** The challenge of the page, in base64url. */
  readonly challenge: string;
  /** Origin of the page, such as `https://wallet.example`; apps have their own kind of origin. */
  readonly origin: string;
};

/**
 * Returns the relevant members of the UTF-8 JSON. `crossOrigin` is ignored: `FEATURE_NAME_WEBAUTHN_ORIGINS`
 * does not restrict frames of another origin.
 */
export function readClientData(bytes: Uint8Array, refuse: Refuse): ClientData {
  const text = textOfUtf8(bytes);
  const value = text === undefined ? undefined : parsedJsonOnce(text);
  if (!isJsonObject(value))
    refuse('expected the client data as a JSON object with every member once');
  const { type, challenge, origin } = value;
  if (typeof type !== 'string') refuse('expected `type` of the client data as text');
  if (typeof challenge !== 'string') refuse('expected `challenge` of the client data as text');
  if (typeof origin !== 'string') refuse('expected `origin` of the client data as text');
  return { type, challenge, origin };
}

/** Returns true if two challenges are equal except for padding. */
export function isSameChallenge(a: string, b: string): boolean {
  return withoutPadding(a) === withoutPadding(b);
}

/** Returns true if a page of this origin may use passkeys here; with no list all may. */
export function isAllowedOrigin(
  origin: string,
  allowedOrigins: readonly string[] | undefined,
): boolean {
  return allowedOrigins === undefined || allowedOrigins.includes(origin);
}

function withoutPadding(text: string): string {
  return text.replace(/={1,2}$/, '');
}
