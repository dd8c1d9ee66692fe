// The secrets in records, sealed once more under a separate key. A record never contains a secret of an
// earlier key epoch than its own, so the header of a record is sufficient for a rotation.

import { base64url, bytesOfBase64url, wipe } from '../../core/base/bytes.ts';
import { epochOf } from '../../core/custody/sealed_form.ts';
import { assert } from '../../core/errors/errors.ts';
import type { RootKeys } from '../keys/root_keys.ts';
import { createSealing, type Sealing } from '../keys/sealing.ts';

/** The member of a record that holds a sealed secret, and the kind of that secret. */
export const secretMembers: Readonly<
  Record<string, { readonly member: string; readonly kind: string }>
> = {
  wallet: { member: 'secret', kind: 'wallet_secret' },
  private_key: { member: 'secret', kind: 'private_key_secret' },
  secret_text: { member: 'secret', kind: 'text_secret' },
  import_target: { member: 'secret', kind: 'import_target_secret' },
  auth_proxy_config: { member: 'secret', kind: 'auth_proxy_secret' },
  otp_code: { member: 'targetPrivateKey', kind: 'otp_target_secret' },
};

/** Returns a record whose secret is sealed in the current key epoch; the same record if it is already. */
export type Rewrap = <Row extends object>(organizationId: string, kind: string, row: Row) => Row;

export function createRewrap(
  keys: RootKeys,
  random: (length: number) => Uint8Array,
  clock: () => number,
): Rewrap {
  const sealing = createSealing('wrap', keys, random, clock);
  return (organizationId, kind, row) => {
    const secret = secretMembers[kind];
    if (secret === undefined) return row;
    const { member } = secret;
    const wrapped = new Map<string, unknown>(Object.entries(row)).get(member);
    const sealed = typeof wrapped === 'string' ? bytesOfBase64url(wrapped) : undefined;
    if (sealed === undefined || epochOf(sealed) === keys.epoch) return row;
    const id = 'id' in row ? String(row.id) : '';
    const place = { organizationId, kind: secret.kind, id, version: 1 };
    return { ...row, [member]: wrappedAgain(place, sealed, { from: sealing, to: sealing }) };
  };
}

/** Returns a secret as text, sealed by another sealing. */
export function wrappedAgain(
  place: Parameters<Sealing['open']>[0],
  sealed: Uint8Array,
  { from, to }: { readonly from: Sealing; readonly to: Sealing },
): string {
  const secret = from.open(place, sealed);
  assert(secret !== undefined, 'a secret opens in the record that it was wrapped for');
  try {
    return base64url(to.seal(place, secret));
  } finally {
    wipe(secret);
  }
}
