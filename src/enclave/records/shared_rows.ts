// Reads the rows of an organization once for all concurrent requests. Otherwise each request would read and
// open the whole small state after a change.

import { finishInParts } from '../../core/base/steps.ts';
import { smallKinds } from '../../core/organization/kinds.ts';
import type { OrganizationAnswer, OrganizationRequest, StorePort } from '../../store/port.ts';
import type { LoadedOrganization } from './change_writer.ts';
import type { KnownOrganizations } from './known_organizations.ts';
import type { FaultLocator } from './locate_fault.ts';
import type { Reading } from './portions.ts';
import type { VerifyOrganization } from './verify_organization.ts';

/** An answer of the store, and the verified state of its version. */
type Newest = {
  readonly answer: OrganizationAnswer;
  /** Undefined if the organization does not exist. */
  readonly loaded: LoadedOrganization | undefined;
};

/** Reads the newest version of an organization, with the activity of a fingerprint. */
type ReadNewest = (
  organizationId: string,
  fingerprint: OrganizationRequest['fingerprint'],
) => Promise<Newest>;

/**
 * Returns an answer of the store that is not older than the log: the given one, or the result of `again`.
 * Raises `record_refused` and the errors of the log start.
 */
export type RequireNewest = <Given extends Pick<OrganizationAnswer, 'organization'>>(
  organizationId: string,
  answer: Given,
  again: () => Promise<Given>,
) => Promise<Given>;

/** Maximum number of shared reads that a request waits for before it reads the rows itself. */
const sharedReads = 2;

export function createNewestReader(ports: {
  readonly store: Pick<StorePort, 'organization'>;
  readonly verify: VerifyOrganization;
  readonly faults: FaultLocator;
  readonly known: KnownOrganizations;
  readonly requireNewest: RequireNewest;
  readonly reading: Pick<Reading, 'pause' | 'workFor'>;
}): ReadNewest {
  const { store, verify, faults, known, requireNewest } = ports;
  const { pause, workFor } = ports.reading;
  /** The pending reads of rows. A failed read resolves to undefined. */
  const reading = new Map<string, Promise<LoadedOrganization | undefined>>();

  function ask(asked: Omit<OrganizationRequest, 'knownVersion'>): Promise<OrganizationAnswer> {
    const knownVersion = known.get(asked.organizationId)?.state.version ?? 0;
    const all = { ...asked, kinds: smallKinds };
    return store
      .organization({ ...asked, knownVersion })
      .catch((error) => faults.ofRead(all, error));
  }

  /** Returns the state of an answer. `before` was the newest state in memory at the start of the request. */
  async function stateOf(
    organizationId: string,
    before: LoadedOrganization | undefined,
    answer: OrganizationAnswer,
  ): Promise<LoadedOrganization | undefined> {
    // Meanwhile another request may have verified this version, or this enclave may have committed it.
    const now = known.get(organizationId);
    if (now !== before && isStateOf(now, answer)) return now;
    // Other requests wait for these rows, whichever source started the read.
    const release = answer.organization === undefined ? undefined : workFor(organizationId);
    try {
      const verified = await finishInParts(verify(organizationId, before, answer), pause);
      return verified === undefined ? undefined : known.remember(verified);
    } finally {
      release?.();
    }
  }

  const readRows: ReadNewest = (organizationId, fingerprint) => {
    const before = known.get(organizationId);
    const again = () => ask({ organizationId, kinds: smallKinds, fingerprint });
    const read = again()
      .then((first) => (before === undefined ? requireNewest(organizationId, first, again) : first))
      .then(async (answer) => ({
        answer,
        loaded: await stateOf(organizationId, before, answer),
      }));
    if (!reading.has(organizationId)) {
      const settled = read.then(
        ({ loaded }) => loaded,
        () => undefined,
      );
      reading.set(organizationId, settled);
      void settled.then(() => reading.delete(organizationId));
    }
    return read;
  };

  /**
   * Reads only the version from the store, and returns its state once another request has read the rows.
   * Returns undefined if no request does.
   */
  async function readBesideOthers(
    organizationId: string,
    fingerprint: OrganizationRequest['fingerprint'],
  ): Promise<Newest | undefined> {
    const before = known.get(organizationId);
    const answer = await ask({ organizationId, kinds: [], fingerprint });
    if (answer.organization === undefined || isOlder(answer, before)) {
      // The first load of an organization is compared with the log, which the full read of rows does.
      if (before === undefined) return undefined;
      return { answer, loaded: await stateOf(organizationId, before, answer) };
    }
    // The first read may have started before this answer; a second read starts after it.
    for (let i = 0; i < sharedReads; i += 1) {
      const loaded = known.get(organizationId);
      if (isStateOf(loaded, answer)) return { answer, loaded };
      if (!reading.has(organizationId)) {
        readRows(organizationId, undefined).catch(() => undefined);
      }
      const read = await reading.get(organizationId);
      if (isStateOf(read, answer)) return { answer, loaded: read };
    }
    return undefined;
  }

  return async (organizationId, fingerprint) => {
    const isRead = reading.has(organizationId);
    const shared = isRead ? await readBesideOthers(organizationId, fingerprint) : undefined;
    return shared ?? readRows(organizationId, fingerprint);
  };
}

function isStateOf(
  loaded: LoadedOrganization | undefined,
  { version, guard }: OrganizationAnswer,
): loaded is LoadedOrganization {
  return loaded?.state.version === version && loaded?.state.guard === guard;
}

/** Returns true for an invalid answer of the store, which contradicts the known state `before`. */
const isOlder = ({ version = 0 }: OrganizationAnswer, before: LoadedOrganization | undefined) =>
  version <= (before?.state.version ?? 0);
