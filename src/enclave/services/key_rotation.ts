// A rotation of the root key while the service runs. Meanwhile the enclave has two root keys from its
// provider. The database never contains either, so a record that an attacker puts back after the rotation
// opens nothing.

import { copyOfSecret, wipe } from '../../core/base/bytes.ts';
import { nonceBytes } from '../../core/custody/sealed_form.ts';
import { assert, fail } from '../../core/errors/errors.ts';
import type { EnclaveMessages, RequestOf } from '../../ipc/messages.ts';
import type { HandlersIn } from '../../ipc/phases.ts';
import type { rotationMessages } from '../../ipc/rotation_messages.ts';
import { noChange, type StoredOrganization, type StorePort } from '../../store/port.ts';
import { nameOfRootKey } from '../keys/key_ring.ts';
import { firstWebhookEpoch, lastingKeys, renewedRoles } from '../keys/lasting_keys.ts';
import { keyBytes } from '../keys/root_keys.ts';
import { openKeyEpoch, readKeyEpoch, rowOfKeyEpoch, wipeKeyEpoch } from '../records/key_epochs.ts';
import type { OpenedKeys } from '../records/opened_keys.ts';
import { refuseRecord } from '../records/record_codec.ts';
import { createResealing, webhookEpochsIn } from '../records/resealing.ts';
import { placeOfRow } from '../records/sealed_places.ts';
import { createFollowedEpoch, type FollowedEpoch, type FollowPorts } from './followed_epoch.ts';

type Handled = Pick<HandlersIn<'running', EnclaveMessages>, keyof typeof rotationMessages>;
type SealedRows = RequestOf<EnclaveMessages['resealRows']>;

/** Maximum webhook keys of one request. */
const maximumWebhookEpochs = 1_024;
/** Webhook keys that may be created between the check of all rows and the first row of the new epoch. */
const spareWebhookEpochs = 8;

type Ports = FollowPorts & {
  readonly store: Pick<StorePort, 'organization' | 'commit'>;
  readonly random: (length: number) => Uint8Array;
  /**
   * False if the gateway cannot read a root key after the start. An attacker who takes over the gateway later
   * then must not choose the next root key, which the provider supplies at the start.
   */
  readonly acceptsNextKey: boolean;
};

/** Returns the handlers of the messages of a rotation. Takes ownership of the root keys. */
export function createKeyRotation(opened: OpenedKeys, ports: Ports): Handled {
  const { random, clock } = ports;
  const followed = createFollowedEpoch(opened, ports);
  const { ring } = followed;
  const resealing = (count: number) =>
    createResealing({
      earlier: ring,
      next: ring,
      random: withNonces(random, count),
      now: clock(),
      refuse: refuseRecord,
    });

  return {
    giveNextKey: ({ rootKey }) => {
      const given = copyOfSecret(rootKey);
      wipe(rootKey);
      assert(ports.acceptsNextKey, 'the gateway gives no key that it could not read');
      followed.give(given);
      return undefined;
    },
    keyEpoch: async () => {
      await followed.follow();
      followed.dropEarlier();
      const { next, current, isRotating, usesSecondKey } = followed;
      return {
        epoch: ring.epoch,
        isRotating,
        nextKey: next && nameOfRootKey(next),
        currentKey: nameOfRootKey(current),
        usesSecondKey,
        opensOthers: ring.hasOthers(),
      };
    },
    checkRows: async (sent) => ({
      webhookEpochs: checkedIn(sent, resealing(0)),
      requests: ports.requests(),
    }),
    advanceKeyEpoch: async ({ webhookEpochs }) => ({
      isAdvanced: await advance(followed, webhookEpochs, ports),
    }),
    resealRows: async ({ table, rows }) => {
      const { reseal } = resealing(rows.length);
      const nothing = new Uint8Array(0);
      const bodies = rows.map((row) => {
        const place = placeOfRow(table, row);
        return (place && reseal(place, row.body)) ?? nothing;
      });
      return { bodies, requests: ports.requests() };
    },
    endKeyEpoch: async () => ({ isEnded: await end(followed, ports) }),
  };
}

/** Reads the nonces of one message together, which takes a system call for each row less. */
function withNonces(random: Ports['random'], count: number): Ports['random'] {
  const nonces = count === 0 ? new Uint8Array(0) : random(count * nonceBytes);
  let at = 0;
  return (length) => {
    if (length !== nonceBytes || at === nonces.length) return random(length);
    at += nonceBytes;
    return nonces.subarray(at - nonceBytes, at);
  };
}

/** Writes the record of the next epoch. */
async function advance(
  followed: FollowedEpoch,
  webhookEpochs: readonly number[],
  ports: Ports,
): Promise<boolean> {
  const { random } = ports;
  const { ring } = followed;
  await followed.follow();
  const { next, version, isRotating } = followed;
  if (next === undefined || isRotating) return false;
  assert(webhookEpochs.length <= maximumWebhookEpochs, 'webhook keys are few');
  const kept = lastingKeys(ring, {
    renewed: new Set(renewedRoles),
    webhookEpochs: withSpare(webhookEpochs),
  });
  const seed = random(keyBytes);
  try {
    const contents = { epoch: ring.epoch + 1, seed, kept, earlier: undefined, isOnline: true };
    const isPut = await put(rowOfKeyEpoch(contents, version + 1, { rootKey: next, random }), ports);
    await followed.follow();
    return isPut;
  } finally {
    wipe(seed, ...kept.values());
  }
}

/** Records that the rotation has ended. Returns true if this or another enclave has recorded it. */
async function end(followed: FollowedEpoch, ports: Ports): Promise<boolean> {
  const { store, random } = ports;
  await followed.follow();
  if (!followed.isRotating) return true;
  const { current: rootKey } = followed;
  const row = await readKeyEpoch(store);
  const record = row && openKeyEpoch(row, rootKey);
  if (row === undefined || record === undefined) return fail('root_key_mismatch');
  try {
    const ended = { ...record, isOnline: false };
    await put(rowOfKeyEpoch(ended, row.version + 1, { rootKey, random }), ports);
  } finally {
    wipeKeyEpoch(record);
  }
  await followed.follow();
  return !followed.isRotating;
}

async function put(row: StoredOrganization, { store }: Pick<Ports, 'store'>): Promise<boolean> {
  return (await store.commit({ ...noChange, organizations: [row] })) === 'committed';
}

/** Opens rows. Returns the epochs of the webhook keys among them. */
function checkedIn(
  { table, rows }: SealedRows,
  { check }: Pick<ReturnType<typeof createResealing>, 'check'>,
): number[] {
  const epochs: number[] = [];
  for (const row of rows) {
    const place = placeOfRow(table, row);
    if (place !== undefined) epochs.push(...webhookEpochsIn(place, check(place, row.body)));
  }
  return epochs;
}

/** Adds the epochs that may be created before the new key epoch begins. */
function withSpare(epochs: readonly number[]): readonly number[] {
  const last = Math.max(firstWebhookEpoch, ...epochs);
  return [...epochs, ...Array.from({ length: spareWebhookEpochs }, (_, i) => last + 1 + i)];
}
