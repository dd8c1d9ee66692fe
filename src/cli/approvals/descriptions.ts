// Reads the descriptions (ERC-7730) of an organization from the service.

import type { Client } from '../../client/connect.ts';
import { RequestFailed } from '../../client/errors.ts';
import type { Descriptions } from '../../core/transactions/described.ts';
import type { KnownAddresses } from '../../core/transactions/headline/headline.ts';

/** Returns the descriptions; undefined if there is none, or if the service rejects the read. */
export async function readDescriptions(
  client: Client,
  known?: Pick<KnownAddresses, 'own' | 'book'>,
): Promise<Descriptions | undefined> {
  const { reportedDescriptions } = await import('../../core/transactions/descriptions/reported.ts');
  try {
    const { smartContractInterfaces } = await client.query('list_smart_contract_interfaces', {});
    return reportedDescriptions(smartContractInterfaces, (address) => {
      const key = address.toLowerCase();
      return known?.own.get(key) ?? known?.book.get(key);
    });
  } catch (error) {
    // The caller then shows the content without descriptions.
    if (error instanceof RequestFailed) return undefined;
    throw error;
  }
}
