// Reads the rows of an organization once for all requests under way. After a change each of them would
// otherwise read and open the whole small state.

import { smallKinds } from '../../core/organization/model.ts';
import type { OrganizationAnswer, OrganizationRequest, StorePort } from '../../store/port.ts';
import type { LoadedOrganization } from './change_writer.ts';
import type { KnownOrganizations } from './known_organizations.ts';
import type { FaultLocator } from './locate_fault.ts';
import type { VerifyOrganization } from './verify_organization.ts';

/** An answer of the store, and the verified state of its version. */
export type Newest = {
  readonly answer: OrganizationAnswer;
  /** Undefined if there is no such organization. */
  readonly loaded: LoadedOrganization | undefined;
};

/** Reads the newest version of an organization, with the activity of a fingerprint. */
export type ReadNewest = (
  organizationId: string,
  fingerprint: OrganizationRequest['fingerprint'],
) => Promise<Newest>;

/**
 * Returns an answer of the store that is not older than the log knows: the given one, or what `again` reads.
 * Raises `record_refused`, and what the begin of the log raises.
 */
export type RequireNewest = <Given extends Pick<OrganizationAnswer, 'organization'>>(
  organizationId: string,
  answer: Given,
  again: () => Promise<Given>,
) => Promise<Given>;

/** Number of shared reads that a request waits for before it reads the rows itself. */
const sharedReads = 2;

export function createNewestReader(ports: {
  readonly store: Pick<StorePort, 'organization'>;
  readonly verify: VerifyOrganization;
  readonly faults: FaultLocator;
  readonly known: KnownOrganizations;
  readonly requireNewest: RequireNewest;
}): ReadNewest {
  const { store, verify, faults, known, requireNewest } = ports;
  /** The reads of rows under way. They settle with undefined if they fail. */
  const reading = new Map<string, Promise<LoadedOrganization | undefined>>();

  function ask(asked: Omit<OrganizationRequest, 'knownVersion'>): Promise<OrganizationAnswer> {
    const knownVersion = known.get(asked.organizationId)?.state.version ?? 0;
    const all = { ...asked, kinds: smallKinds };
    return store
      .organization({ ...asked, knownVersion })
      .catch((error) => faults.ofRead(all, error));
  }

  /** Returns the state of an answer. `before` was the newest one in memory when the store was asked. */
  function stateOf(
    organizationId: string,
    before: LoadedOrganization | undefined,
    answer: OrganizationAnswer,
  ): LoadedOrganization | undefined {
    // Another request verified this version meanwhile, or this enclave committed it.
    const now = known.get(organizationId);
    if (now !== before && isStateOf(now, answer)) return now;
    const verified = verify(organizationId, before, answer);
    return verified === undefined ? undefined : known.remember(verified);
  }

  const readRows: ReadNewest = (organizationId, fingerprint) => {
    const before = known.get(organizationId);
    const again = () => ask({ organizationId, kinds: smallKinds, fingerprint });
    const read = again()
      .then((first) => (before === undefined ? requireNewest(organizationId, first, again) : first))
      .then((answer) => ({ answer, loaded: stateOf(organizationId, before, answer) }));
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
   * Asks the store for the version alone, and returns the state of that version once a request has read it.
   * Returns undefined if no request did.
   */
  async function readBesideOthers(
    organizationId: string,
    fingerprint: OrganizationRequest['fingerprint'],
  ): Promise<Newest | undefined> {
    const before = known.get(organizationId);
    const answer = await ask({ organizationId, kinds: [], fingerprint });
    // The read of rows has every check of such an answer.
    if (answer.organization === undefined || isOlder(answer, before)) return undefined;
    // The first read may have begun before the answer, and the second one begins after it.
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

/** Returns true for an answer that the store should not have given: `before` was known. */
const isOlder = ({ version = 0 }: OrganizationAnswer, before: LoadedOrganization | undefined) =>
  version <= (before?.state.version ?? 0);
