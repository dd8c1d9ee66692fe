// Prepares a vote on an activity: shows the signed content and asks for the fingerprint.

import type { Client } from '../../client/connect.ts';
import { RequestFailed } from '../../client/errors.ts';
import { readReportedMarket } from '../../client/reported_market.ts';
import { readReportedNames } from '../../client/reported_names.ts';
import type { VerifiedActivity } from '../../client/verified_activity.ts';
import type { Service } from '../service/service.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { Failure } from '../words/failures.ts';
import { accountFinder } from './accounts.ts';
import { readDescriptions } from './descriptions.ts';
import { readKnownAddresses } from './known_addresses.ts';
import { readProgressLines } from './progress_lines.ts';
import { signedContent } from './signed_content.ts';

/**
 * Returns the activity after its bytes, signature and fingerprint were verified and shown. Throws
 * `not_verified` for another fingerprint, and `not_confirmed` without a confirmation.
 */
export async function confirmedActivity(
  id: string,
  fingerprint: string | undefined,
  { client, common }: Service,
  terminal: Terminal,
): Promise<VerifiedActivity> {
  const activity = await client.activity(id);
  const digits = activity.fingerprint.replace(/^sha256:/, '');
  if (fingerprint !== undefined && fingerprint.replace(/^sha256:/, '').toLowerCase() !== digits) {
    throw new Failure({
      exit: 'not_verified',
      code: 'other_fingerprint',
      message: `Do not approve: activity ${activity.id} has the comparison code ${activity.fingerprint}.`,
      next: 'Compare the code with the requester, over another channel.',
      activityId: activity.id,
    });
  }
  const known = once(() => readKnownAddresses(client));
  const content = await signedContent(activity, {
    accountOf: accountFinder(client),
    knownOf: known,
    descriptionsOf: async () => readDescriptions(client, await known()),
    namesOf: () => readNames(client),
    progressOf: () => readProgressLines(client, activity.id),
    marketOf: (intent) => readReportedMarket(client, intent),
  });
  for (const line of content) {
    terminal.err(`${line}\n`);
  }
  // The complete fingerprint on the command line is a stronger confirmation than eight typed digits.
  if (fingerprint !== undefined) return activity;
  if (common.yes || common['no-input'] || terminal.ask === undefined) {
    throw new Failure({
      exit: 'not_confirmed',
      message: 'A vote needs the comparison code of the request.',
      next: `Give --fingerprint ${activity.fingerprint} after comparing it with the requester.`,
      activityId: activity.id,
    });
  }
  const typed = await terminal.ask('Type the first eight digits of the comparison code: ');
  if (typed.replaceAll(' ', '').toLowerCase() !== digits.slice(0, 8)) {
    throw new Failure({ exit: 'not_confirmed', message: 'Not confirmed: no vote was given.' });
  }
  return activity;
}

/** Returns undefined if the service rejects the read. The sentence then shows ids. */
async function readNames(client: Client): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    return await readReportedNames(client);
  } catch (error) {
    if (error instanceof RequestFailed) return undefined;
    throw error;
  }
}

/** Returns a function that reads once, and gives later callers the same result. */
function once<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= read();
    return result;
  };
}
