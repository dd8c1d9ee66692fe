// The service's own keys, derived from the root key: HKDF with the name of the role.

import {
  base64url,
  bytesOfBase64url,
  concatBytes,
  copyOfSecret,
  textOfUtf8,
  utf8,
  wipe,
} from '../../core/base/bytes.ts';
import { type KeyAgreement, keyAgreement } from '../../core/crypto/key_agreement.ts';
import { p256 } from '../../core/crypto/p256.ts';
import {
  type ServiceKeyRole,
  type ServiceKeys,
  serviceKeyRoles,
} from '../../core/crypto/service_keys.ts';
import { assert } from '../../core/errors/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/schema/json.ts';
import type { RootKeys } from './root_keys.ts';
import { createSealing } from './sealing.ts';

/** Maximum length of a sealed token; the service's own tokens take about 300. */
export const maximumTokenCharacters = 4096;

/** The address of all tokens. Tokens belong to the deployment and contain their subject. */
const tokenPlace = { organizationId: '', kind: 'session_token', id: '', version: 1 };

type ServiceKey = { readonly privateKey: Uint8Array; readonly agreement: KeyAgreement };

/** Creates the service keys. Each role has one key in memory until `close` wipes it. */
export function createServiceKeys(
  keys: RootKeys,
  random: (length: number) => Uint8Array,
  clock?: () => number,
): ServiceKeys & { close(): void } {
  const known = new Map<ServiceKeyRole, ServiceKey>();
  const sealing = createSealing('session_token', keys, random, clock);
  let isClosed = false;
  let { epoch } = keys;

  /** Drops the keys of the earlier epoch, because some roles have new keys. */
  function forget(): void {
    for (const { privateKey } of known.values()) wipe(privateKey);
    known.clear();
    epoch = keys.epoch;
  }

  function keyOf(role: ServiceKeyRole): ServiceKey {
    assert(!isClosed, 'the service keys were closed');
    if (epoch !== keys.epoch) forget();
    const found = known.get(role);
    if (found !== undefined) return found;
    const privateKey = privateKeyOf(role, keys);
    const key = { privateKey, agreement: keyAgreement(privateKey) };
    known.set(role, key);
    return key;
  }

  return {
    publicKey: (role) => Uint8Array.from(keyOf(role).agreement.publicKey),
    sign: (role, digest) => {
      assert(serviceKeyRoles[role].use === 'sign', 'a key that agrees does not sign');
      const { r, s } = p256.sign(keyOf(role).privateKey, digest);
      return concatBytes(r, s);
    },
    keyAgreement: (role) => {
      assert(serviceKeyRoles[role].use === 'agree', 'a key that signs does not agree');
      return keyOf(role).agreement;
    },
    sealToken: (payload) => {
      const token = base64url(sealing.seal(tokenPlace, utf8(JSON.stringify(payload))));
      assert(token.length <= maximumTokenCharacters, 'a token keeps its bound');
      return token;
    },
    openToken: (text) => {
      if (text.length > maximumTokenCharacters) return undefined;
      const sealed = bytesOfBase64url(text);
      // Rejects other encodings, so that each token has exactly one text.
      if (sealed === undefined || base64url(sealed) !== text) return undefined;
      const payload = sealing.open(tokenPlace, sealed);
      return payload && payloadOf(payload);
    },
    close: () => {
      isClosed = true;
      forget();
    },
  };
}

/** Derives a key with a counter until its 32 bytes are in range, which nearly all are. */
function privateKeyOf(role: ServiceKeyRole, keys: RootKeys): Uint8Array {
  for (let attempt = 0; ; attempt += 1) {
    const candidate = keys.key('service_key', `${role}/${attempt}`);
    // A copy, because the original belongs to the cache of the root keys, which wipes it.
    if (p256.isPrivateKey(candidate)) return copyOfSecret(candidate);
  }
}

function payloadOf(bytes: Uint8Array): JsonObject | undefined {
  const text = textOfUtf8(bytes);
  assert(text !== undefined, 'a token holds text');
  const payload: Json = JSON.parse(text);
  assert(isJsonObject(payload), 'a token holds an object');
  return payload;
}
