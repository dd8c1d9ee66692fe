// Every member that the types of the API family's complete client declare for a result or an answer, optional
// ones included, is one that the schema of the same operation gives.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityOperations, queryOperations } from '../../src/operations/index.ts';
import { versionsOf } from '../../src/operations/openapi/describe_operation.ts';
import { surprisesOf } from '../support/family_schemas.ts';
import { type FamilyType, readFamilyTypes } from '../support/family_types.ts';

/** Differences on purpose, with the reason. */
const intended: Readonly<Record<string, string>> = {
  'createSwapQuoteResult $.quotes[].estimatedTimeSeconds: absent': 'a swap ends with its block',
  ...ofActivities('query/get_activity $.activity'),
  ...ofActivities('query/list_activities $.activities[]'),
  'query/get_app_status $.appStatus.deployments[].provisioningState: absent':
    'no hardware is provisioned',
  'query/get_earn_deploy_status $.error: absent': 'nothing is deployed, so nothing fails',
  'query/get_send_transaction_status $.error.eth.revertChain[].custom: absent':
    'errors are not decoded',
  'query/get_send_transaction_status $.error.revertChain[].custom: absent':
    'errors are not decoded',
  'query/get_send_transaction_status $.error.solana.rpcCode: absent': 'only blocks report failures',
  'query/get_send_transaction_status $.error.solana.rpcMessage: absent':
    'only blocks report failures',
  'query/get_swap_status $.destinationAddress: absent':
    'the account of the swap receives the output',
  'query/get_swap_status $.destinationTxHashes: absent': 'a swap takes place on one chain',
  'query/get_swap_status $.error.originTxError.eth.revertChain[].custom: absent':
    'errors are not decoded',
  'query/get_swap_status $.error.originTxError.revertChain[].custom: absent':
    'errors are not decoded',
  'query/get_swap_status $.error.originTxError.solana.rpcCode: absent':
    'swaps take place on Ethereum',
  'query/get_swap_status $.error.originTxError.solana.rpcMessage: absent':
    'swaps take place on Ethereum',
  'query/get_swap_status $.error.providerReason: absent': 'no provider fills orders',
  'query/get_swap_status $.outputAmount: absent': 'logs of transactions are not read',
  'query/get_swap_status $.refund: absent': 'a swap takes place on one chain',
  'query/list_earn_enabled_vaults $.enabledVaults[].claimableClientFee: absent':
    'no fees are collected',
  'query/list_earn_enabled_vaults $.enabledVaults[].claimableClientFeeDisplay: absent':
    'no fees are collected',
  'query/list_earn_enabled_vaults $.enabledVaults[].clientFeeWallet: absent':
    'no fees are collected',
  'query/list_earn_enabled_vaults $.enabledVaults[].exposures: absent':
    'markets of vaults are unknown',
  'query/list_earn_enabled_vaults $.enabledVaults[].forceDeallocatableLiquidityDisplay: absent':
    'the liquidity of vaults is unknown',
  'query/list_earn_enabled_vaults $.enabledVaults[].liquidityDisplay: absent':
    'the liquidity of vaults is unknown',
  ...ofVaults('query/list_earn_enabled_vaults $.enabledVaults[].provider'),
  ...ofVaults('query/list_earn_positions $.positions[].provider'),
  ...ofVaults('query/list_earn_vaults $.vaults[].provider'),
  'query/list_earn_vaults $.vaults[].forceDeallocatableLiquidityDisplay: absent':
    'the liquidity of vaults is unknown',
  'query/list_earn_vaults $.vaults[].liquidityDisplay: absent':
    'the liquidity of vaults is unknown',
  'query/list_email_events $.emailEvents[].details.deliveryProcessingTimeMillis: absent':
    'mail servers do not report it',
  ...ofVaults('query/list_supported_assets $.assets[].earnProviders[]'),
  'query/list_supported_assets $.assets[].stable: absent':
    'the service has no list of stable coins',
  'upsertSwapConfigResult $.stableFeeBps: absent': 'all pairs have the same fee',
};

function ofActivities(path: string): Readonly<Record<string, string>> {
  return {
    [`${path}.createdAt: no object`]: 'family_answers.test.ts compares the times',
    [`${path}.failure.details[]: any object`]: 'errors have details of several types',
    [`${path}.intent: any object`]: 'family_parameters.test.ts compares intents',
    [`${path}.result: any object`]: 'compared one by one above',
    [`${path}.type: any text`]: 'activity_types.test.ts compares the types',
    [`${path}.updatedAt: no object`]: 'family_answers.test.ts compares the times',
  };
}

/** Clients in other languages know these two as well. */
function ofVaults(path: string): Readonly<Record<string, string>> {
  return {
    [`${path}: also EARN_PROVIDER_KAMINO`]: 'a protocol that an operator may name',
    [`${path}: also EARN_PROVIDER_UNSPECIFIED`]: 'the operator named no protocol',
  };
}

test('the schemas give every member of the declared results and answers', () => {
  const types = readFamilyTypes();
  const results = types.definitions.get('v1Result')?.type;
  if (results?.kind !== 'object') throw new Error('no results');
  const found = new Set<string>();
  let compared = 0;
  for (const { wire, result } of Object.values(activityOperations).flatMap(versionsOf)) {
    const declared = results.members.get(wire.result)?.type;
    if (declared?.kind !== 'reference') continue;
    compared += 1;
    for (const surprise of surprisesOf(types, declared.name, result))
      found.add(`${wire.result} ${surprise}`);
  }
  for (const [name, { response }] of Object.entries(queryOperations)) {
    const declared = types.operations.get(`/public/v1/query/${name}`);
    if (declared === undefined) continue;
    compared += 1;
    for (const surprise of surprisesOf(types, declared.answer, response))
      found.add(`query/${name} ${surprise}`);
  }
  assert.ok(compared > 200, `${compared} results`);
  assert.deepEqual([...found].toSorted(), Object.keys(intended).toSorted());
});

test('the comparison finds a lacking or optional member, another type and a further value', () => {
  const member = (type: FamilyType, isOptional = false) => ({ type, isOptional });
  const text: FamilyType = { kind: 'text' };
  const list: FamilyType = { kind: 'list', item: text };
  const named: FamilyType = {
    kind: 'object',
    open: false,
    members: new Map([['e', member(text)]]),
  };
  const declared: FamilyType = {
    kind: 'object',
    open: false,
    members: new Map([
      ['a', member(list)],
      ['b', member({ kind: 'literals', values: new Set(['X']) }, true)],
      ['c', member(text, true)],
      ['d', member(text)],
      ['f', member(named)],
      ['g', member(named)],
      ['h', member({ kind: 'literals', values: new Set(['X']) })],
    ]),
  };
  const types = { definitions: new Map([['T', member(declared)]]), operations: new Map() };
  const schema = {
    type: 'object',
    properties: {
      a: { type: 'array', items: { type: ['string', 'integer'] } },
      b: { enum: ['X', 'Y'] },
      d: { type: 'string' },
      f: { type: 'object', properties: { e: { type: 'string' } }, required: ['e'] },
      g: { type: 'object' },
      h: { type: 'string' },
    },
    required: ['a', 'b', 'f', 'g', 'h'],
  };
  assert.deepEqual(surprisesOf(types, 'T', schema), [
    '$.a[]: no text',
    '$.b: also Y',
    '$.c: absent',
    '$.d: optional',
    '$.g: any object',
    '$.h: any text',
  ]);
});
