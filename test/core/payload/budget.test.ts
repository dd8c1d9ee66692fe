// Bounds on all typed data of one request together.

import { test } from 'node:test';
import {
  newPayloadBudget,
  type PayloadBudget,
  payloadBudgetLimits,
} from '../../../src/core/payload/budget.ts';
import { readTypedData } from '../../../src/core/payload/eip712.ts';
import { typeLimits } from '../../../src/core/payload/eip712_types.ts';
import { refuses } from './refusals.ts';
import { one, path, row } from './typed_data_samples.ts';

const readShared = (data: unknown, budget: PayloadBudget) =>
  readTypedData(JSON.stringify(data), path, budget);

test('messages share their bound on values', () => {
  const list = (values: number) => one('bool[]', new Array(values - 2).fill(true));
  const budget = newPayloadBudget();
  readShared(list(payloadBudgetLimits.values - 100), budget);
  readShared(list(100), budget);
  refuses(() => readShared(list(3), budget), `${path}.message`, /at most 16384 values/);
});

test('texts share their bound on JSON values, declared or not', () => {
  const padded = (values: number) => ({
    ...one('bool', true),
    beside: new Array(values).fill('[,]'),
  });
  const budget = newPayloadBudget();
  readShared(padded(payloadBudgetLimits.jsonValues - 100), budget);
  readShared(padded(50), budget);
  refuses(
    () => readShared(padded(50), budget),
    path,
    /at most 131072 values of JSON in all payloads/,
  );
});

test('the bound on JSON values fits the other limits', () => {
  const members = Array.from({ length: typeLimits.membersOfStruct }, (_, i) =>
    row(`m${i.toString(36)}`),
  );
  const types = Object.fromEntries(Array.from({ length: 18 }, (_, i) => [`S${i}`, members]));
  const lists = Array.from({ length: payloadBudgetLimits.values / 2 - 1 }, () => [[]]);
  readShared(one('bool[][][]', lists, types), newPayloadBudget());
});

test('types share their bound on members, and the hashed text', () => {
  const wide = { S: Array.from({ length: 200 }, (_, i) => row(`m${i}`)) };
  const budget = newPayloadBudget();
  for (let i = 0; i < 81; i += 1) readShared(one('bool', true, wide), budget);
  refuses(
    () => readShared(one('bool', true, wide), budget),
    `${path}.types.S`,
    /at most 16384 members of types in all payloads/,
  );

  const structs = Object.fromEntries(
    Array.from({ length: typeLimits.structTypes - 1 }, (_, i) => [`S${i}`, []]),
  );
  const long = {
    ...structs,
    S0: Array.from({ length: 250 }, (_, i) => row(`${'m'.repeat(118)}${i}`)),
  };
  const text = newPayloadBudget();
  readShared(one('bool', true, long), text);
  refuses(
    () => readShared(one('bool', true, long), text),
    `${path}.types`,
    /at most 4194304 characters of types to be hashed in all payloads/,
  );
});
