// Users as of their votes. Each text is stored once in its organization under its keyed digest, and votes
// refer to it.

import type { RecordedActivity, RecordedVote } from '../../core/activity/stored_form.ts';
import { uuidOfDigest } from '../../core/base/ids.ts';
import { createWeighedCache } from '../../core/base/lru_cache.ts';
import type { LargeRecords } from '../../core/organization/model.ts';
import type { Activity, Vote } from '../../core/organization/records/activity.ts';
import type { UserView } from '../../core/organization/records/user_view.ts';
import type { StoredRecord, StorePort } from '../../store/port.ts';
import type { RootKeys } from '../keys/root_keys.ts';
import { createPauses } from './portions.ts';
import { type RecordCodec, refuseRecord } from './record_codec.ts';

const kind = 'voter';
/** Maximum number of cached users. */
const maximumCachedVoters = 4_096;
/** Maximum total characters of their texts. */
const maximumCachedCharacters = 32 * 1024 * 1024;
/** Minimum weight of a user, which enforces the maximum number. */
const leastCharacters = maximumCachedCharacters / maximumCachedVoters;
/** Maximum number of ids in one read of the store. A user may have a text of 60 kB. */
const maximumAsked = 100;

export type Voters = {
  /** Returns the stored form of an activity, whose votes refer to their users by a digest. */
  recorded(activity: Activity): RecordedActivity;
  /** Returns the rows to store with an activity: users not known to be stored. */
  rowsOf(activity: Activity, version: number): readonly StoredRecord[];
  /** Remembers the users of a committed activity as stored. */
  remember(activity: Activity): void;
  /**
   * Returns the activities of one organization with the users who voted. Raises `record_refused` if a user's
   * row is missing or differs from the sealed row.
   */
  complete(
    organizationId: string,
    recorded: readonly RecordedActivity[],
  ): Promise<readonly Activity[]>;
  /** Returns the length of the text of a user who voted. */
  charactersOf(organizationId: string, user: UserView): number;
};

/** The id of a user's text in an organization, and how long the text is. */
type Identity = { readonly id: string; readonly characters: number };

/** Returns the activity with the users who voted. */
export function withVoters(
  { votes, ...activity }: RecordedActivity,
  userOf: (voterId: string) => UserView,
): Activity {
  return {
    ...activity,
    votes: votes.map(({ voterId, ...vote }) => ({ ...vote, user: userOf(voterId) })),
  };
}

/** Lists the members explicitly, because a rest pattern is several times slower. */
function recordedVote(vote: Vote, voterId: string): RecordedVote {
  const { id, userId, selection, message, publicKey, signature, scheme } = vote;
  const { credentialId, createdAtMs, emailClaimed } = vote;
  const recorded = {
    id,
    userId,
    selection,
    message,
    publicKey,
    signature,
    scheme,
    credentialId,
    createdAtMs,
    voterId,
  } satisfies Record<Exclude<keyof RecordedVote, 'emailClaimed'>, unknown>;
  return emailClaimed === undefined ? recorded : { ...recorded, emailClaimed };
}

type Ports = {
  readonly store: Pick<StorePort, 'records'>;
  readonly codec: RecordCodec;
  readonly keys: RootKeys;
  /** Yields the thread to other requests. */
  readonly pause?: () => Promise<void>;
};

export function createVoters({ store, codec, keys, pause = async () => {} }: Ports): Voters {
  /** The users in the store, by organization and id. */
  const stored = createWeighedCache<UserView>(maximumCachedCharacters);
  const nameOf = (organizationId: string, id: string) => `${organizationId}/${id}`;
  /** A view is one object while its user stays the same. */
  const identities = new WeakMap<UserView, Identity & { readonly organizationId: string }>();

  function identityOf(organizationId: string, user: UserView): Identity {
    const known = identities.get(user);
    if (known?.organizationId === organizationId) return known;
    const text = JSON.stringify(user);
    const id = uuidOfDigest(keys.blind(kind, organizationId, text));
    const made = { organizationId, id, characters: text.length };
    identities.set(user, made);
    return made;
  }
  const idOf = (organizationId: string, user: UserView) => identityOf(organizationId, user).id;

  function keep(organizationId: string, user: UserView): void {
    const { id, characters } = identityOf(organizationId, user);
    stored.set(nameOf(organizationId, id), user, Math.max(leastCharacters, characters));
  }

  function rowOf(organizationId: string, user: UserView, version: number): StoredRecord {
    const { createdAt, updatedAt } = user;
    const times = {
      createdAtMs: Number(createdAt.seconds) * 1000,
      updatedAtMs: Number(updatedAt.seconds) * 1000,
    };
    const row = { id: idOf(organizationId, user), user, ...times };
    return codec.sealRecord(organizationId, kind, row, version);
  }

  async function find(
    organizationId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, UserView>> {
    const found = new Map<string, UserView>();
    const pauses = createPauses(pause);
    for (let first = 0; first < ids.length; first += maximumAsked) {
      const asked = ids.slice(first, first + maximumAsked);
      for (const row of await store.records({ organizationId, kind, ids: asked })) {
        const place = { ...row, organizationId };
        if (row.kind !== kind || !asked.includes(row.id)) refuseRecord(place);
        const { user } = codec.openRecord(organizationId, row) as LargeRecords['voter'];
        keep(organizationId, user);
        found.set(row.id, user);
        await pauses.after(row.body.length);
      }
    }
    return found;
  }

  return {
    recorded: (activity) => ({
      ...activity,
      votes: activity.votes.map((vote) =>
        recordedVote(vote, idOf(activity.organizationId, vote.user)),
      ),
    }),
    rowsOf: ({ organizationId, votes }, version) => {
      // Created on demand, because the users of most signatures are stored already.
      let rows: Map<string, StoredRecord> | undefined;
      for (const { user } of votes) {
        const id = idOf(organizationId, user);
        if (stored.get(nameOf(organizationId, id)) !== undefined) continue;
        rows ??= new Map();
        rows.set(id, rowOf(organizationId, user, version));
      }
      return rows === undefined ? [] : [...rows.values()];
    },
    remember: ({ organizationId, votes }) => {
      for (const { user } of votes) keep(organizationId, user);
    },
    complete: async (organizationId, recorded) => {
      const known = new Map<string, UserView>();
      const unknown = new Set<string>();
      for (const { voterId } of recorded.flatMap(({ votes }) => votes)) {
        const user = stored.get(nameOf(organizationId, voterId));
        if (user === undefined) unknown.add(voterId);
        else known.set(voterId, user);
      }
      const found = await find(organizationId, [...unknown]);
      const userOf = (id: string): UserView =>
        known.get(id) ?? found.get(id) ?? refuseRecord({ organizationId, kind, id, version: 0 });
      return recorded.map((activity) => withVoters(activity, userOf));
    },
    charactersOf: (organizationId, user) => identityOf(organizationId, user).characters,
  };
}
