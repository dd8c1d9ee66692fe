// Judges the answers of an examiner by those of the service to another client, and by viem, which recovers
// the signers.

import assert from 'node:assert/strict';
import { parseTransaction, recoverAddress, recoverTransactionAddress } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { serverClient } from '../e2e/clients.ts';
import type { RunningService } from '../e2e/service.ts';
import type { Language } from './languages.ts';
import { type Answer, type Question, type Scheme, type Signature, schemes } from './question.ts';
import { transaction } from './world.ts';

/** Fails with the first fault of an answer. */
export async function judge(
  service: RunningService,
  question: Question,
  answer: Answer,
  { schemes: expected, opensExports }: Pick<Language, 'schemes' | 'opensExports'>,
): Promise<void> {
  const { userId } = service.credentials;
  for (const scheme of schemes.filter((name) => expected.includes(name))) {
    assert.equal(answer.users[scheme], userId, `whoami with ${scheme}`);
    assert.equal(await userOfStamp(question, answer, scheme), userId, `stamp with ${scheme}`);
  }
  assert.deepEqual(Object.keys(answer.stamps).toSorted(), expected.toSorted(), 'schemes');
  await judgeWallet(service, question, answer);
  if (opensExports) {
    const account = mnemonicToAccount(answer.mnemonic ?? assert.fail('no exported sentence'));
    assert.equal(account.address, answer.address, 'the exported sentence');
  }

  const { address, signature, signedTransaction, refusal, waiting, approved } = answer;
  assert.equal(await signerOf(question.digest, signature), address, 'signer of the digest');
  const signed = `0x02${signedTransaction.slice(2)}` as const;
  assert.equal(`0x${signedTransaction}`, signed, 'type of the transaction');
  const { r, s, v, yParity, ...fields } = parseTransaction(signed);
  assert.deepEqual({ ...fields }, transaction, 'the transaction');
  const sender = await recoverTransactionAddress({ serializedTransaction: signed });
  assert.equal(sender, address, 'signer of the transaction');

  assert.equal(refusal.status, 401, 'status of a refusal');
  assert.match(refusal.message, /could not find public key/, 'message of a refusal');

  const { activity } = await serverClient(service).getActivity({ activityId: waiting });
  assert.equal(activity.votes.length, 2, 'votes');
  assert.equal(approved.activityId, waiting, 'the activity that was voted on');
  assert.equal(approved.status, 'ACTIVITY_STATUS_COMPLETED', 'status after the vote');
  assert.equal(await signerOf(question.digest, approved.signature), address, 'signer by vote');
}

async function judgeWallet(
  service: RunningService,
  { walletName }: Question,
  { walletId, address }: Answer,
): Promise<void> {
  const client = serverClient(service);
  const { wallet } = await client.getWallet({ walletId });
  assert.equal(wallet.walletName, walletName, 'name of the wallet');
  const { accounts } = await client.getWalletAccounts({ walletId });
  assert.deepEqual(
    accounts.map((account) => account.address),
    [address],
    'accounts of the wallet',
  );
}

/** Sends the stamped body unchanged, and returns the id of the user whom the service identifies. */
async function userOfStamp(
  { baseUrl, body }: Question,
  { stamps }: Answer,
  scheme: Scheme,
): Promise<unknown> {
  const stamp = stamps[scheme] ?? assert.fail(`no stamp with ${scheme}`);
  const answer = await fetch(`${baseUrl}/public/v1/query/whoami`, {
    method: 'POST',
    headers: { [stamp.name]: stamp.value },
    body,
  });
  const { userId }: { userId?: unknown } = JSON.parse(await answer.text());
  return userId;
}

async function signerOf(digest: string, { r, s, v }: Signature): Promise<string> {
  return recoverAddress({
    hash: `0x${digest}`,
    signature: { r: `0x${r}`, s: `0x${s}`, yParity: Number(v) },
  });
}
