// Seals rows again with the keys of a new root key.

import { bytesOfBase64url, hex, textOfUtf8, utf8 } from '../../core/base/bytes.ts';
import { epochOf } from '../../core/custody/sealed_form.ts';
import { assert } from '../../core/errors/errors.ts';
import type { WebhookKey } from '../../core/organization/records/webhooks.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/schema/json.ts';
import { keysAt, type RootKeys } from '../keys/root_keys.ts';
import { createSealing, type RecordAddress, sealAgain } from '../keys/sealing.ts';
import { completenessKey } from './completeness.ts';
import { secretMembers, wrappedAgain } from './wrapped_secrets.ts';

export type Resealing = {
  /** Returns the content of a body. Calls `refuse` if it does not open with the earlier keys. */
  check(place: RecordAddress, sealed: Uint8Array): Uint8Array;
  /** Returns the body under the new keys; undefined for a body that has them already. */
  reseal(place: RecordAddress, sealed: Uint8Array): Uint8Array | undefined;
};

type ResealingPorts = {
  readonly earlier: RootKeys;
  readonly next: RootKeys;
  readonly random: (length: number) => Uint8Array;
  readonly now: number;
  /** Raises an error for a row that does not open. */
  readonly refuse: (place: RecordAddress) => never;
};

/** Seals bodies of `earlier` with the keys of `next`. The two are the same object if it has both epochs. */
export function createResealing({ earlier, next, random, now, refuse }: ResealingPorts): Resealing {
  const clock = () => now;
  const records = createSealing('seal', earlier, random, clock);
  const secrets = createSealing('wrap', earlier, random, clock);
  const newSecrets = createSealing('wrap', next, random, clock);

  const opened = (place: RecordAddress, sealed: Uint8Array): Uint8Array =>
    records.open(place, sealed) ?? refuse(place);

  /** Returns the content of a row whose own keys depend on the epoch, with those keys replaced. */
  function renewed(place: RecordAddress, plaintext: Uint8Array, epoch: number): Uint8Array {
    const secret = secretMembers[place.kind];
    if (secret === undefined && place.kind !== 'organization') return plaintext;
    const text = textOfUtf8(plaintext);
    assert(text !== undefined, 'a sealed row holds text');
    const row: Json = JSON.parse(text);
    assert(isJsonObject(row), 'a sealed row holds an object');
    const changed =
      secret === undefined ? withKey(row, place, epoch) : withSecret(row, place, secret);
    return utf8(JSON.stringify(changed));
  }

  /** The head contains the key of its digest, which the new root key does not derive. */
  function withKey(head: JsonObject, { organizationId }: RecordAddress, epoch: number): JsonObject {
    if (head['completenessKey'] !== undefined) return head;
    const writer = keysAt(earlier, epoch) ?? earlier;
    return { ...head, completenessKey: hex(completenessKey(writer, organizationId)) };
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
    assert(sealed !== undefined, 'a wrapped secret is base64url');
    return { ...row, [member]: wrappedAgain(place, sealed, { from: secrets, to: newSecrets }) };
  }

  return {
    check: (place, sealed) => renewed(place, opened(place, sealed), epochOf(sealed)),
    reseal: (place, sealed) => {
      if (epochOf(sealed) === next.epoch) return undefined;
      const plaintext = renewed(place, opened(place, sealed), epochOf(sealed));
      return sealAgain(place, { sealed, plaintext }, { purpose: 'seal', keys: next, random, now });
    },
  };
}

/** Returns the epochs of the webhook keys that a row publishes; an empty list for a row of another kind. */
export function webhookEpochsIn({ kind }: RecordAddress, content: Uint8Array): readonly number[] {
  if (kind !== 'webhook_key') return [];
  const { epoch }: Pick<WebhookKey, 'epoch'> = JSON.parse(textOfUtf8(content) ?? '');
  // The previous key may still be published.
  return [epoch, epoch - 1];
}
