// Starts an enclave on a store with one false answer, and checks the outcome.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { OrganizationAnswer, StoredActivity, StoredRecord } from '../../src/store/port.ts';
import type { TestAnswer } from '../support/harness.ts';
import { type Alterations, hostileStore } from './hostile_store.ts';
import type { World } from './hostile_world.ts';
import { activityBody, queryBody, type ServiceOver, startServiceOver } from './service_over.ts';

export type Ask = (service: ServiceOver) => Promise<TestAnswer>;

export type Expected =
  /** Status 500, and a log line with the organization and, if given, the record. */
  | { readonly outcome: 'refused'; readonly id?: string; readonly organizationId: string }
  /** The answer of an honest store. */
  | { readonly outcome: 'unaffected' }
  /** The answer of a store without the row. */
  | { readonly outcome: 'withheld'; readonly status: number };

export type Lie = {
  readonly lie: string;
  readonly ask: Ask;
  /** True if the enclave has read the honest answer before. */
  readonly warm?: true;
  readonly alterations: Alterations;
  readonly expected: Expected;
};

export const unaffected: Expected = { outcome: 'unaffected' };
export const withheld = (status: number): Expected => ({ outcome: 'withheld', status });

/** Returns the requests, rows and alterations that cases use. */
export function wordsOf(world: World) {
  const { organizationId, service } = world;
  const rootKey = service.root.key;
  return {
    refused: (id?: string, of = organizationId): Expected => ({
      outcome: 'refused',
      organizationId: of,
      ...(id === undefined ? {} : { id }),
    }),
    query:
      (operation: string, parameters: object = {}, of = organizationId): Ask =>
      (over) =>
        over.send('query', operation, queryBody(of, parameters), rootKey),
    sign:
      (signWith: string): Ask =>
      (over) => {
        const type = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2';
        const parameters = {
          signWith,
          payload: 'aa'.repeat(32),
          encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
          hashFunction: 'HASH_FUNCTION_NO_OP',
        };
        const body = activityBody(type, organizationId, parameters, service.now());
        return over.send('submit', 'sign_raw_payload', body, rootKey);
      },
    /** Alters the answers about one organization only. */
    organization: (
      change: (answer: OrganizationAnswer) => Partial<OrganizationAnswer>,
      of = organizationId,
    ): Alterations => ({
      organization: (answer, request) =>
        request.organizationId === of ? { ...answer, ...change(answer) } : answer,
    }),
    accountOf: (address: string): StoredRecord => {
      const row = world.accountRows.find((stored) => {
        const opened = world.codec.openRecord(organizationId, stored);
        return 'address' in opened && opened.address === address;
      });
      assert(row !== undefined);
      return row;
    },
    activityWhere: (is: (row: StoredActivity) => boolean): StoredActivity => {
      const row = world.activityRows.find(is);
      assert(row !== undefined);
      return row;
    },
  };
}

export const bodyEdits: readonly (readonly [string, (body: Uint8Array) => Uint8Array])[] = [
  ['a bit of the nonce', (body) => flip(body, 0)],
  ['a bit of the first sealed byte', (body) => flip(body, 12)],
  ['a bit in the middle', (body) => flip(body, Math.floor(body.length / 2))],
  ['a bit of the tag', (body) => flip(body, body.length - 1)],
  ['the last byte', (body) => body.slice(0, -1)],
  ['all but 27 bytes', (body) => body.slice(0, 27)],
  ['every byte', () => new Uint8Array(0)],
  ['a byte more at the end', (body) => Uint8Array.of(...body, 0)],
];

export function rowOf(rows: readonly StoredRecord[], id: string): StoredRecord {
  const row = rows.find((known) => known.id === id);
  assert(row !== undefined);
  return row;
}

/** Declares one test per case: the answer to the false row, the log, and the answers afterwards. */
export function checkLies(world: World, lies: readonly Lie[]): void {
  describe('a store that answers with', () => {
    for (const { lie, ask, warm, alterations, expected } of lies) {
      test(lie, async () => {
        const store = hostileStore(world.service.store.port);
        // Two requests with one body are one activity, so each needs its own time.
        world.service.advance(1);
        const clock = world.service.now;
        const honest = await ask(await startServiceOver({ store: store.port, seed: lie, clock }));
        world.service.advance(1);
        const service = await startServiceOver({ store: store.port, seed: `${lie}, told`, clock });
        if (warm === true) assert.deepEqual(await ask(service), honest);

        store.alter(alterations);
        const answer = await ask(service);
        checkAnswer(answer, honest, expected);
        checkLog(service, expected);

        store.alter({});
        world.service.advance(1);
        assert.equal((await ask(service)).status, honest.status, 'the lie is not remembered');
      });
    }
  });
}

function checkAnswer(answer: TestAnswer, honest: TestAnswer, expected: Expected): void {
  if (expected.outcome === 'unaffected') assert.deepEqual(effectOf(answer), effectOf(honest));
  else if (expected.outcome === 'withheld') {
    assert.equal(answer.status, expected.status, JSON.stringify(answer.body));
  } else {
    assert.equal(answer.status, 500, JSON.stringify(answer.body));
    // The caller learns only a request id for the operator.
    assert.match(answer.body.message, /^internal server error \([^()]+\)$/);
    assert.equal(answer.body.turnkeyErrorCode, 'INTERNAL');
    assert.equal(answer.body.code, 13);
  }
}

function checkLog({ log }: ServiceOver, expected: Expected): void {
  if (expected.outcome !== 'refused') {
    assert.deepEqual(log, []);
    return;
  }
  assert.equal(log.length, 1);
  const [line] = log;
  assert.equal(line?.level, 'error');
  assert.match(line.message, /^a stored record was refused/);
  assert.deepEqual(Object.keys(line.fields), [
    'requestId',
    'organizationId',
    'kind',
    'id',
    'version',
  ]);
  assert.equal(line.fields['organizationId'], expected.organizationId);
  if (expected.id !== undefined) assert.equal(line.fields['id'], expected.id);
}

/** Returns the content of an answer without the members that differ in each request. */
function effectOf({ status, body }: TestAnswer): unknown {
  return { status, result: body.activity?.result ?? body };
}

function flip(body: Uint8Array, at: number): Uint8Array {
  return body.map((byte, i) => (i === at ? byte ^ 1 : byte));
}
