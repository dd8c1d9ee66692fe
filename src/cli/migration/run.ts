import type { Service } from '../service/service.ts';
import { kinds, type PlannedRow, planOf } from './plan.ts';
import { type OrganizationState, readOrganization } from './state.ts';

/**
 * Creates the rows of a plan, and returns the plan after the run. Plans rows that refer to new rows again,
 * with the new IDs. Calls `created` after each row. Raises the errors of the target.
 */
export async function runPlan(
  { source, target }: Readonly<Record<'source' | 'target', OrganizationState>>,
  { client, submit }: Pick<Service, 'client' | 'submit'>,
  now: () => number,
  created: (row: PlannedRow) => void,
): Promise<readonly PlannedRow[]> {
  let plan = planOf(source, target, now());
  // One kind per round, because rows of later kinds refer to the IDs of earlier rows.
  for (const kind of kinds) {
    const rows = plan.filter((row) => row.kind === kind && row.creation !== undefined);
    for (const { creation, ...row } of rows) {
      if (creation === undefined) continue;
      // TypeScript cannot see that the parameters belong to this operation.
      await submit(creation.operation, creation.parameters as never);
      created(row);
    }
    if (rows.length > 0) plan = planOf(source, await readOrganization(client), now());
  }
  return plan;
}
