import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import type { EmailReport } from '../../../src/gateway/messages/delivery.ts';
import {
  createEmailReports,
  emailReportLimits,
} from '../../../src/gateway/messages/email_reports.ts';
import { createSimulatedTime } from './simulated_time.ts';

const report = (messageId: string): EmailReport => ({
  organizationId: 'organization',
  messageId,
  eventType: 'Send',
  from: 'keys@example.net',
  to: 'user@example.com',
  reason: undefined,
  isPermanent: undefined,
});

/** Creates reports whose receiver is controlled by the test. */
function createPlayed() {
  const time = createSimulatedTime();
  const told: { readonly id: string; readonly kept: () => void; readonly lost: Lost }[] = [];
  const lines: string[] = [];
  const reports = createEmailReports({
    submit: ({ messageId: id }) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      told.push({ id, kept: resolve, lost: reject });
      return promise;
    },
    log: (_level, message, fields) => lines.push(JSON.stringify({ message, ...fields })),
    after: time.after,
  });
  return { reports, time, told, lines };
}

type Lost = (error: unknown) => void;
const away = () => new ServiceError('enclave_unavailable');

test('reports reach the enclave in turn, in order', async () => {
  const { reports, told, lines } = createPlayed();
  for (const id of ['1', '2', '3']) reports.add(report(id));
  for (const count of [1, 2, 3]) {
    assert.equal(told.length, count);
    told.at(-1)?.kept();
    await turn();
  }
  assert.deepEqual(
    told.map(({ id }) => id),
    ['1', '2', '3'],
  );
  assert.deepEqual(lines, []);
});

test('while the enclave is down a report is sent again, three times in all', async () => {
  const { reports, time, told, lines } = createPlayed();
  reports.add(report('1'));
  reports.add(report('2'));
  for (let attempt = 1; attempt < emailReportLimits.attempts; attempt += 1) {
    told.at(-1)?.lost(away());
    await turn();
    assert.deepEqual(time.pending(), [emailReportLimits.pauseMs]);
    time.advance(emailReportLimits.pauseMs);
    await turn();
  }
  told.at(-1)?.lost(away());
  await turn();
  assert.deepEqual(
    told.map(({ id }) => id),
    ['1', '1', '1', '2'],
  );
  assert.equal(lines.length, 1);
  assert.match(
    lines[0] ?? '',
    /could not store the outcome of a mail.*"messageId":"1".*enclave_unavailable/,
  );
  assert.ok(!lines[0]?.includes('user@'));
});

test('a report that the enclave refuses is logged once', async () => {
  const { reports, time, told, lines } = createPlayed();
  reports.add(report('1'));
  told.at(-1)?.lost(new ServiceError('record_refused', { supportId: '1' }));
  await turn();
  assert.deepEqual(time.pending(), []);
  assert.equal(told.length, 1);
  assert.match(lines[0] ?? '', /record_refused/);
});

test('of a flood a thousand reports wait, and the others are logged', async () => {
  const { reports, told, lines } = createPlayed();
  for (let i = 0; i < emailReportLimits.waiting + 11; i += 1) reports.add(report(String(i)));
  assert.equal(told.length, 1);
  assert.equal(lines.length, 10);
  assert.match(lines[0] ?? '', /too many reports wait/);
});

test('after the stop no report is sent, and none waits', async () => {
  const { reports, time, told, lines } = createPlayed();
  reports.add(report('1'));
  reports.add(report('2'));
  told.at(-1)?.lost(away());
  await turn();
  reports.stop();
  reports.add(report('3'));
  assert.deepEqual(time.pending(), []);
  await turn();
  told.at(-1)?.lost(away());
  await turn();
  assert.deepEqual(time.pending(), []);
  assert.deepEqual(
    told.map(({ id }) => id),
    ['1', '1'],
  );
  assert.equal(lines.length, 3);
});
