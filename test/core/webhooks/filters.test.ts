import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { webhookEventTypeNames } from '../../../src/core/base/enums.ts';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import { balanceWebhookEvent, sendWebhookEvent } from '../../../src/core/webhooks/event_factory.ts';
import { passes, readFilters } from '../../../src/core/webhooks/filters.ts';

const organizationId = '0190abcd-0000-7000-8000-00000000abcd';
const facts = {
  activityTypes: ['ACTIVITY_TYPE_CREATE_WALLET'],
  statuses: ['ACTIVITY_STATUS_COMPLETED'],
  resources: ['WALLET'],
  organizationIds: [organizationId],
};

function admits(filters: object | string | undefined): boolean {
  const text = typeof filters === 'object' ? JSON.stringify(filters) : filters;
  return passes(readFilters('ACTIVITY_UPDATES', text, 'f'), facts);
}

function refusal(eventType: (typeof webhookEventTypeNames)[number], text: string): string {
  try {
    readFilters(eventType, text, 'f');
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.code, 'field_invalid');
    return error.message;
  }
  return assert.fail('the filter is refused');
}

// HOOK-03, RES-WEBHOOK-ENDPOINT-09
describe('filters of activities', () => {
  test('without filters, every event passes', () => {
    for (const filters of [undefined, '', ' ', '{}', {}]) assert.equal(admits(filters), true);
  });

  const members: Readonly<Record<string, readonly [string, string]>> = {
    activityTypes: ['ACTIVITY_TYPE_CREATE_WALLET', 'ACTIVITY_TYPE_CREATE_USERS'],
    statuses: ['ACTIVITY_STATUS_COMPLETED', 'ACTIVITY_STATUS_FAILED'],
    resources: ['WALLET', 'USER'],
    organizationIds: [organizationId.toUpperCase(), '0190abcd-0000-7000-8000-00000000abce'],
  };
  for (const [name, [own, other]] of Object.entries(members)) {
    test(`${name} lists accepted values`, () => {
      assert.equal(admits({ [name]: [own] }), true);
      assert.equal(admits({ [name]: [other, own] }), true);
      assert.equal(admits({ [name]: [other] }), false);
    });
  }

  test('every member must hold', () => {
    const { statuses, resources } = members;
    assert.equal(admits({ statuses: [statuses?.[0]], resources: [resources?.[0]] }), true);
    assert.equal(admits({ statuses: [statuses?.[0]], resources: [resources?.[1]] }), false);
  });

  test('an event without a filtered member does not pass', () => {
    const filters = readFilters('ACTIVITY_UPDATES', '{"resources":["WALLET"]}', 'f');
    assert.equal(passes(filters, { ...facts, resources: [] }), false);
  });
});

describe('filters of balances and sends', () => {
  const change = {
    organizationId,
    msg: {
      operation: 'deposit' as const,
      caip2: 'eip155:8453',
      address: '0xabcdef0123456789abcdef0123456789abcdef01',
      asset: { symbol: 'ETH', caip19: 'eip155:8453/slip44:60' },
    },
  };
  const cases: readonly (readonly [object, boolean])[] = [
    [{ chains: ['eip155:8453'] }, true],
    [{ chains: ['eip155:1'] }, false],
    [{ addresses: ['0xABCDEF0123456789abcdef0123456789abcdef01'] }, true],
    [{ addresses: ['0xABCDEF0123456789abcdef0123456789abcdef02'] }, false],
    [{ assets: ['eth'] }, true],
    [{ assets: ['eip155:8453/slip44:60'] }, true],
    [{ assets: ['USDC'] }, false],
    [{ directions: ['deposit'] }, true],
    [{ directions: ['withdraw'] }, false],
    [{ organizationIds: [organizationId], directions: ['withdraw', 'deposit'] }, true],
  ];
  for (const stage of ['confirmed', 'finalized'] as const) {
    for (const [filters, expected] of cases) {
      test(`${stage}: ${JSON.stringify(filters)} is ${expected}`, () => {
        const happening = balanceWebhookEvent(stage, change);
        const read = readFilters(happening.type, JSON.stringify(filters), 'f');
        assert.equal(passes(read, happening.facts), expected);
      });
    }
  }

  // Queries accept the short names of these chains as well.
  test('a chain matches by its short name', () => {
    const caip2 = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
    const asset = { symbol: 'SOL', caip19: `${caip2}/slip44:501` };
    const { type, facts: said } = balanceWebhookEvent('confirmed', {
      ...change,
      msg: { ...change.msg, caip2, asset },
    });
    const admitsChain = (name: string) =>
      passes(readFilters(type, JSON.stringify({ chains: [name] }), 'f'), said);
    assert.equal(admitsChain(caip2), true);
    assert.equal(admitsChain('solana:mainnet'), true);
    assert.equal(admitsChain('solana:devnet'), false);
  });

  test('a send matches by its status and chain', () => {
    const msg = { status: 'INCLUDED', caip2: 'eip155:1' } as const;
    const happening = sendWebhookEvent({ organizationId, msg });
    const admitsSend = (text: string) =>
      passes(readFilters(happening.type, text, 'f'), happening.facts);
    assert.equal(admitsSend('{"statuses":["INCLUDED"],"chains":["eip155:1"]}'), true);
    assert.equal(admitsSend('{"statuses":["FAILED"]}'), false);
  });
});

describe('a malformed filter is refused', () => {
  const texts: readonly (readonly [string, RegExp])[] = [
    ['{', /expected JSON$/],
    ['[]', /expected a JSON object/],
    ['null', /expected a JSON object/],
    ['"x"', /expected a JSON object/],
    ['{"statuses":"ACTIVITY_STATUS_FAILED"}', /`statuses`: expected a list of 1 to 100 texts/],
    ['{"statuses":[]}', /`statuses`: expected a list of 1 to 100 texts/],
    ['{"statuses":[1]}', /`statuses`: expected texts/],
    ['{"statuses":["DONE"]}', /expected one of ACTIVITY_STATUS_CREATED, .*got `DONE`/],
    ['{"resources":["CAR"]}', /expected one of .*WALLET.*got `CAR`/],
    ['{"activityTypes":["CREATE_WALLET"]}', /expected an activity type/],
    ['{"activityTypes":["ACTIVITY_TYPE_create"]}', /expected an activity type/],
    ['{"organizationIds":["here"]}', /expected a UUID/],
    ['{"__proto__":["x"]}', /unknown filter `__proto__` of ACTIVITY_UPDATES/],
    [
      '{"chains":["eip155:1"]}',
      /unknown filter `chains` of ACTIVITY_UPDATES: expected activityTypes, statuses, resources, organizationIds$/,
    ],
  ];
  for (const [text, expected] of texts) {
    test(`${text} is refused with the known values`, () => {
      assert.match(refusal('ACTIVITY_UPDATES', text), expected);
    });
  }

  test('a list has at most 100 values of at most 200 characters', () => {
    const of = (addresses: readonly string[]) => JSON.stringify({ addresses });
    const type = 'BALANCE_CONFIRMED_UPDATES';
    readFilters(type, of(Array.from({ length: 100 }, (_, i) => `a${i}`)), 'f');
    assert.match(refusal(type, of(Array.from({ length: 101 }, (_, i) => `a${i}`))), /1 to 100/);
    assert.match(refusal(type, of(['a'.repeat(201)])), /at most 200/);
  });

  test('any text is read or refused with its field', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...webhookEventTypeNames),
        fc.oneof(fc.string(), fc.json()),
        (eventType, text) => {
          try {
            readFilters(eventType, text, 'f');
          } catch (error) {
            assert.ok(error instanceof ServiceError && error.code === 'field_invalid');
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
