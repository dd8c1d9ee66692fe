import type { Client } from '../../client/connect.ts';
import { Refused, RequestFailed } from '../../client/index.ts';
import type { Preview } from '../../client/preview.ts';
import type { PlannedRow } from './rows.ts';

const outcomes: Readonly<Record<Preview['outcome'], string>> = {
  done: 'would be created',
  waiting: 'would wait for approval',
  refused: 'would be refused',
};

/**
 * Returns the plan with the target's decision and warnings for each creation. Sends nothing to the source,
 * because other services of the API family do not know dry runs.
 */
export async function tryPlan(
  plan: readonly PlannedRow[],
  target: Client,
): Promise<readonly PlannedRow[]> {
  const tried: PlannedRow[] = [];
  for (const row of plan) {
    const { creation, note } = row;
    if (creation === undefined) {
      tried.push(row);
      continue;
    }
    // The plan pairs each operation with its parameters, which the type cannot express.
    const preview = await target
      .dryRun(creation.operation, creation.parameters as never)
      .catch(refusal);
    const { outcome, failure, decision, warnings } = preview;
    const reason = outcome === 'done' ? '' : (failure?.message ?? decision?.message ?? '');
    const texts = [
      outcomes[outcome],
      reason,
      ...warnings.map(({ message }) => `warning: ${message}`),
      note,
    ];
    tried.push({ ...row, note: texts.filter((text) => text !== '').join('; ') });
  }
  return tried;
}

/** Returns the preview of a request that the target rejects as invalid. */
function refusal(error: unknown): Pick<Preview, 'outcome' | 'decision' | 'warnings'> & {
  readonly failure: { readonly message: string };
} {
  const isInvalid = error instanceof RequestFailed && error.status < 500 && error.status !== 401;
  if (!isInvalid && !(error instanceof Refused)) throw error;
  const { message } = error;
  return { outcome: 'refused', decision: undefined, warnings: [], failure: { message } };
}
