// Every request that the types of the API family's complete client allow is one that the schema of the same
// operation and version accepts, member by member.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityOperations, queryOperations, voteOperations } from '../../src/operations/index.ts';
import { versionsOf } from '../../src/operations/openapi/describe_operation.ts';
import { refusalsBeyond } from '../support/family_schemas.ts';
import { type FamilyType, readFamilyTypes } from '../support/family_types.ts';

/** Refusals on purpose: features of the hosted service alone, and pairs without their name. */
const intended: readonly string[] = [
  'createPolicyIntent $.selectors[].operator: required',
  'createPolicyIntent $.selectors[].subject: required',
  'createPolicyIntent $.selectors[].target: required',
  'createPolicyIntentV2 $.selectors[].operator: required',
  'createPolicyIntentV2 $.selectors[].subject: required',
  'createPolicyIntentV2 $.selectors[].targets: required',
  'exportSecretsIntent $.secrets[].requestContext[].key: required',
  'importSecretsIntent $.secrets[].staticProperties[].key: required',
  'removeOrganizationFeatureIntent $.name: not FEATURE_NAME_EARN_CONFIG',
  'removeOrganizationFeatureIntent $.name: not FEATURE_NAME_SWAP_CONFIG',
  'setOrganizationFeatureIntent $.name: not FEATURE_NAME_EARN_CONFIG',
  'setOrganizationFeatureIntent $.name: not FEATURE_NAME_SWAP_CONFIG',
];

test('the schemas accept every member and value of the declared requests', () => {
  const types = readFamilyTypes();
  const intents = membersOf(types.definitions.get('v1Intent')?.type);
  const found: string[] = [];
  let compared = 0;
  const versions = [
    ...Object.values(activityOperations)
      .flatMap(versionsOf)
      .map(({ wire: { intent }, parameters }) => ({ intent, parameters })),
    ...Object.values(voteOperations),
  ];
  for (const { intent, parameters } of versions) {
    const declared = intents.get(intent)?.type;
    if (declared?.kind !== 'reference') continue;
    compared += 1;
    const refusals = refusalsBeyond(types, declared.name, parameters);
    found.push(...refusals.map((refusal) => `${intent} ${refusal}`));
  }
  for (const [name, { body }] of Object.entries(queryOperations)) {
    const declared = types.operations.get(`/public/v1/query/${name}`);
    if (declared === undefined) continue;
    compared += 1;
    const refusals = refusalsBeyond(types, declared.request, body);
    // The envelope of a request names the organization.
    const own = refusals.filter((refusal) => refusal !== '$.organizationId: unknown');
    found.push(...own.map((refusal) => `query/${name} ${refusal}`));
  }
  assert.ok(compared > 200, `${compared} requests`);
  assert.deepEqual(found.toSorted(), intended);
});

test('the comparison finds an unknown member, another type, a lacking value and a requirement', () => {
  const member = (type: FamilyType, isOptional = false) => ({ type, isOptional });
  const text: FamilyType = { kind: 'text' };
  const declared: FamilyType = {
    kind: 'object',
    open: false,
    members: new Map([
      ['a', member({ kind: 'list', item: text })],
      ['b', member({ kind: 'literals', values: new Set(['X', 'Y']) }, true)],
      ['c', member(text)],
    ]),
  };
  const types = { definitions: new Map([['T', member(declared)]]), operations: new Map() };
  const schema = {
    type: 'object',
    properties: { a: { type: 'array', items: { type: 'integer' } }, b: { enum: ['X'] }, d: {} },
    required: ['a', 'b', 'd'],
  };
  assert.deepEqual(refusalsBeyond(types, 'T', schema), [
    '$.a[]: no text',
    '$.b: not Y',
    '$.b: required',
    '$.c: unknown',
    '$.d: required',
  ]);
});

function membersOf(type: FamilyType | undefined) {
  if (type?.kind !== 'object') throw new Error('no object');
  return type.members;
}
