// Collects the activities, decisions, policies and receipts of an evidence bundle from a service.

import type { Client } from '../../client/connect.ts';
import { RequestFailed } from '../../client/errors.ts';
import { jsonText } from '../output/output.ts';
import { usage } from '../words/failures.ts';
import {
  activityFile,
  decisionsFile,
  type EvidenceManifest,
  evidenceFormat,
  fileOfBundle,
  manifestName,
  policiesName,
  receiptFile,
  type Selection,
} from './manifest.ts';
import type { ArchivedFile } from './tar.ts';

/** Maximum number of activities in one bundle. */
const maximumActivities = 1_000;
const pageLimit = '100';
/** Maximum number of pages for one selection, because a service could return pages without end. */
const maximumPages = 10_000;

type Ask = Pick<Client, 'query'>;

/** Returns the files of a bundle, the manifest first. Raises `usage` for a period without activities. */
export async function collectEvidence(
  client: Ask,
  organizationId: string,
  selection: Selection,
  nowMs: number,
): Promise<readonly [ArchivedFile, ...ArchivedFile[]]> {
  const ids = 'activityId' in selection ? [selection.activityId] : await idsOf(client, selection);
  if (ids.length === 0) throw usage('no activity was submitted in the period');
  // Ids become file names. A path in a name could be extracted outside of the folder.
  const odd = ids.find((id) => !/^[0-9a-f-]{36}$/i.test(id));
  if (odd !== undefined) throw usage(`${odd} is not the id of an activity`);
  const files: ArchivedFile[] = [];
  const activities: EvidenceManifest['activities'][number][] = [];
  for (const activityId of ids) {
    const { activity } = await client.query('get_activity', { activityId });
    files.push(jsonFile(activityFile(activityId), { activity }));
    const receipt = await receiptOf(client, activityId);
    if ('file' in receipt) files.push(receipt.file);
    activities.push({
      activityId,
      ...('reason' in receipt ? { withoutReceipt: receipt.reason } : {}),
    });
    const evaluations = await client.query('get_policy_evaluations', { activityId });
    files.push(jsonFile(decisionsFile(activityId), evaluations));
  }
  const { policies } = await client.query('list_policies');
  files.push(jsonFile(policiesName, { policies }));
  const manifest: EvidenceManifest = {
    evidenceFormat,
    organizationId,
    createdAt: new Date(nowMs).toISOString(),
    selection,
    activities,
    files: files.map(fileOfBundle),
  };
  return [jsonFile(manifestName, manifest), ...files];
}

const jsonFile = (name: string, document: object): ArchivedFile => ({
  name,
  bytes: new TextEncoder().encode(`${jsonText(document, 2)}\n`),
});

/** Returns the IDs of the activities submitted in a period, oldest first. Throws `usage` for too many. */
async function idsOf(
  client: Ask,
  { from, to }: Extract<Selection, { from: string }>,
): Promise<readonly string[]> {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const found: string[] = [];
  let after: string | undefined;
  for (let page = 0; page < maximumPages; page += 1) {
    const paginationOptions = { limit: pageLimit, ...(after === undefined ? {} : { after }) };
    const answer = await client.query('list_activities', { paginationOptions });
    for (const { id, createdAt } of answer.activities) {
      const atMs = Date.parse(createdAt);
      // The service lists activities newest first.
      if (atMs < fromMs) return found.reverse();
      if (atMs < toMs) found.push(id);
      if (found.length > maximumActivities) {
        throw usage(`the period has over ${maximumActivities} activities: choose a shorter one`);
      }
    }
    const last = answer.nextCursor ?? answer.activities.at(-1)?.id;
    if (last === undefined || last === after) return found.reverse();
    after = last;
  }
  throw usage(
    `over ${maximumPages} pages of activities follow the start of the period: choose a later period`,
  );
}

async function receiptOf(
  client: Ask,
  activityId: string,
): Promise<{ readonly file: ArchivedFile } | { readonly reason: string }> {
  try {
    const receipt = await client.query('get_receipt', { activityId });
    return { file: jsonFile(receiptFile(activityId), receipt) };
  } catch (error) {
    // The service has no log, or the activity is older than its log.
    if (error instanceof RequestFailed && error.status < 500) return { reason: error.message };
    throw error;
  }
}
