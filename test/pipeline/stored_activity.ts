// Reads an activity from the database, for members that no answer shows.

import assert from 'node:assert/strict';
import type { RecordedActivity } from '../../src/core/activity/stored_form.ts';
import { codecOf, wholePage } from '../enclave/hostile_world.ts';
import type { TestService } from '../support/harness.ts';

export async function storedActivity(
  service: TestService,
  id: string,
  organizationId = service.root.organizationId,
): Promise<RecordedActivity> {
  const filter = { organizationId, statuses: [], types: [], page: wholePage };
  const row = (await service.store.port.activityPage(filter)).find((each) => each.id === id);
  assert(row !== undefined);
  return codecOf('stored activity').openActivity(organizationId, row);
}
