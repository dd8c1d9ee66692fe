// Reads what a service reports about the vault or the quote that a request names.

import type { Client } from './connect.ts';
import { RequestFailed } from './errors.ts';
import type { CallOptions } from './requests.ts';

type Parameters = Readonly<Record<string, unknown>>;

/**
 * Returns the vaults for a deposit or withdrawal, and the account of the quote for a swap. A member is
 * undefined if the service rejects the read.
 */
export async function readReportedMarket(
  client: Client,
  { wrapperAddress, quoteId }: Parameters,
  options: CallOptions = {},
) {
  const [vaults, quoteSigner] = await Promise.all([
    typeof wrapperAddress === 'string' ? unlessRejected(vaultsOf(client, options)) : undefined,
    typeof quoteId === 'string' ? unlessRejected(signerOf(client, quoteId, options)) : undefined,
  ]);
  return { vaults, quoteSigner };
}

async function vaultsOf(client: Client, options: CallOptions) {
  const { enabledVaults } = await client.query('list_earn_enabled_vaults', {}, options);
  return enabledVaults;
}

async function signerOf(client: Client, activityId: string, options: CallOptions) {
  const { activity } = await client.query('get_activity', { activityId }, options);
  const [asked] = Object.values(activity.intent ?? {}) as readonly (Parameters | undefined)[];
  const signWith = asked?.['signWith'];
  return typeof signWith === 'string' ? signWith : undefined;
}

async function unlessRejected<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof RequestFailed) return undefined;
    throw error;
  }
}
