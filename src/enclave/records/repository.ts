// Verified organizations, records and activities from an untrusted store. Every row opens only for its
// address, and incomplete small state is rejected.

import { finishInParts } from '../../core/base/steps.ts';
import { knownRules } from '../../core/custody/rules.ts';
import type { OrganizationState } from '../../core/organization/state.ts';
import type { Reader } from '../../operations/reader.ts';
import type { Proposal, Repository } from '../../pipeline/ports.ts';
import { additionOf } from '../../store/addition.ts';
import type { StorePort } from '../../store/port.ts';
import type { RootKeys } from '../keys/root_keys.ts';
import { createArchiveReader } from './archive_reader.ts';
import { type Bootstrapper, createBootstrapper } from './bootstrapper.ts';
import { createChangeWriter, refuseMissing, requiredState } from './change_writer.ts';
import { type Claims, createClaims } from './claims.ts';
import type { DerivedKeys } from './derived_keys.ts';
import { createEventWriter } from './event_writer.ts';
import { createKnownOrganizations, type KnownOrganizations } from './known_organizations.ts';
import { unboundedReads } from './large_reads.ts';
import { createOrganizationLoader, type LoadOrganization } from './load_organization.ts';
import { createFaultLocator, type FaultLocator } from './locate_fault.ts';
import type { Reading } from './portions.ts';
import { createReaders } from './reader.ts';
import type { RecordCodec } from './record_codec.ts';
import { type ProposalWriters, sealProposal } from './seal_proposal.ts';
import type { RequireNewest } from './shared_rows.ts';
import { createSystemChanges, type SystemChanges } from './system_changes.ts';
import { createOrganizationVerifier } from './verify_organization.ts';
import { createVoters, type Voters } from './voters.ts';

type RepositoryPorts = {
  store: StorePort;
  codec: RecordCodec;
  keys: RootKeys;
  /** The number of rules known to this enclave. Default: all rules of this release. */
  level?: number;
  /** Returns the resource of an activity type, for webhook endpoints with a filter. */
  resourceOf?: (type: string) => string | undefined;
  /** Drops the derived keys of wallets that were deleted or changed. */
  derivedKeys?: DerivedKeys;
  /** Checks an organization against the log at its first load. Default: no log. */
  requireNewest?: RequireNewest;
  /** Schedules large reads among requests. Default: no concurrent requests. */
  reading?: Reading;
};

const readingAlone: Reading = {
  large: unboundedReads,
  pause: async () => undefined,
  workFor: () => () => undefined,
};

/** Creates the repository of one enclave. */
export function createRepository(ports: RepositoryPorts): Repository &
  Bootstrapper &
  SystemChanges & {
    readonly voters: Voters;
    /** Replaces each state in memory by an equivalent state of the same version. */
    readonly replaceKnown: KnownOrganizations['replaceAll'];
  } {
  const { store, codec, keys, level = knownRules.length } = ports;
  const writer = createChangeWriter({ codec, keys, level });
  const events = createEventWriter(codec, ports.resourceOf ?? (() => undefined));
  const known = createKnownOrganizations(ports.derivedKeys);
  const claims = createClaims(store, keys);
  const reading = ports.reading ?? readingAlone;
  const voters = createVoters({ store, codec, keys, pause: reading.pause });
  const verify = createOrganizationVerifier({ codec, keys, level });
  const faults = createFaultLocator(store, verify);
  const archive = createArchiveReader(ports);
  const load = createOrganizationLoader({
    store,
    codec,
    keys,
    voters,
    archive,
    verify,
    faults,
    known,
    requireNewest: ports.requireNewest ?? (async (_organizationId, answer) => answer),
    reading,
  });
  const readerOf = createReaders({ ...ports, voters, organization: load, reading });
  const readers = new WeakMap<OrganizationState, Reader>();
  const reader = (state: OrganizationState) => readers.getOrInsertComputed(state, readerOf);
  const writers = { codec, keys, writer, claims, events, voters };

  return {
    ...createCommits({ store, load, known, faults, writers, pause: reading.pause }),
    ...createSystemChanges({ store, writer, events, known, load }),
    ...createBootstrapper({ store, keys, writer, known }),
    voters,
    replaceKnown: known.replaceAll,
    organization: load,
    refuseMissing,
    known: (organizationId) => known.get(organizationId)?.state,
    reader,
    isClaimed: claims.isClaimed,
    childrenWith: async (parentId, index, value) => {
      const parent = await requiredState(load, parentId);
      return reader(parent).childrenWith({ index, value });
    },
    proxyOrganization: async (configId) => {
      const index = 'auth_proxy_config';
      const blind = keys.blind(index, '', configId);
      const [found] = await store.lookup({ index, blind, limit: 1 });
      return found?.organizationId;
    },
  };
}

/** Commits the decisions of the pipeline. */
function createCommits(ports: {
  readonly store: StorePort;
  readonly load: LoadOrganization;
  readonly known: KnownOrganizations;
  readonly faults: FaultLocator;
  readonly writers: ProposalWriters & { readonly claims: Claims };
  readonly pause: () => Promise<void>;
}): Pick<Repository, 'commit' | 'addition'> {
  const { store, load, known, faults, writers, pause } = ports;
  const seal = (proposal: Proposal, parent: OrganizationState | undefined) =>
    finishInParts(sealProposal(proposal, known.get, parent, writers), pause);
  return {
    commit: async (proposal) => {
      const { claims, voters } = writers;
      const sealed = await seal(proposal, await parentOf(proposal, load));
      // A newer state has overtaken the proposal, so the pipeline decides again.
      if (sealed === undefined) return 'conflict';
      const tokenIds = proposal.changes.claims ?? [];
      // The next decision finds the activity that used the token, or rejects the request.
      if (claims.hasSeen(tokenIds)) return 'conflict';
      const outcome = await store
        .commit(sealed.change)
        .catch((error) => faults.ofCommit(sealed.activity, error));
      if (outcome === 'committed') {
        claims.remember(tokenIds);
        voters.remember(proposal.activity);
        for (const { after, rows } of sealed.parts) {
          if (rows.organizations.length > 0) known.remember(after);
        }
      }
      return outcome;
    },
    addition: async (proposal) => {
      const { parentId } = proposal.state;
      // The commit depends on the parent state of the decision; a newer state may have frozen the deployment.
      const parent =
        parentId === undefined
          ? undefined
          : (decidedParent(proposal) ?? known.get(parentId)?.state);
      if (parentId !== undefined && parent === undefined) return undefined;
      const sealed = await seal(proposal, parent);
      return sealed && additionOf(sealed.change);
    },
  };
}

/** Returns the parent: the state of the decision, or else the newest state. */
async function parentOf(
  proposal: Proposal,
  load: LoadOrganization,
): Promise<OrganizationState | undefined> {
  const { parentId } = proposal.state;
  if (parentId === undefined) return undefined;
  const decidedOn = decidedParent(proposal);
  if (decidedOn !== undefined) return decidedOn;
  return requiredState(load, parentId);
}

/** Returns the parent state on which the proposal was decided. */
function decidedParent({
  state: { parentId },
  alsoDecidedOn,
  governedBy,
  sponsor,
}: Proposal): OrganizationState | undefined {
  const decidedOn = [...alsoDecidedOn, governedBy, sponsor?.state];
  return decidedOn.find((each) => each?.id === parentId);
}
