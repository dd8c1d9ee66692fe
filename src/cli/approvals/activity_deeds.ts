// Describes activities in a list: the payment (`0.5 ETH to 0x0000…dEaD`), else the names in the parameters.

import type { Client } from '../../client/connect.ts';
import { RequestFailed } from '../../client/errors.ts';
import type { Activity } from '../../client/generated/operations.ts';
import { readReportedNames } from '../../client/reported_names.ts';
import { readReportedRows } from '../../client/reported_rows.ts';
import { aboutOf, thingsOf } from '../../core/transactions/headline/activity_about.ts';
import type { Intent } from '../../core/transactions/headline/request_types.ts';
import { paymentText } from './headline_lines.ts';

/** Returns the text of each activity by its id. Fetches names and payments only if an activity needs them. */
export async function readDeeds(
  client: Client,
  activities: readonly Activity[],
): Promise<ReadonlyMap<string, string>> {
  const abouts = activities.map((activity) => ({ activity, about: aboutOf(activity) }));
  const hasIds = abouts.some(({ about }) => about.ids.length > 0);
  const pays = 'fromHex' in Uint8Array && abouts.some(({ about }) => about.transaction);
  const names = (hasIds && (await ifAllowed(() => readReportedNames(client)))) || new Map();
  const paymentOf = (pays && (await ifAllowed(() => readPayments(client)))) || (() => undefined);
  return new Map(
    abouts.map(({ activity: { id, type }, about }) => {
      const payment = about.transaction && paymentOf(type, about.transaction);
      const things = thingsOf(about, names).map((thing) => `"${thing}"`);
      return [id, payment ?? things.join(', ')];
    }),
  );
}

/** Returns undefined if the service rejects a query, because names are optional. */
async function ifAllowed<Found>(read: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof RequestFailed) return undefined;
    throw error;
  }
}

/** Returns a function that describes the payment of a request, or returns undefined if it moves no amount. */
async function readPayments(client: Client) {
  const [{ accountFinder, knownAddresses, paymentTypes }, { explainRequest, signerOf }, headlines] =
    await Promise.all([
      import('../../core/transactions/headline/known_addresses.ts'),
      import('../../core/transactions/headline/explain_request.ts'),
      import('../../core/transactions/headline/headline.ts'),
    ]);
  const rows = await readReportedRows(client, paymentTypes);
  const accountOf = accountFinder(rows);
  const known = knownAddresses(rows);
  return (type: string, intent: Intent): string | undefined => {
    const signWith = signerOf(intent);
    const account = accountOf(signWith);
    const explained = explainRequest(type, intent, account);
    if (explained === undefined) return undefined;
    const signer = account?.address ?? signWith;
    const headline = headlines.headlineOf(explained, { chain: explained.chain, signer }, known);
    return headline && paymentText(headline);
  };
}
