// Seals a proposal of the pipeline as one change of the store: its organization, the new organizations below
// it, the activity, and its events for webhook endpoints.

import { base64url } from '../../core/base/bytes.ts';
import type { Steps } from '../../core/base/steps.ts';
import type { OrganizationState } from '../../core/organization/state.ts';
import type { Fingerprint, Proposal } from '../../pipeline/ports.ts';
import type { StoreChange, StoredActivity } from '../../store/port.ts';
import type { RootKeys } from '../keys/root_keys.ts';
import { rowsOfAll } from './change_rows.ts';
import type { ChangeWriter, LoadedOrganization, OrganizationChange } from './change_writer.ts';
import type { Claims } from './claims.ts';
import { baseStateOf, conditionsOfProposal } from './conditions.ts';
import type { EventWriter } from './event_writer.ts';
import type { RecordCodec } from './record_codec.ts';
import type { Voters } from './voters.ts';

type SealedProposal = {
  readonly change: StoreChange;
  /** The changed organization, its sponsor, and each new one. */
  readonly parts: readonly OrganizationChange[];
  readonly activity: StoredActivity;
};

export type ProposalWriters = {
  readonly codec: RecordCodec;
  readonly keys: RootKeys;
  readonly writer: ChangeWriter;
  readonly claims: Claims;
  readonly events: EventWriter;
  readonly voters: Voters;
};

/**
 * Returns the change of a proposal; undefined if a newer state has overtaken it. `known` returns the newest
 * state of an organization in memory. The webhook endpoints of `parent` get the event too, so the commit is
 * conditional on its state. Large proposals take several steps, and the commit is conditional on the state at
 * the first step.
 */
export function* sealProposal(
  proposal: Proposal,
  known: (organizationId: string) => LoadedOrganization | undefined,
  parent: OrganizationState | undefined,
  { codec, keys, writer, claims, events, voters }: ProposalWriters,
): Steps<SealedProposal | undefined> {
  const { state, changes, activity, statusBefore, fingerprint, children } = proposal;
  const before = baseStateOf(proposal, known(proposal.state.id));
  const sponsor = proposal.sponsor && known(proposal.sponsor.state.id);
  if (before === undefined || sponsor?.state !== proposal.sponsor?.state) return undefined;
  const key = blindFingerprint(keys, state.id, fingerprint);
  const recorded = voters.recorded(activity);
  const sealed = yield* codec.sealActivity(
    recorded,
    key,
    activity.version === 1 ? messageDigestOf(fingerprint) : undefined,
  );
  const done = { fingerprint: key.fingerprint, activityId: activity.id };
  const own = yield* writer.writeInSteps(before, changes, done);
  const parts = [own];
  if (sponsor && proposal.sponsor) {
    parts.push(yield* writer.writeInSteps(sponsor, proposal.sponsor.changes));
  }
  for (const child of children) parts.push(yield* writer.writeNewInSteps(child));
  const rows = rowsOfAll(parts);
  const { after } = own;
  const changed = { activity, statusBefore, sealed, recorded };
  const eventRows = events.ofActivity(changed, after.state, parent);
  const voterRows = voters.rowsOf(activity, after.state.version);
  const change: StoreChange = {
    conditions: conditionsOfProposal(proposal, parent),
    organizations: joined(rows.organizations, claims.rowsOf(changes.claims ?? [])),
    records: joined(rows.records, eventRows.records, voterRows),
    deletedRecords: rows.deletedRecords,
    lookups: rows.lookups,
    deletedLookups: rows.deletedLookups,
    activities: [sealed],
    events: eventRows.events,
    redeliveries: changes.redeliveries ?? [],
    deployment: undefined,
  };
  return { change, parts, activity: sealed };
}

/** Returns the digest of the first vote's message: the body, unless a refusal stores another message. */
function messageDigestOf({ digest, bodyDigest }: Fingerprint): Uint8Array | undefined {
  return bodyDigest === undefined ? digest : undefined;
}

/** Returns all items of the lists; the first list itself if the others are empty. */
function joined<Item>(first: readonly Item[], ...others: (readonly Item[])[]): readonly Item[] {
  return others.every(({ length }) => length === 0) ? first : [first, ...others].flat();
}

/** Returns the keyed hash under which the store finds the activity of a fingerprint. */
export function blindFingerprint(
  keys: RootKeys,
  organizationId: string,
  { bucket, digest }: Fingerprint,
): Pick<StoredActivity, 'bucket' | 'fingerprint'> {
  return { bucket, fingerprint: keys.blind('fingerprint', organizationId, base64url(digest)) };
}
