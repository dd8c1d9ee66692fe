// The line of an activity in a list: its type, amount or names, submitter and state.

import { readReportedMarket } from '../../../src/client/reported_market.ts';
import { activityTitle } from '../../../src/core/activity/activity_title.ts';
import { thingsOf } from '../../../src/core/transactions/headline/activity_about.ts';
import type { ReportedMarket } from '../../../src/core/transactions/headline/market_terms.ts';
import { marketKindOf } from '../../../src/core/transactions/headline/request_types.ts';
import { t } from '../../messages/text.ts';
import { type Known, useKnownAddresses } from '../headlines/known_addresses.ts';
import { type Names, noNames, useNames } from '../headlines/names.ts';
import type { ActivityRow } from '../service/activity_pages.ts';
import { shown, stateText } from '../service/activity_text.ts';
import { useRead } from '../service/queries.ts';
import { useSession } from '../session/context.ts';

/** Names and payments, as the service reports them. */
export type LineSources = {
  readonly names: Names;
  readonly known: Known | undefined;
  readonly market: ReportedMarket | undefined;
};

export const noSources: LineSources = { names: noNames, known: undefined, market: undefined };

/** Reads the sources of lines. Reads the vaults only for rows that name one. */
export function useLineSources(pages: readonly (readonly ActivityRow[])[]): LineSources {
  const { client } = useSession();
  const names = useNames().data ?? noNames;
  const known = useKnownAddresses().data;
  const vault = pages.flat().find(({ type }) => marketKindOf(type)?.startsWith('EARN'));
  const market = useRead(['vaults', vault !== undefined], async (signal) =>
    vault === undefined
      ? {}
      : readReportedMarket(client, vault.about.transaction ?? {}, { signal }),
  ).data;
  return { names, known, market };
}

/** Returns `0.5 ETH to 0x0000…dEaD` for a payment, else the names of the things in the parameters. */
export function deedOf(
  { type, about }: ActivityRow,
  { names, known, market }: LineSources,
): readonly string[] {
  const payment =
    about.transaction === undefined
      ? undefined
      : known?.paymentText(type, about.transaction, market);
  if (payment !== undefined) return [payment];
  return thingsOf(about, names).map((thing) => t('activities.thing', { thing: shown(thing) }));
}

/** Returns true if the line of an activity contains a text, in any letter case. */
export function isLineWith(text: string, row: ActivityRow, sources: LineSources): boolean {
  const { type, by, status } = row;
  const line = [activityTitle(type), ...deedOf(row, sources), by, stateText(status)].join(' ');
  return line.toLowerCase().includes(text.toLowerCase());
}
