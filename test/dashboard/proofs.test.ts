// The page verifies the app proofs of an activity, and detects a gateway that alters them.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { apiKey, type Client, connect } from '../../src/client/index.ts';
import { verifyReceipt } from '../../src/receipts/verify_receipt.ts';
import { until } from '../e2e/service.ts';
import { alterAnswers, before, dashboardOfThisFile, test } from './dashboard.ts';

const dashboard = await dashboardOfThisFile({ KEYWRIGHT_RECEIPTS: 'true' });

let path: string;
let root: Client;
/** The page of the alterations. */
let hostile: Page;
before(async () => {
  const { baseUrl: url, credentials } = dashboard.service();
  const of = credentials('root-credentials');
  const { organizationId } = of;
  root = connect({ url, organizationId, stamp: await apiKey(of) });
  const made = await root.ask(
    'create_wallet',
    { walletName: 'proved', accounts: [root.account('ethereum')] },
    { generateAppProofs: true },
  );
  assert(made.outcome === 'done');
  path = `activities/${made.activity.id}`;
  hostile = await dashboard.openAs('Root user', { path, isHostile: true });
});

test('a proof of an activity is verified in the page', async () => {
  const page = await dashboard.shared('Root user', path);
  const proofs = page.getByRole('region', { name: 'Proofs' });
  await proofs.getByText('Verified: Address derivation, signed by the enclave.').waitFor();
  assert.equal(await proofs.getByRole('listitem').count(), 1);
  assert.equal(await proofs.getByRole('alert').count(), 0);
});

test('a downloaded receipt verifies without the service', async () => {
  const page = await dashboard.shared('Root user', path);
  const receipt = page.getByRole('region', { name: 'Receipt' });
  const button = receipt.getByRole('button', { name: 'Download receipt' });
  const activityId = path.slice('activities/'.length);
  await receipt
    .getByText(`keywright verify receipt receipt-${activityId.slice(-12)}.json --trust policy.txt`)
    .waitFor();
  // The log contains the activity a moment after its creation.
  await until('the receipt', async () => {
    await root.query('get_receipt', { activityId });
    return true;
  });
  const downloading = page.waitForEvent('download');
  await button.click();
  const download = await downloading;
  assert.equal(download.suggestedFilename(), `receipt-${activityId.slice(-12)}.json`);
  const policy = await fetch(`${dashboard.service().baseUrl}/log/policy`);
  const text = readFileSync(await download.path(), 'utf8');
  const verified = verifyReceipt(text, await policy.text());
  assert.equal(verified.entry.activityId, activityId);
  assert.equal(verified.activity?.votes.length, 1);
  assert.equal(await receipt.getByRole('alert').count(), 0);
});

test('the page states that a receipt has only the digest of its record', async () => {
  const page = await dashboard.shared('Root user', path);
  const pass = await alterAnswers<{ receipt: { record?: string } }>(
    page,
    'query/get_receipt',
    ({ receipt: { record: _, ...receipt } }) => ({ receipt }),
  );
  const receipt = page.getByRole('region', { name: 'Receipt' });
  await receipt.getByRole('button', { name: 'Download receipt' }).click();
  await receipt.getByText('This receipt has only the digest of the record').waitFor();
  await pass();
});

type ReportedActivity = {
  readonly activity?: {
    readonly appProofs: Record<string, string>[];
    readonly result: Record<string, Record<string, unknown>>;
  };
  readonly bootProof?: { softwareStatement: Record<string, string> };
};

const changed = (hex = ''): string => `${hex.slice(0, -1)}${hex.endsWith('1') ? '2' : '1'}`;

const alterations: readonly {
  readonly what: string;
  readonly query: string;
  readonly alter: (answer: ReportedActivity) => void;
  readonly reason: RegExp;
}[] = [
  {
    what: 'a signature',
    query: 'get_activity',
    alter: ({ activity }) => {
      for (const proof of activity?.appProofs ?? [])
        proof['signature'] = changed(proof['signature']);
    },
    reason: /its signature is not that of its key/,
  },
  {
    what: 'a payload',
    query: 'get_activity',
    alter: ({ activity }) => {
      for (const proof of activity?.appProofs ?? []) {
        proof['proofPayload'] = `${proof['proofPayload']} `;
      }
    },
    reason: /its signature is not that of its key/,
  },
  {
    what: 'the result',
    query: 'get_activity',
    alter: ({ activity }) => {
      for (const result of Object.values(activity?.result ?? {})) {
        result['addresses'] = ['0x63C0c19a282a1B52b07dD5a65b58948A07DAE32B'];
      }
    },
    reason: /it is of another activity or result/,
  },
  {
    what: 'the statement about its key',
    query: 'get_boot_proof',
    alter: ({ bootProof }) => {
      assert(bootProof !== undefined);
      const { softwareStatement } = bootProof;
      softwareStatement['statement'] = `${softwareStatement['statement']} `;
    },
    reason: /its statement is not signed by the pinned attestation key/,
  },
];

for (const { what, query, alter, reason } of alterations) {
  test(`the page warns of a proof if the gateway altered ${what}`, async () => {
    const pass = await alterAnswers(hostile, `query/${query}`, alter);
    // Answers are cached until the page loads again.
    await hostile.goto(`${dashboard.origin()}/dashboard/${path}`);
    const proofs = hostile.getByRole('region', { name: 'Proofs' });
    const alert = proofs.getByRole('alert').filter({ hasText: /^Do not rely on this: / });
    await alert.filter({ hasText: reason }).waitFor();
    assert.equal(await proofs.getByText(/^Verified/).count(), 0);
    await pass();
  });
}
