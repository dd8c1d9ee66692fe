// Seals the rows of a database again with the keys of a new root key.

import { base64url, bytesOfBase64url, hex, textOfUtf8, utf8, wipe } from '../core/base/bytes.ts';
import { assert } from '../core/errors/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../core/schema/json.ts';
import type { RootKeys } from '../enclave/keys/root_keys.ts';
import { createSealing, epochOf, type RecordAddress, sealAgain } from '../enclave/keys/sealing.ts';
import { completenessKey } from '../enclave/records/completeness.ts';
import { UnusableDataError } from '../store/unusable_data_error.ts';
import { secretMembers } from './sealed_rows.ts';

export type Resealing = {
  /** Returns the content of a body. Raises UnusableDataError if it does not open with the earlier keys. */
  check(place: RecordAddress, sealed: Uint8Array): Uint8Array;
  /** Returns the body under the new keys; undefined for a body that has them already. */
  reseal(place: RecordAddress, sealed: Uint8Array): Uint8Array | undefined;
};

type ResealingPorts = {
  readonly earlier: RootKeys;
  readonly next: RootKeys;
  readonly random: (length: number) => Uint8Array;
  readonly now: number;
};

export function createResealing({ earlier, next, random, now }: ResealingPorts): Resealing {
  const clock = () => now;
  const records = createSealing('seal', earlier, random, clock);
  const secrets = createSealing('wrap', earlier, random, clock);
  const newSecrets = createSealing('wrap', next, random, clock);

  function opened(place: RecordAddress, sealed: Uint8Array): Uint8Array {
    const plaintext = records.open(place, sealed);
    if (plaintext !== undefined) return plaintext;
    const { organizationId, kind, id } = place;
    if (kind === 'deployment') {
      throw new UnusableDataError('the root key is not the one that the database was made with');
    }
    throw new UnusableDataError(
      `the ${kind} ${id} of organization ${organizationId} does not open with the root key: restore the database from a backup first`,
    );
  }

  /** Returns the content of a row whose own keys depend on the epoch, with those keys replaced. */
  function renewed(place: RecordAddress, plaintext: Uint8Array): Uint8Array {
    const secret = secretMembers[place.kind];
    if (secret === undefined && place.kind !== 'organization') return plaintext;
    const text = textOfUtf8(plaintext);
    assert(text !== undefined, 'a sealed row holds text');
    const row: Json = JSON.parse(text);
    assert(isJsonObject(row), 'a sealed row holds an object');
    const changed = secret === undefined ? withKey(row, place) : withSecret(row, place, secret);
    return utf8(JSON.stringify(changed));
  }

  /** The head carries the key of its digest, which the new root key does not derive. */
  function withKey(head: JsonObject, { organizationId }: RecordAddress): JsonObject {
    if (head['completenessKey'] !== undefined) return head;
    return { ...head, completenessKey: hex(completenessKey(earlier, organizationId)) };
  }

  function withSecret(
    row: JsonObject,
    { organizationId, id }: RecordAddress,
    { member, kind }: { readonly member: string; readonly kind: string },
  ): JsonObject {
    const wrapped = row[member];
    if (typeof wrapped !== 'string') return row;
    const place = { organizationId, kind, id, version: 1 };
    const sealed = bytesOfBase64url(wrapped);
    const secret = sealed && secrets.open(place, sealed);
    assert(secret !== undefined, 'a secret opens in the record that it was wrapped for');
    try {
      return { ...row, [member]: base64url(newSecrets.seal(place, secret)) };
    } finally {
      wipe(secret);
    }
  }

  return {
    check: (place, sealed) => renewed(place, opened(place, sealed)),
    reseal: (place, sealed) => {
      if (epochOf(sealed) === next.epoch) return undefined;
      const plaintext = renewed(place, opened(place, sealed));
      return sealAgain(place, { sealed, plaintext }, { purpose: 'seal', keys: next, random, now });
    },
  };
}
