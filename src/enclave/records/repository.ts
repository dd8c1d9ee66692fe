// Organizations, records and activities as verified values over a store that nobody trusts: what
// comes back is opened for exactly the place it was asked for, and an organization's small state is
// complete or refused.

import { fingerprintText } from '../../core/activity/activity.ts';
import { base64url, equalBytes } from '../../core/base/bytes.ts';
import { createRecentCache } from '../../core/base/lru_cache.ts';
import { fail } from '../../core/errors/errors.ts';
import {
  isSmallKind,
  type Records,
  type SmallKind,
  smallKinds,
} from '../../core/organization/model.ts';
import {
  createDraft,
  emptySmallState,
  type OrganizationDraft,
  type OrganizationState,
  type SmallState,
} from '../../core/organization/state.ts';
import type { Reader } from '../../operations/reader.ts';
import type { Fingerprint, NewOrganization, Proposal, Repository } from '../../pipeline/ports.ts';
import { type Addition, additionOf } from '../../store/addition.ts';
import type {
  OrganizationAnswer,
  OrganizationRequest,
  StoreChange,
  StoredActivity,
  StorePort,
} from '../../store/port.ts';
import type { RootKeys } from '../keys/root_keys.ts';
import {
  createChangeWriter,
  headAddress,
  type LoadedOrganization,
  markOf,
  type OrganizationChange,
  type SealedHead,
} from './change_writer.ts';
import { createClaims } from './claims.ts';
import { activityOfChange, completenessOf, vouchesFor } from './completeness.ts';
import { type DerivedKeys, dropDerivedKeys } from './derived_keys.ts';
import { createEventWriter, type ServiceEvent } from './event_writer.ts';
import { createReaders } from './reader.ts';
import {
  isUnavailable,
  openJson,
  type RecordCodec,
  refuseRecord,
  unknownId,
  withLocation,
} from './record_codec.ts';

/** Organizations whose verified state stays in memory. */
const maximumCachedOrganizations = 10_000;

/** The first organization of a database, together with the sealed record of the deployment. */
export type FirstOrganization = {
  readonly organization: NewOrganization;
  readonly deployment: Uint8Array;
};

/** How a database gets its first organization. */
export type Bootstrapper = {
  /** Makes the first organization of a database, once. */
  found(founding: FirstOrganization): Promise<'committed' | 'conflict'>;
  /** Whether something is left of a founding, besides the record of the deployment. */
  wasBootstrapped(): Promise<boolean>;
};

/** What a change that no request asked for writes, and what is told of it; undefined changes nothing. */
type SystemWrite = (draft: OrganizationDraft) => ServiceEvent | 'untold' | undefined;
const maximumSystemAttempts = 20;

/** How the service itself changes an organization. */
export type SystemChanges = {
  systemChange(organizationId: string, write: SystemWrite): Promise<void>;
};

/** The repository of one enclave. */
export function createRepository(ports: {
  store: StorePort;
  codec: RecordCodec;
  keys: RootKeys;
  /** The resource of an activity type, for those who only want to hear of some; absent: of none. */
  resourceOf?: (type: string) => string | undefined;
  /** Hears of wallets that are gone or changed, so that none of their keys stays; absent: nobody. */
  derivedKeys?: DerivedKeys;
}): Repository & Bootstrapper & SystemChanges {
  const { store, codec, keys } = ports;
  const writer = createChangeWriter(ports);
  const events = createEventWriter(codec, ports.resourceOf ?? (() => undefined));
  const cache = createRecentCache<LoadedOrganization>(maximumCachedOrganizations);
  const claims = createClaims(store, keys);
  const readerOf = createReaders({ ...ports, organization: (id) => organization(id) });
  const readers = new WeakMap<OrganizationState, Reader>();

  /** Keeps a state, and gives the one to go on with: what is kept already of the same version. */
  function remember(loaded: LoadedOrganization): LoadedOrganization {
    const { id, version } = loaded.state;
    const kept = cache.get(id);
    if (kept?.state.version === version) return kept;
    // A slower read must not take the place of what was committed meanwhile.
    if (kept === undefined || kept.state.version < version) {
      cache.set(id, loaded);
      if (ports.derivedKeys !== undefined) dropDerivedKeys(kept, loaded, ports.derivedKeys);
    }
    return loaded;
  }

  async function organization(organizationId: string, fingerprint?: Fingerprint) {
    const known = cache.get(organizationId);
    const wanted =
      fingerprint === undefined ? undefined : blindFingerprint(organizationId, fingerprint);
    const asked = { organizationId, kinds: smallKinds, fingerprint: wanted };
    const knownVersion = known?.state.version ?? 0;
    const answer = await store
      .organization({ ...asked, knownVersion })
      .catch((error) => locateFault(asked, error));
    const verified = verify(organizationId, known, answer);
    const loaded = verified === undefined ? undefined : remember(verified);
    const row = answer.activity;
    if (row === undefined || wanted === undefined || fingerprint === undefined) {
      // Of a request that the organization remembers there is an activity: it is withheld.
      const id = activityOfChange(loaded?.recent ?? [], wanted?.fingerprint);
      if (id !== undefined) refuseRecord({ organizationId, kind: 'activity', id, version: 0 });
      return { state: loaded?.state, activity: undefined };
    }
    // One snapshot: where there is an activity there is its organization.
    if (loaded === undefined) refuseRecord(headAddress(organizationId, 0));
    const activity = codec.openActivity(organizationId, row);
    const isWanted =
      row.bucket === wanted.bucket &&
      equalBytes(row.fingerprint, wanted.fingerprint) &&
      // The columns are not sealed: the activity itself says which body it answers.
      activity.fingerprint === fingerprintText(fingerprint.bodyDigest ?? fingerprint.digest);
    if (!isWanted || !vouchesFor(loaded.state, activity)) {
      refuseRecord({ organizationId, kind: 'activity', id: row.id, version: row.version });
    }
    return { state: loaded.state, activity };
  }

  /**
   * After a failure of the store: refuses what it fails over, asked for part by part. Where nothing of
   * the organization is at fault the failure is raised as it was.
   */
  async function locateFault(
    asked: Omit<OrganizationRequest, 'knownVersion'>,
    failure: unknown,
  ): Promise<never> {
    if (isUnavailable(failure)) throw failure;
    const { organizationId, kinds, fingerprint } = asked;
    const ask = (part: Partial<OrganizationRequest>) => () =>
      store.organization({
        organizationId,
        kinds: [],
        knownVersion: 0,
        fingerprint: undefined,
        ...part,
      });
    await withLocation(headAddress(organizationId, 0), ask({}));
    for (const kind of kinds) {
      await withLocation({ organizationId, kind, id: unknownId }, ask({ kinds: [kind] }));
    }
    await withLocation({ organizationId, kind: 'activity', id: unknownId }, ask({ fingerprint }));
    verify(organizationId, undefined, await ask({ kinds })());
    throw failure;
  }

  /** After a failed commit: refuses also an activity whose row is no longer the one to be replaced. */
  async function blameCommit(sealed: StoredActivity, failure: unknown): Promise<never> {
    const { organizationId, id, version, fingerprint } = sealed;
    if (!isUnavailable(failure) && version > 1) {
      const ask = () => store.activity({ organizationId, id });
      const row = await withLocation({ organizationId, kind: 'activity', id }, ask);
      const isKept =
        row !== undefined &&
        (['type', 'bucket', 'createdAtMs'] as const).every((name) => row[name] === sealed[name]) &&
        equalBytes(row.fingerprint, fingerprint);
      if (!isKept)
        refuseRecord({ organizationId, kind: 'activity', id, version: row?.version ?? 0 });
    }
    return locateFault({ organizationId, kinds: smallKinds, fingerprint: undefined }, failure);
  }

  /** The state that an answer of the store proves, or the one known already. */
  function verify(
    organizationId: string,
    known: LoadedOrganization | undefined,
    answer: OrganizationAnswer,
  ): LoadedOrganization | undefined {
    if (answer.version === undefined) {
      // Organizations never vanish: deleted ones keep their head.
      return known === undefined ? undefined : refuseRecord(headAddress(organizationId, 0));
    }
    const row = answer.organization;
    if (row === undefined) {
      if (known?.state.version === answer.version) return known;
      return refuseRecord(headAddress(organizationId, answer.version));
    }
    const place = headAddress(organizationId, row.version);
    // A version that this enclave has seen is an old state put back, or another one of its age.
    if (row.organizationId !== organizationId || row.version <= (known?.state.version ?? 0)) {
      refuseRecord(place);
    }
    const {
      head,
      completeness,
      recent = [],
      parentId,
    } = openJson<SealedHead>(codec.sealing, place, row.head);
    if (parentId !== row.parentId) refuseRecord(place);

    const records: Record<SmallKind, Map<string, Records[SmallKind]>> = mutable(emptySmallState());
    const marks = new Map<string, string>();
    // Lists are oldest first, in whatever order the store sends.
    for (const record of answer.records.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      const { kind, id } = record;
      if (!isSmallKind(kind) || records[kind].has(id)) {
        refuseRecord({ organizationId, kind, id, version: record.version });
      }
      records[kind].set(id, codec.openRecord(organizationId, record) as Records[SmallKind]);
      marks.set(`${kind}/${id}`, markOf(record));
    }
    if (completenessOf(keys, organizationId, marks) !== completeness) refuseRecord(place);
    const state = { id: organizationId, parentId, version: row.version, head };
    return { state: { ...state, records: records as SmallState }, marks, recent };
  }

  function reader(state: OrganizationState): Reader {
    return readers.getOrInsertComputed(state, readerOf);
  }

  function blindFingerprint(organizationId: string, { bucket, digest }: Fingerprint) {
    return { bucket, fingerprint: keys.blind('fingerprint', organizationId, base64url(digest)) };
  }

  /** The look-up that a founding leaves, under which nothing is ever looked up but this. */
  function foundingTrace() {
    return { index: 'deployment', blind: keys.blind('deployment', '', '') };
  }

  /**
   * What a proposal makes of the organizations; undefined where it is overtaken already. `parent` is
   * the organization above: its webhook endpoints are told too, so that it must be as it is said to be.
   */
  function sealedChange(proposal: Proposal, parent: OrganizationState | undefined) {
    const { state, changes, activity, statusBefore, fingerprint, children } = proposal;
    const known = cache.get(state.id);
    // The state decided on left the cache, or a newer one came in.
    if (known?.state !== state) return undefined;
    const key = blindFingerprint(state.id, fingerprint);
    const sealed = codec.sealActivity(activity, key);
    const done = { fingerprint: key.fingerprint, activityId: activity.id };
    const own = writer.write(known, changes, done);
    const parts = [own, ...children.map(writer.writeNew)];
    const rows = rowsOfAll(parts);
    const claimed = claims.rowsOf(changes.claims ?? []);
    const eventRows = events.ofActivity(
      { activity, statusBefore, sealed },
      own.after.state,
      parent,
    );
    const change: StoreChange = {
      conditions: conditionsOf([
        state,
        ...proposal.alsoDecidedOn,
        ...(parent === undefined ? [] : [parent]),
      ]),
      ...rows,
      organizations: [...rows.organizations, ...claimed],
      records: [...rows.records, ...eventRows.records],
      activities: [sealed],
      events: eventRows.events,
      redeliveries: changes.redeliveries ?? [],
      deployment: undefined,
    };
    return { change, parts, sealed };
  }

  /** The organization above, as it was decided on or, where it was not, as it is. */
  async function parentOf(
    { alsoDecidedOn }: Proposal,
    parentId: string,
  ): Promise<OrganizationState> {
    const decidedOn = alsoDecidedOn.find(({ id }) => id === parentId);
    if (decidedOn !== undefined) return decidedOn;
    const { state } = await organization(parentId);
    // Organizations never vanish.
    return state ?? refuseRecord(headAddress(parentId, 0));
  }

  async function systemChange(organizationId: string, write: SystemWrite): Promise<void> {
    for (let attempt = 1; attempt <= maximumSystemAttempts; attempt += 1) {
      const { state } = await organization(organizationId);
      const known = cache.get(organizationId);
      if (state === undefined || known?.state !== state) continue;
      const draft = createDraft(state);
      const written = write(draft);
      if (written === undefined) return;
      const parent =
        state.parentId === undefined ? undefined : (await organization(state.parentId)).state;
      const { rows, after } = writer.write(known, draft.changes());
      const outcome = await store.commit({
        conditions: conditionsOf(parent === undefined ? [state] : [state, parent]),
        ...rows,
        activities: [],
        events: written === 'untold' ? [] : events.of(written, after.state, parent),
        redeliveries: [],
        deployment: undefined,
      });
      if (outcome !== 'committed') continue;
      remember(after);
      return;
    }
    fail('organization_busy', { attempts: maximumSystemAttempts });
  }

  async function commit(proposal: Proposal) {
    const { parentId } = proposal.state;
    const parent = parentId === undefined ? undefined : await parentOf(proposal, parentId);
    const proposed = sealedChange(proposal, parent);
    // Decide again on what is there.
    if (proposed === undefined) return 'conflict';
    const { change, parts, sealed } = proposed;
    const tokenIds = proposal.changes.claims ?? [];
    // Decided again, it finds what used the token, or is refused.
    if (claims.hasSeen(tokenIds)) return 'conflict';
    const outcome = await store.commit(change).catch((error) => blameCommit(sealed, error));
    if (outcome === 'committed') {
      claims.remember(tokenIds);
      for (const { after, rows } of parts) if (rows.organizations.length > 0) remember(after);
    }
    return outcome;
  }

  function addition(proposal: Proposal): Addition | undefined {
    const { parentId } = proposal.state;
    const parent = parentId === undefined ? undefined : cache.get(parentId)?.state;
    if (parentId !== undefined && parent === undefined) return undefined;
    const proposed = sealedChange(proposal, parent);
    return proposed && additionOf(proposed.change);
  }

  return {
    organization,
    known: (organizationId) => cache.get(organizationId)?.state,
    reader,
    commit,
    isClaimed: claims.isClaimed,
    addition,
    systemChange,
    childrenWith: async (parentId, index, value) => {
      const { state } = await organization(parentId);
      if (state === undefined) return [];
      return reader(state).childrenWith({ index, value });
    },
    proxyOrganization: async (configId) => {
      const index = 'auth_proxy_config';
      const blind = keys.blind(index, '', configId);
      const [found] = await store.lookup({ index, blind, limit: 1 });
      return found?.organizationId;
    },
    found: async ({ organization: created, deployment }) => {
      const { rows, after } = writer.writeNew(created);
      const trace = { ...foundingTrace(), organizationId: created.id, recordId: created.id };
      const outcome = await store.commit({
        conditions: [],
        ...rows,
        lookups: [...rows.lookups, trace],
        activities: [],
        events: [],
        redeliveries: [],
        deployment,
      });
      if (outcome !== 'committed') return 'conflict';
      remember(after);
      return outcome;
    },
    wasBootstrapped: async () => (await store.lookup({ ...foundingTrace(), limit: 1 })).length > 0,
  };
}

/** What several organizations write, in one change. */
function rowsOfAll(parts: readonly OrganizationChange[]): OrganizationChange['rows'] {
  return {
    organizations: parts.flatMap(({ rows }) => rows.organizations),
    records: parts.flatMap(({ rows }) => rows.records),
    deletedRecords: parts.flatMap(({ rows }) => rows.deletedRecords),
    lookups: parts.flatMap(({ rows }) => rows.lookups),
    deletedLookups: parts.flatMap(({ rows }) => rows.deletedLookups),
  };
}

/** That these organizations are still as they were; each is named once. */
function conditionsOf(states: readonly OrganizationState[]): StoreChange['conditions'] {
  const isSame = (a: OrganizationState, b: OrganizationState) =>
    a.id === b.id && a.version === b.version;
  return states
    .filter((state, i) => states.findIndex((other) => isSame(other, state)) === i)
    .map(({ id, version }) => ({ organizationId: id, version }));
}

/** The empty maps of a fresh state, to be filled. */
function mutable(state: SmallState): Record<SmallKind, Map<string, Records[SmallKind]>> {
  return state as unknown as Record<SmallKind, Map<string, Records[SmallKind]>>;
}
