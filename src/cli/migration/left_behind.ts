// Rows that no run of `keywright migrate` moves, and why.

import type { Client } from '../../client/connect.ts';
import { RequestFailed } from '../../client/index.ts';
import { allRows } from '../words/rows.ts';

export type LeftRow = { readonly kind: string; readonly name: string; readonly why: string };

type Lists = {
  readonly kind: string;
  readonly why: string;
  /** Returns the names of the rows. */
  readonly names: (client: Client) => Promise<readonly string[]>;
};

const lists: readonly Lists[] = [
  {
    kind: 'secret',
    why: 'keywright export secret there, keywright import secret here',
    names: async (client) => {
      const secrets = await allRows(client.pages('list_secrets'));
      return secrets.map(({ secretId, name }) => name ?? secretId);
    },
  },
  {
    kind: 'contract interface',
    why: 'create it again: its text is public',
    names: async (client) => {
      const { smartContractInterfaces } = await client.query('list_smart_contract_interfaces');
      return smartContractInterfaces.map(({ label }) => label);
    },
  },
  {
    kind: 'OAuth 2.0 credential',
    why: 'create it again: no service returns its client secret',
    names: async (client) => {
      const { oauth2Credentials } = await client.query('list_oauth2_credentials');
      return oauth2Credentials.map(({ provider, clientId }) => `${provider} ${clientId}`);
    },
  },
  {
    kind: 'limit',
    why: 'create it again: its counters belong to the other service',
    names: async (client) => {
      const velocityControls = await allRows(client.pages('list_velocity_controls'));
      return velocityControls.map(({ identifier }) => identifier);
    },
  },
  {
    kind: 'session profile',
    why: 'create it again',
    names: async (client) => {
      const { sessionProfiles } = await client.query('get_session_profiles');
      return sessionProfiles.map(({ sessionProfileName }) => sessionProfileName);
    },
  },
  {
    kind: 'address label',
    why: 'create it again: keywright address add',
    names: async (client) => {
      const { addressLabels } = await client.query('list_address_labels');
      return addressLabels.map(({ label }) => label);
    },
  },
];

/** Reads the rows. Omits lists that the service does not have. Throws the other errors of the client. */
export async function readLeftRows(client: Client): Promise<readonly LeftRow[]> {
  const found = await Promise.all(
    lists.map(async ({ kind, why, names }) => {
      try {
        return (await names(client)).map((name) => ({ kind, name, why }));
      } catch (error) {
        if (error instanceof RequestFailed && error.status === 404) return [];
        throw error;
      }
    }),
  );
  return found.flat();
}
