import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { OutgoingEmail, OutgoingSms } from '../../../src/core/external/outgoing_message.ts';
import { type Carrier, CarrierError } from '../../../src/gateway/messages/carrier.ts';
import {
  createMessageDelivery,
  type DeliveryOptions,
  shortContact,
} from '../../../src/gateway/messages/delivery.ts';
import { recipientLimits } from '../../../src/gateway/messages/recipient_limits.ts';
import { sendingLimits } from '../../../src/gateway/messages/sending_queue.ts';
import { createSimulatedTime } from './simulated_time.ts';

type Sending = {
  readonly message: OutgoingEmail;
  readonly signal: AbortSignal;
  readonly taken: () => void;
  readonly refused: (error: unknown) => void;
};

const secret = 'SECRET-CODE';

function mail(to = 'user@example.com'): OutgoingEmail {
  return { channel: 'email', to, subject: secret, text: secret, html: secret, senderName: secret };
}

/** Creates a delivery whose carrier is controlled by the test. */
function createPlayed(options: Partial<DeliveryOptions> = {}) {
  const time = createSimulatedTime();
  const sendings: Sending[] = [];
  const lines: string[] = [];
  const outcomes: string[] = [];
  const email: Carrier<OutgoingEmail> = {
    send: (message, signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      sendings.push({ message, signal, taken: resolve, refused: reject });
      return promise;
    },
  };
  const delivery = createMessageDelivery({
    email,
    log: (level, message, fields) => lines.push(JSON.stringify({ level, message, ...fields })),
    finished: (channel, outcome) => outcomes.push(`${channel} ${outcome}`),
    after: time.after,
    now: time.clock,
    ...options,
  });
  /** Answers the last attempt, and waits for the consequences. */
  const answer = async (error?: unknown): Promise<void> => {
    const sending = sendings.at(-1);
    assert.ok(sending !== undefined);
    if (error === undefined) sending.taken();
    else sending.refused(error);
    await turn();
  };
  return { delivery, time, sendings, lines, outcomes, answer };
}

const passing = () => new CarrierError('ECONNECTION', false);

test('an accepted message leaves one log line and nothing behind', async () => {
  const { delivery, time, sendings, lines, outcomes, answer } = createPlayed();
  delivery.deliver(mail());
  assert.deepEqual(sendings[0]?.message, mail());
  await answer();
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    [
      {
        level: 'info',
        message: 'a message was sent',
        channel: 'email',
        to: 'u…@example.com',
        attempts: 1,
      },
    ],
  );
  assert.deepEqual(outcomes, ['email sent']);
  assert.deepEqual(time.pending(), []);
});

test('a message is tried three times, with longer pauses, and then dropped', async () => {
  const { delivery, time, sendings, lines, outcomes, answer } = createPlayed();
  delivery.deliver(mail());
  await answer(passing());
  assert.deepEqual(time.pending(), [1_000]);
  time.advance(999);
  assert.equal(sendings.length, 1);
  time.advance(1);
  assert.equal(sendings.length, 2);
  await answer(passing());
  time.advance(9_999);
  assert.equal(sendings.length, 2);
  time.advance(1);
  assert.equal(sendings.length, 3);
  await answer(passing());
  assert.deepEqual(time.pending(), []);
  assert.deepEqual(outcomes, ['email failed']);
  assert.deepEqual(
    lines.map((line) => {
      const { message, attempts, reason } = JSON.parse(line);
      return [message, attempts, reason];
    }),
    [
      ['a message will be tried again', 1, 'ECONNECTION'],
      ['a message will be tried again', 2, 'ECONNECTION'],
      ['a message was not sent', 3, 'ECONNECTION'],
    ],
  );
});

test('a permanent refusal is not retried', async () => {
  const { delivery, time, outcomes, answer } = createPlayed();
  delivery.deliver(mail());
  await answer(new CarrierError('EENVELOPE 550', true));
  assert.deepEqual(time.pending(), []);
  assert.deepEqual(outcomes, ['email failed']);
});

test('a carrier that never answers times out, even if it ignores its signal', async () => {
  const { delivery, time, sendings, outcomes, lines, answer } = createPlayed();
  delivery.deliver(mail());
  time.advance(sendingLimits.attemptTimeoutMs - 1);
  assert.equal(sendings[0]?.signal.aborted, false);
  time.advance(1);
  assert.equal(sendings[0]?.signal.aborted, true);
  await turn();
  assert.match(lines[0] ?? '', /"reason":"timeout"/);
  // A late answer to the first attempt changes nothing.
  sendings[0]?.refused(passing());
  time.advance(1_000);
  assert.equal(sendings.length, 2);
  await answer();
  assert.deepEqual(outcomes, ['email sent']);
});

test('no log line contains the message, for any error of the carrier', async () => {
  const { delivery, time, lines, answer } = createPlayed();
  const complaints = [new Error(secret), secret, new CarrierError('ESOCKET', false)];
  delivery.deliver(mail());
  for (const complaint of complaints) {
    await answer(complaint);
    time.advance(10_000);
  }
  assert.equal(lines.length, 3);
  assert.ok(!lines.join('').includes(secret));
  assert.ok(!lines.join('').includes('user@'));
});

test('a carrier that throws at once is a failed attempt', async () => {
  const email = {
    send: () => {
      throw new TypeError(secret);
    },
  };
  const { delivery, time, outcomes, lines } = createPlayed({ email });
  delivery.deliver(mail());
  for (const pauseMs of sendingLimits.pausesMs) {
    await turn();
    time.advance(pauseMs);
  }
  await turn();
  assert.deepEqual(outcomes, ['email failed']);
  assert.ok(lines.every((line) => line.includes('"reason":"unexpected TypeError"')));
});

test('few messages are sent at a time, the others follow in order', async () => {
  const { delivery, sendings, answer } = createPlayed();
  for (let i = 0; i < 10; i += 1) delivery.deliver(mail(`u${i}@example.com`));
  assert.equal(sendings.length, sendingLimits.underWay);
  for (let i = sendingLimits.underWay; i < 10; i += 1) {
    await answer();
    assert.equal(sendings.length, i + 1);
  }
  assert.deepEqual(
    sendings.map(({ message }) => message.to),
    Array.from({ length: 10 }, (_, i) => `u${i}@example.com`),
  );
});

test('of more than a thousand waiting messages the oldest is dropped, with a log line', async () => {
  const { delivery, time, sendings, lines, outcomes, answer } = createPlayed();
  for (let i = 0; i < sendingLimits.underWay; i += 1) delivery.deliver(mail());
  for (let i = 0; i < sendingLimits.waiting; i += 1) delivery.deliver(mail(`${i}@waiting.example`));
  assert.deepEqual(outcomes, []);
  delivery.deliver(mail('last@waiting.example'));
  assert.deepEqual(outcomes, ['email dropped']);
  assert.match(lines[0] ?? '', /"a message was dropped".*"0…@waiting.example"/);
  // A message that waits for its next attempt counts too, and is the oldest by then.
  await answer(passing());
  assert.deepEqual(outcomes, ['email dropped']);
  delivery.deliver(mail('one more@waiting.example'));
  assert.deepEqual(outcomes, ['email dropped', 'email dropped']);
  assert.match(lines.at(-1) ?? '', /"a message was dropped".*"u…@example.com"/);
  assert.equal(sendings.at(-1)?.message.to, '1@waiting.example');
  // The pause of the dropped message is gone: only attempts have timers.
  assert.deepEqual(new Set(time.pending()), new Set([sendingLimits.attemptTimeoutMs]));
});

test('accounts take turns, with any number of waiting messages', async () => {
  const { delivery, sendings, answer } = createPlayed();
  const many = Array.from({ length: 20 }, (_, i) => `${i}@many.example`);
  for (const to of many) delivery.deliver({ ...mail(to), account: 'many' });
  delivery.deliver({ ...mail('a@few.example'), account: 'few' });
  delivery.deliver({ ...mail('b@few.example'), account: 'few' });
  for (let i = 0; i < 4; i += 1) await answer();
  assert.deepEqual(
    sendings.slice(sendingLimits.underWay).map(({ message }) => message.to),
    ['4@many.example', 'a@few.example', '5@many.example', 'b@few.example'],
  );
});

test('if too many wait, the account with the most loses its oldest', async () => {
  const { delivery, sendings, lines, outcomes, answer } = createPlayed();
  for (let i = 0; i < sendingLimits.underWay; i += 1) delivery.deliver(mail());
  delivery.deliver({ ...mail('first@few.example'), account: 'few' });
  for (let i = 0; i < 2 * sendingLimits.waiting; i += 1) {
    delivery.deliver({ ...mail(`${i}@many.example`), account: 'many' });
  }
  assert.equal(outcomes.length, sendingLimits.waiting + 1);
  assert.ok(lines.every((line) => line.includes('@many.example')));
  await answer();
  assert.equal(sendings.at(-1)?.message.to, 'first@few.example');
});

test('an account sends thirty messages to one recipient in three minutes, separately from others', async () => {
  const { messages, windowMs } = recipientLimits;
  const { delivery, time, lines, outcomes, answer } = createPlayed();
  const deliver = async (account: string, to = 'user@example.com') => {
    delivery.deliver({ ...mail(to), account });
    await answer();
  };
  for (let i = 0; i < messages; i += 1) await deliver('bomber');
  assert.ok(outcomes.every((outcome) => outcome === 'email sent'));
  delivery.deliver({ ...mail('USER@example.com'), account: 'bomber' });
  assert.equal(outcomes.at(-1), 'email dropped');
  assert.match(lines.at(-1) ?? '', /"reason":"too many messages to this recipient"/);
  await deliver('bomber', 'other@example.com');
  await deliver('another');
  time.advance(windowMs);
  await deliver('bomber');
  assert.deepEqual(outcomes.slice(-3), ['email sent', 'email sent', 'email sent']);
});

/** Creates a text message carrier that never answers, next to mails that the test controls. */
function createSilentSms() {
  let sent = 0;
  const sms: Carrier<OutgoingSms> = {
    send: () => {
      sent += 1;
      return Promise.withResolvers<void>().promise;
    },
  };
  return { ...createPlayed({ sms }), sent: () => sent };
}

function textMessage(last: number): OutgoingSms {
  return { channel: 'sms', to: `+1202555${String(last).padStart(4, '0')}`, text: secret };
}

test('a text message carrier that never answers delays no mail', async () => {
  const { delivery, sendings, outcomes, sent, answer } = createSilentSms();
  for (let i = 0; i < 2 * sendingLimits.underWay; i += 1) delivery.deliver(textMessage(i));
  assert.equal(sent(), sendingLimits.underWay);
  delivery.deliver(mail());
  assert.equal(sendings.length, 1);
  await answer();
  assert.deepEqual(outcomes, ['email sent']);
});

test('waiting text messages displace no waiting mail', async () => {
  const { delivery, sendings, outcomes, answer } = createSilentSms();
  for (let i = 0; i < 2 * sendingLimits.underWay; i += 1)
    delivery.deliver(mail(`${i}@example.com`));
  for (let i = 0; i < 2 * sendingLimits.waiting; i += 1) delivery.deliver(textMessage(i));
  assert.deepEqual(new Set(outcomes), new Set(['sms dropped']));
  for (let i = 0; i < sendingLimits.underWay; i += 1) await answer();
  assert.equal(sendings.length, 2 * sendingLimits.underWay);
});

test('a stop waits for mails and for text messages', async () => {
  const { delivery, time, outcomes, answer } = createSilentSms();
  delivery.deliver(textMessage(0));
  delivery.deliver(mail());
  let isStopped = false;
  const stopped = delivery.stop(5_000).then(() => {
    isStopped = true;
  });
  await answer();
  await turn();
  assert.equal(isStopped, false);
  time.advance(5_000);
  await stopped;
  assert.deepEqual(outcomes, ['email sent', 'sms failed']);
  assert.deepEqual(time.pending(), []);
});

test('a message without a carrier fails with a log line', () => {
  const { delivery, lines, outcomes } = createPlayed({ email: undefined });
  delivery.deliver(mail());
  const sms: OutgoingSms = { channel: 'sms', to: '+12025550123', text: secret };
  delivery.deliver(sms);
  assert.deepEqual(outcomes, ['email failed', 'sms failed']);
  assert.ok(lines.every((line) => line.includes('"reason":"no carrier"')));
});

test('a stop gives waiting messages one more attempt, and ends after all of them', async () => {
  const { delivery, time, sendings, outcomes, answer } = createPlayed();
  delivery.deliver(mail('pausing@example.com'));
  await answer(passing());
  let isStopped = false;
  const stopped = delivery.stop(5_000).then(() => {
    isStopped = true;
  });
  delivery.deliver(mail('late@example.com'));
  assert.equal(sendings.at(-1)?.message.to, 'pausing@example.com');
  await turn();
  assert.equal(isStopped, false);
  await answer(passing());
  await stopped;
  assert.deepEqual(outcomes, ['email dropped', 'email failed']);
  assert.deepEqual(time.pending(), []);
  await delivery.stop(5_000);
});

test('a stop ends in time, with any behavior of the carrier', async () => {
  const { delivery, time, sendings, outcomes } = createPlayed();
  for (let i = 0; i < 10; i += 1) delivery.deliver(mail());
  const stopped = delivery.stop(5_000);
  time.advance(5_000);
  await stopped;
  assert.equal(sendings.length, sendingLimits.underWay);
  const count = (outcome: string) => outcomes.filter((name) => name === outcome).length;
  assert.deepEqual([count('email dropped'), count('email failed')], [6, 4]);
  assert.deepEqual(time.pending(), []);
});

test('a stop without messages ends at once', async () => {
  await createPlayed().delivery.stop(5_000);
});

test('contacts are shortened in the log', () => {
  assert.equal(shortContact('user@example.com'), 'u…@example.com');
  assert.equal(shortContact('+12025550123'), '+1…23');
  for (const odd of ['', '+123', '@example.com', 'user']) assert.equal(shortContact(odd), '…');
});

test('the outcome of a mail is reported by its reference, and a mail without one is not reported', async () => {
  const reports: object[] = [];
  const { delivery, time, answer } = createPlayed({
    report: (told) => reports.push(told),
    emailFrom: 'keys@example.net',
  });
  const reference = { organizationId: 'o', messageId: 'm' };
  const common = { ...reference, from: 'keys@example.net', to: 'user@example.com' };
  delivery.deliver(mail());
  await answer();
  assert.deepEqual(reports.splice(0), []);

  delivery.deliver({ ...mail(), reference });
  await answer(passing());
  time.advance(1_000);
  await answer(new CarrierError('EENVELOPE 450', false));
  time.advance(10_000);
  await answer();
  const delayed = { ...common, eventType: 'DeliveryDelay', isPermanent: false };
  assert.deepEqual(reports.splice(0), [
    { ...delayed, reason: 'ECONNECTION' },
    { ...delayed, reason: 'EENVELOPE 450' },
    { ...common, eventType: 'Send', reason: undefined, isPermanent: undefined },
  ]);

  delivery.deliver({ ...mail(), from: 'own@example.org', reference });
  await answer(new CarrierError('EENVELOPE 550', true));
  const bounced = { ...common, eventType: 'Bounce' };
  assert.deepEqual(reports.splice(0), [
    { ...bounced, from: 'own@example.org', reason: 'EENVELOPE 550', isPermanent: true },
  ]);
  // The log contains nothing of the mail or of the other side's answer.
  delivery.deliver({ ...mail(), reference });
  await answer(new Error(secret));
  const [told] = reports.splice(0);
  assert.deepEqual(told, { ...delayed, reason: 'unexpected Error' });
});

test('a mail that is dropped, or that no provider accepts, is reported as not sent', async () => {
  const reports: { eventType: string; reason: string | undefined }[] = [];
  const report: DeliveryOptions['report'] = ({ eventType, reason }) =>
    reports.push({ eventType, reason });
  const reference = { organizationId: 'o', messageId: 'm' };
  const without = createPlayed({ email: undefined, report });
  without.delivery.deliver({ ...mail(), reference });
  const { delivery } = createPlayed({ report });
  await delivery.stop(0);
  delivery.deliver({ ...mail(), reference });
  assert.deepEqual(reports, [
    { eventType: 'Bounce', reason: 'no carrier' },
    { eventType: 'Bounce', reason: 'stopping' },
  ]);
});
