// Collects the shares of a root key in an enclave without a key. Each share is sealed to the key of this run.
// Shares stay in memory until the threshold is reached, for a limited time.

import { wipe } from '../../core/base/bytes.ts';
import {
  combineShares,
  type KeyShare,
  readKeyShare,
  readSharing,
  type Sharing,
} from '../../core/custody/key_shares.ts';
import { openShare, unsealStatement } from '../../core/custody/unsealing.ts';
import { assert, fail, ServiceError } from '../../core/errors/errors.ts';
import type { EphemeralKey } from '../../core/proofs/app_proofs.ts';
import { type Program, unknownProgram } from '../../core/proofs/boot_proofs.ts';
import type { AnswerOf, EnclaveMessages } from '../../ipc/messages.ts';
import type { HandlersIn } from '../../ipc/phases.ts';
import { createEphemeralKey } from '../keys/ephemeral_key.ts';

/** Maximum age of collected shares, measured from the first share. */
export const collectionMs = 30 * 60_000;

type Collection = {
  readonly sharing: Sharing;
  readonly statement: AnswerOf<EnclaveMessages['expectShares']>;
  readonly key: EphemeralKey;
};

type UnsealingPorts = {
  readonly random: (length: number) => Uint8Array;
  readonly clock: () => number;
  /**
   * Schedules a function and returns a function that cancels it. If absent, the age of the shares is checked
   * at each message.
   */
  readonly after?: (ms: number, run: () => void) => () => void;
  readonly program?: Program;
};

type Unsealing = Pick<HandlersIn<'before_start', EnclaveMessages>, 'expectShares' | 'giveShare'> & {
  /** Returns the collected root key, which the caller wipes. Returns undefined while shares are missing. */
  takeRootKey(): Uint8Array | undefined;
  /** The key to which the shares were sealed. Undefined if the enclave collected no shares. */
  ephemeralKey(): EphemeralKey | undefined;
};

export function createUnsealing({
  random,
  clock,
  after = () => () => undefined,
  program = unknownProgram,
}: UnsealingPorts): Unsealing {
  let collection: Collection | undefined;
  let shares: KeyShare[] = [];
  let firstAtMs = 0;
  let cancelWipe = (): void => undefined;
  let isComplete = false;
  let rootKey: Uint8Array | undefined;

  function drop(): void {
    cancelWipe();
    wipe(rootKey, ...shares.map(({ value }) => value));
    rootKey = undefined;
    isComplete = false;
    shares = [];
  }

  /** Drops expired shares. The timer may run late, so this also checks their age. */
  function dropOld(): void {
    if (shares.length > 0 && clock() - firstAtMs >= collectionMs) drop();
  }

  const progress = ({ sharing: { threshold } }: Collection) => ({
    given: shares.length,
    threshold,
  });

  async function complete(): Promise<void> {
    isComplete = true;
    try {
      const combined = await combineShares(shares);
      wipe(...shares.map(({ value }) => value));
      rootKey = combined;
    } catch (error) {
      drop();
      throw error;
    }
  }

  return {
    expectShares: ({ sharing: bytes }) => {
      const sharing = readSharing(bytes);
      assert(sharing !== undefined, 'the gateway has read the sharing');
      collection ??= beginCollection(sharing, { random, clock, program });
      assert(collection.sharing.sharingId === sharing.sharingId, 'the sharing stays the same');
      dropOld();
      return { ...collection.statement, ...progress(collection) };
    },
    giveShare: async (sealed) => {
      const of = collection;
      assert(of !== undefined, 'the sharing is known before a share is given');
      dropOld();
      if (isComplete) return { refused: undefined, shareNumber: 0, ...progress(of) };
      try {
        const share = openExpected(sealed, of);
        const { number } = share;
        if (shares.some((given) => given.number === number)) {
          wipe(share.value);
          fail('share_repeated', { number });
        }
        if (shares.length === 0) {
          firstAtMs = clock();
          cancelWipe = after(collectionMs, drop);
        }
        shares.push(share);
        if (shares.length === of.sharing.threshold) await complete();
        return { refused: undefined, shareNumber: share.number, ...progress(of) };
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        const { number = 0 } = error.details;
        return { refused: error.code, shareNumber: Number(number), ...progress(of) };
      }
    },
    takeRootKey: () => {
      const taken = rootKey;
      cancelWipe();
      rootKey = undefined;
      return taken;
    },
    ephemeralKey: () => collection?.key,
  };
}

function beginCollection(
  sharing: Sharing,
  { random, clock, program }: Required<Omit<UnsealingPorts, 'after'>>,
): Collection {
  const key = createEphemeralKey(random);
  const { sources } = program;
  const stated = unsealStatement(program, sharing, key, clock());
  const statement = { ...stated, sources, given: 0, threshold: sharing.threshold };
  return { sharing, statement, key };
}

/** Opens a share of the expected sharing. Raises a specific error for any other bytes. */
function openExpected(
  sealed: Parameters<typeof openShare>[0],
  { statement, key, sharing }: Collection,
): KeyShare {
  const opened = openShare(sealed, statement.statement, key);
  if (opened === undefined) return fail('share_sealed_elsewhere');
  let share: KeyShare | undefined;
  try {
    share = readKeyShare(opened);
  } finally {
    wipe(opened);
  }
  if (share === undefined) return fail('share_unreadable');
  const { number, keyId, sharingId, value } = share;
  if (sharingId === sharing.sharingId) return share;
  wipe(value);
  return fail(keyId === sharing.keyId ? 'share_of_other_sharing' : 'share_of_other_key', {
    number,
  });
}
