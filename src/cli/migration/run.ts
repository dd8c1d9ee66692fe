import type { Service } from '../service/service.ts';
import { kinds, type PlannedRow, planOf } from './plan.ts';
import { type OrganizationState, readOrganization } from './state.ts';

/**
 * Creates the rows of a plan, and returns the updated plan. Plans again after each kind, so that later rows
 * get the new ids. Calls `created` after each row. Throws the errors of the target.
 */
export async function runPlan(
  { source, target }: Readonly<Record<'source' | 'target', OrganizationState>>,
  { client, submit }: Pick<Service, 'client' | 'submit'>,
  now: () => number,
  created: (row: PlannedRow) => void,
): Promise<readonly PlannedRow[]> {
  let plan = planOf(source, target, now());
  // Rows of later kinds refer to the ids of earlier rows, so process one kind at a time.
  for (const kind of kinds) {
    const rows = plan.filter((row) => row.kind === kind && row.creation !== undefined);
    for (const { creation, ...row } of rows) {
      if (creation === undefined) continue;
      // The plan pairs each operation with its parameters, which the type cannot express.
      await submit(creation.operation, creation.parameters as never);
      created(row);
    }
    if (rows.length > 0) plan = planOf(source, await readOrganization(client), now());
  }
  return plan;
}
