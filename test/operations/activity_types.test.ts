import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { activityTypes } from '../../src/core/activity/activity_types.ts';
import { kindOfType, typesOfKind } from '../../src/core/policy/activity_kinds.ts';
import { activityOperations, voteOperations } from '../../src/operations/index.ts';

test('policies are warned of exactly the accepted activity versions', () => {
  for (const [kind, taken] of Map.groupBy(served(), kindOfType)) {
    assert.deepEqual(typesOfKind(kind ?? '').toSorted(), taken.toSorted());
  }
});

test('filters accept the types of public clients and those of this service', () => {
  const client = dirname(createRequire(import.meta.url).resolve('@turnkey/http'));
  const types = join(client, '__generated__/services/coordinator/public/v1/public_api.types.d.ts');
  const [, published = ''] = /v1ActivityType: (.*?);/s.exec(readFileSync(types, 'utf8')) ?? [];
  const ofClients = [...published.matchAll(/"(ACTIVITY_TYPE_\w+)"/g)].map(([, type]) => type ?? '');
  assert.ok(ofClients.length > 150);
  const votes = Object.values(voteOperations).map(({ type }) => type);
  // The spelling of `@turnkey/sdk-server` for an existing type.
  const spelledApart = 'ACTIVITY_TYPE_ETH_UNDELEGATE7702';
  // Types of newer clients than the pinned versions.
  const newer = [
    'ACTIVITY_TYPE_CREATE_FIAT_ON_RAMP_SESSION',
    'ACTIVITY_TYPE_CREATE_SWAP_QUOTE_V3',
    'ACTIVITY_TYPE_DELETE_VELOCITY_CONTROLS',
    'ACTIVITY_TYPE_EXECUTE_SWAP_V4',
  ];
  assert.deepEqual(
    [...activityTypes].toSorted(),
    [...new Set([...ofClients, ...served(), ...votes, spelledApart, ...newer])].toSorted(),
  );
});

function served(): readonly string[] {
  return Object.values(activityOperations).flatMap(({ wire, older }) =>
    [wire, ...older.map((version) => version.wire)].map(({ type }) => type),
  );
}
