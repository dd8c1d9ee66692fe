// Reads the names of addresses and the payments of the organization from the service.

import type { Client } from '../../client/connect.ts';
import { RequestFailed } from '../../client/errors.ts';
import { readReportedRows } from '../../client/reported_rows.ts';
import type { KnownAddresses } from '../../core/transactions/headline/headline.ts';

/** Reads names and payments; returns undefined if the service rejects one of the reads. */
export async function readKnownAddresses(client: Client): Promise<KnownAddresses | undefined> {
  const { knownAddresses, paymentTypes } = await import(
    '../../core/transactions/headline/known_addresses.ts'
  );
  try {
    return knownAddresses(await readReportedRows(client, paymentTypes));
  } catch (error) {
    // The headline then shows addresses without names.
    if (error instanceof RequestFailed) return undefined;
    throw error;
  }
}
