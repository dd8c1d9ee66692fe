// Any input gets an answer: a refusal names a fault of the caller, never an internal error.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { base64url, utf8 } from '../../src/core/base/bytes.ts';
import type { TSchema } from '../../src/core/schema/schema.ts';
import { activityOperations, queryOperations } from '../../src/operations/index.ts';
import {
  stampOf,
  startTestService,
  type TestAnswer,
  type TestService,
} from '../support/harness.ts';

let service: TestService;
const log: string[] = [];
before(async () => {
  service = await startTestService({ log });
});
after(() => service.close());

const kind = fc.constantFrom('submit' as const, 'query' as const);

function checkAnswer({ status, body }: TestAnswer): void {
  // 501 is also a fact about the request: this version does not offer the operation.
  assert.ok(status < 500 || status === 501, JSON.stringify(body));
  if (status === 200) return;
  assert.deepEqual(Object.keys(body), ['code', 'message', 'details', 'turnkeyErrorCode']);
  assert.deepEqual(log, []);
}

test('random bytes as body and as stamp are answered', async () => {
  const operations = {
    submit: Object.keys(activityOperations),
    query: Object.keys(queryOperations),
  };
  await fc.assert(
    fc.asyncProperty(
      kind,
      fc.nat(),
      fc.uint8Array({ maxLength: 200 }),
      fc.oneof(fc.string({ maxLength: 200 }), fc.base64String({ maxLength: 200 })),
      async (sent, pick, body, stamp) => {
        const names = operations[sent];
        const operation = names[pick % names.length] ?? '';
        const headers = [{ name: 'x-stamp', value: stamp }];
        const answer = await service.send(sent, operation, body, headers);
        checkAnswer(answer);
        assert.notEqual(answer.status, 200);
      },
    ),
    { numRuns: 200 },
  );
});

test('random JSON as a stamp is answered', async () => {
  const body = utf8(JSON.stringify({ organizationId: service.root.organizationId }));
  const hexText = fc.uint8Array({ maxLength: 80 }).map((bytes) => bytes.toHex());
  const stamp = fc.oneof(
    fc.json(),
    fc
      .record(
        {
          publicKey: fc.oneof(hexText, fc.constant(testPublicKey()), fc.jsonValue()),
          scheme: fc.oneof(
            fc.constantFrom(
              'SIGNATURE_SCHEME_TK_API_P256',
              'SIGNATURE_SCHEME_TK_API_SECP256K1',
              'SIGNATURE_SCHEME_TK_API_ED25519',
              'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191',
              '__proto__',
            ),
            fc.jsonValue(),
          ),
          signature: fc.oneof(hexText, fc.jsonValue()),
        },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value)),
  );
  await fc.assert(
    fc.asyncProperty(stamp, async (text) => {
      const headers = [{ name: 'x-stamp', value: base64url(utf8(text.toWellFormed())) }];
      const answer = await service.send('query', 'whoami', body, headers);
      checkAnswer(answer);
      assert.equal(answer.status, 401);
    }),
    { numRuns: 200 },
  );
});

test('random JSON with a valid stamp is answered', async () => {
  const json = fc.oneof(
    fc.json(),
    fc.jsonValue().map((value) => JSON.stringify(value)),
  );
  await fc.assert(
    fc.asyncProperty(kind, fc.nat(), json, async (sent, pick, text) => {
      const names = Object.keys(sent === 'submit' ? activityOperations : queryOperations);
      const body = utf8(text.toWellFormed());
      const headers = [stampOf(body, service.root.key)];
      checkAnswer(await service.send(sent, names[pick % names.length] ?? '', body, headers));
    }),
    { numRuns: 200 },
  );
});

test('random parameters of every operation with a valid stamp are answered', async () => {
  const operations = [...Object.entries(activityOperations), ...Object.entries(queryOperations)];
  for (const [name, operation] of operations) {
    const schema: TSchema = operation.kind === 'submit' ? operation.parameters : operation.body;
    await fc.assert(
      fc.asyncProperty(fitting(schema), async (value) => {
        const answer =
          operation.kind === 'submit'
            ? await service.submit(name, operation.wire.type, value)
            : await service.query(name, { ...(value as object) });
        checkAnswer(answer);
      }),
      { numRuns: 12 },
    );
  }
});

function testPublicKey(): string {
  return '02f739f8c77b32f4d5f13265861febd76e7a9c61a1140d296b8c16302508870316';
}

type JsonSchema = {
  type?: string | string[];
  enum?: string[];
  format?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
};

/** Generates values that mostly fit a schema, to reach the code behind validation. */
function fitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.format === 'uuid') {
    return fc.oneof(fc.uuid(), fc.constantFrom(service.root.userId, service.root.apiKeyId));
  }
  if (schema.properties !== undefined) {
    const members = Object.fromEntries(
      Object.entries(schema.properties).map(([name, member]) => [name, fitting(member)]),
    );
    return fc.record(members, { requiredKeys: schema.required ?? [] });
  }
  if (schema.type === 'array') return fc.array(fitting(schema.items ?? {}), { maxLength: 3 });
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'string') return fc.string({ minLength: 1, maxLength: 20 });
  return fc.integer({ min: 0, max: 30 });
}
