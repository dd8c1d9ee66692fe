// Writes the first organization of a database once.

import type { NewOrganization } from '../../pipeline/ports.ts';
import type { StoredOrganization, StorePort } from '../../store/port.ts';
import type { RootKeys } from '../keys/root_keys.ts';
import type { ChangeWriter } from './change_writer.ts';
import type { KnownOrganizations } from './known_organizations.ts';

/** The first organization of a database, together with the sealed record of the deployment. */
type FirstOrganization = {
  readonly organization: NewOrganization;
  readonly deployment: Uint8Array;
  /** The custody record of the data. */
  readonly custody: StoredOrganization;
};

export type Bootstrapper = {
  /** Creates the first organization. Returns 'conflict' if the database has one. */
  bootstrap(first: FirstOrganization): Promise<'committed' | 'conflict'>;
  /** Returns true if the database was bootstrapped, even if the record of the deployment is lost. */
  wasBootstrapped(): Promise<boolean>;
};

export function createBootstrapper(ports: {
  readonly store: StorePort;
  readonly keys: RootKeys;
  readonly writer: ChangeWriter;
  readonly known: KnownOrganizations;
}): Bootstrapper {
  const { store, keys, writer, known } = ports;
  // Bootstrapping writes this lookup. No other code uses its index.
  const trace = () => ({ index: 'deployment', blind: keys.blind('deployment', '', '') });
  return {
    bootstrap: async ({ organization, deployment, custody }) => {
      const { rows, after } = writer.writeNew(organization);
      const lookup = { ...trace(), organizationId: organization.id, recordId: organization.id };
      const outcome = await store.commit({
        conditions: [],
        ...rows,
        organizations: [...rows.organizations, custody],
        lookups: [...rows.lookups, lookup],
        activities: [],
        events: [],
        redeliveries: [],
        deployment,
      });
      if (outcome !== 'committed') return 'conflict';
      known.remember(after);
      return outcome;
    },
    wasBootstrapped: async () => (await store.lookup({ ...trace(), limit: 1 })).length > 0,
  };
}
