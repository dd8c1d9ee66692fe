import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { textOfUtf8 } from '../../../src/core/base/bytes.ts';
import type { WebhookEventType } from '../../../src/core/base/enums.ts';
import { chatNotice } from '../../../src/core/webhooks/chat_notice.ts';

const publicUrl = 'https://keys.example/';
const fingerprint = `sha256:${'0'.repeat(64)}`;
const activity = (changes: object = {}) => ({
  id: '01900000-0000-7000-8000-000000000001',
  organizationId: '01900000-0000-7000-8000-000000000002',
  type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
  status: 'ACTIVITY_STATUS_CONSENSUS_NEEDED',
  fingerprint,
  votes: [{ user: { userName: 'Alice' } }],
  ...changes,
});

function noticeOf(
  format: 'WEBHOOK_FORMAT_SLACK' | 'WEBHOOK_FORMAT_TEAMS' | 'WEBHOOK_FORMAT_TELEGRAM',
  body: object,
  type: WebhookEventType = 'ACTIVITY_UPDATES',
) {
  const bytes = chatNotice(format, { type, body: JSON.stringify(body) }, publicUrl);
  return JSON.parse(textOfUtf8(bytes) ?? '');
}

const slackLines = (body: object, type?: WebhookEventType): string[] =>
  noticeOf('WEBHOOK_FORMAT_SLACK', body, type).text.split('\n');

describe('a notice', () => {
  test('of a waiting activity names the title, the submitter, four words to compare and the address', () => {
    assert.deepEqual(slackLines(activity()), [
      '*Approval needed: Sign transaction*',
      'Requested by Alice',
      'Comparison code: abandon abandon abandon abandon',
      'Organization 01900000-0000-7000-8000-000000000002',
      '<https://keys.example/dashboard/activities/01900000-0000-7000-8000-000000000001>',
    ]);
  });

  test('of every status has its own title', () => {
    const titles = ['COMPLETED', 'REJECTED', 'FAILED', 'AUTHENTICATORS_NEEDED'].map(
      (status) => slackLines(activity({ status: `ACTIVITY_STATUS_${status}` }))[0],
    );
    assert.deepEqual(titles, [
      '*Completed: Sign transaction*',
      '*Rejected: Sign transaction*',
      '*Failed: Sign transaction*',
      '*Credentials needed: Sign transaction*',
    ]);
  });

  test('of a deposit names the amount in whole units, the account and the chain', () => {
    const msg = {
      operation: 'deposit',
      caip2: 'eip155:1',
      address: '0xabc',
      asset: { symbol: 'ETH', decimals: 18, amount: '1500000000000000000' },
    };
    const body = { organizationId: 'o', msg };
    assert.deepEqual(slackLines(body, 'BALANCE_FINALIZED_UPDATES').slice(0, 2), [
      '*deposit of 1.5 ETH is final*',
      'Account 0xabc on eip155:1',
    ]);
  });

  test('of a send and of a disabled endpoint', () => {
    const sent = { organizationId: 'o', msg: { status: 'INCLUDED', caip2: 'eip155:1' } };
    const [title] = slackLines(sent, 'SEND_TRANSACTION_STATUS_UPDATES');
    assert.equal(title, '*Transaction included on eip155:1*');
    const disabled = { organizationId: 'o', msg: { name: 'Ledger' } };
    const [other] = slackLines(disabled, 'WEBHOOK_ENDPOINT_UPDATES');
    assert.equal(other, '*Webhook endpoint Ledger was disabled*');
  });

  test('for Teams is a card of text, without an action', () => {
    const [attachment] = noticeOf('WEBHOOK_FORMAT_TEAMS', activity()).attachments;
    const { type, body, actions } = attachment.content;
    assert.equal(type, 'AdaptiveCard');
    assert.equal(actions, undefined);
    assert(body.every((each: { type: string }) => each.type === 'TextBlock'));
    assert.equal(body[0].text, 'Approval needed: Sign transaction');
  });
});

test('a notice for Telegram is plain text without a preview and without buttons', () => {
  assert.deepEqual(noticeOf('WEBHOOK_FORMAT_TELEGRAM', activity()), {
    text: [
      'Approval needed: Sign transaction',
      'Requested by Alice',
      'Comparison code: abandon abandon abandon abandon',
      'Organization 01900000-0000-7000-8000-000000000002',
      'https://keys.example/dashboard/activities/01900000-0000-7000-8000-000000000001',
    ].join('\n'),
    link_preview_options: { is_disabled: true },
  });
});

describe('names that users chose', () => {
  const hostile =
    'Bob\n*Approved* <!channel> <https://evil.example|open> [x](https://evil.example) \u202e';
  const body = activity({ votes: [{ user: { userName: hostile } }] });

  test('add no line, mention, link or style to a message of Slack', () => {
    const lines = slackLines(body);
    assert.equal(lines.length, 5);
    const [, requested = ''] = lines;
    assert.doesNotMatch(requested, /[<>\u202e]|:\/\//);
    assert.doesNotMatch(requested, /(?<!\u200b)[*_~`]/);
  });

  test('add no Markdown to a card of Teams', () => {
    const [attachment] = noticeOf('WEBHOOK_FORMAT_TEAMS', body).attachments;
    const { text } = attachment.content.body[1];
    assert.doesNotMatch(text, /(?<!\\)[*_[\]()<>]|:\/\/|\n/);
  });

  test('add no line, address, mention, tag or command to a message of Telegram', () => {
    const userName = `${hostile} evil.example @admin #tag /start $CASH mailto:a@evil.example`;
    const named = activity({ votes: [{ user: { userName } }] });
    const lines = noticeOf('WEBHOOK_FORMAT_TELEGRAM', named).text.split('\n');
    assert.equal(lines.length, 5);
    assert.doesNotMatch(lines[1], /[.:/@#$][^\s\u200b]|\u202e/);
  });

  test('are cut', () => {
    const long = activity({ votes: [{ user: { userName: 'x'.repeat(10_000) } }] });
    assert((slackLines(long)[1] ?? '').length < 200);
  });
});

test('a body without some members still gives a notice', () => {
  assert.equal(slackLines({})[0], '*Activity: Unknown*');
});
