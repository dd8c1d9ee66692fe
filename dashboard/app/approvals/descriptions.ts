// Reads the descriptions (ERC-7730) of the organization, as the service reports them.

import type { Client } from '../../../src/client/connect.ts';
import type { Descriptions } from '../../../src/core/transactions/described.ts';

/** Returns the descriptions with the names of the address book; undefined if there is none. */
export async function readDescriptions(client: Client): Promise<Descriptions | undefined> {
  // The parser of descriptions needs `Uint8Array.fromHex`.
  if (!('fromHex' in Uint8Array)) return undefined;
  const { smartContractInterfaces } = await client.query('list_smart_contract_interfaces');
  const isThere = smartContractInterfaces.some(({ type }) => type.endsWith('_ERC7730'));
  if (!isThere) return undefined;
  const { addressLabels } = await client.query('list_address_labels');
  const { reportedDescriptions } = await import(
    '../../../src/core/transactions/descriptions/reported.ts'
  );
  return reportedDescriptions(smartContractInterfaces, (address) => {
    const key = address.toLowerCase();
    return addressLabels.find(({ addresses }) =>
      addresses.some((each) => each.address.toLowerCase() === key),
    )?.label;
  });
}
