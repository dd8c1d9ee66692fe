import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utf8 } from '../../src/core/base/bytes.ts';
import { queryOperations } from '../../src/operations/index.ts';
import { stampOf } from '../support/harness.ts';
import { queryCalls, submitCalls, submitTypes } from './calls.ts';
import { fuzzStamps, mutationNames } from './stamp_fuzz.ts';
import { startTenants } from './tenants.ts';

const cases = 5_000;

// AUTH-01, AUTH-02, AUTH-05, AUTH-09
test(`${cases} changed stamps are accepted exactly if the oracle finds a proof`, async () => {
  const result = await fuzzStamps({ cases, seed: 'keywright' });
  assert.ok(result.accepted > cases / 20, `only ${result.accepted} were accepted`);
  assert.ok(result.refused > cases / 2, `only ${result.refused} were refused`);
  const unused = mutationNames.filter((name) => (result.used.get(name) ?? 0) < 20);
  assert.deepEqual(unused, [], 'every mutation takes part');
});

test('a stamped body is valid only for its own operation', async () => {
  const tenants = await startTenants();
  const { service } = tenants;
  const stored = await tenants.stored();
  for (const [operation, calls] of Object.entries(submitCalls)) {
    const type = submitTypes.get(operation);
    const tenant = tenants.all.get(calls[0]?.by ?? 'child');
    assert(tenant !== undefined);
    for (const call of type === undefined ? [] : calls) {
      const { organizationId, key } = tenant;
      const parameters = call.parameters(tenant);
      const timestampMs = String(service.now());
      const body = utf8(JSON.stringify({ type, timestampMs, organizationId, parameters }));
      const headers = [stampOf(body, key)];
      for (const other of submitTypes.keys()) {
        if (other === operation) continue;
        const { status } = await service.send('submit', other, body, headers);
        assert.equal(status, 400, `${operation} sent to ${other}`);
      }
      for (const other of Object.keys(queryOperations)) {
        const { status } = await service.send('query', other, body, headers);
        assert.equal(status, 400, `${operation} sent to ${other}`);
      }
    }
  }
  for (const [operation, calls] of Object.entries(queryCalls)) {
    const tenant = tenants.all.get('child');
    assert(tenant !== undefined);
    for (const call of calls) {
      const { organizationId, key } = tenant;
      const body = utf8(JSON.stringify({ organizationId, ...call.parameters(tenant) }));
      for (const other of submitTypes.keys()) {
        const { status } = await service.send('submit', other, body, [stampOf(body, key)]);
        assert.equal(status, 400, `${operation} sent to ${other}`);
      }
    }
  }
  assert.equal(await tenants.stored(), stored, 'nothing was stored');
  tenants.close();
});

test('a stamp is valid only for its own organization', async () => {
  const tenants = await startTenants();
  const { service } = tenants;
  const stored = await tenants.stored();
  const all = [...tenants.all.values()];
  for (const [operation, calls] of Object.entries({ ...submitCalls, ...queryCalls })) {
    const type = submitTypes.get(operation);
    const kind = type === undefined ? 'query' : 'submit';
    if (type === undefined && queryOperations[operation] === undefined) continue;
    for (const { parameters } of calls) {
      for (const [own, other] of all.flatMap((a) => all.map((b) => [a, b] as const))) {
        if (own === other) continue;
        const bodyOf = (organizationId: string) => {
          const timestampMs = String(service.now());
          const envelope = { type, timestampMs, organizationId, parameters: parameters(other) };
          const asked = { organizationId, ...parameters(other) };
          return utf8(JSON.stringify(kind === 'submit' ? envelope : asked));
        };
        const headers = [stampOf(bodyOf(own.organizationId), own.key)];
        const answer = await service.send(kind, operation, bodyOf(other.organizationId), headers);
        assert.equal(answer.status, 401, operation);
        assert.equal(answer.body.turnkeyErrorCode, 'SIGNATURE_INVALID', operation);
      }
    }
  }
  assert.equal(await tenants.stored(), stored, 'nothing was stored');
  tenants.close();
});
