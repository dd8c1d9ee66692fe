// An approval: a policy lets the treasurer sign if a second user approves. The treasurer asks, the
// auditor reads what was signed and approves it, and the treasurer gets the signature. Run it beside a
// running service: `node examples/approval.ts`.

import { readFileSync } from 'node:fs';
import { apiKey, connect, NeedsVotes, newKey } from '../src/client/index.ts';

const dataDirectory = process.env['KEYWRIGHT_DATA_DIR'] ?? 'data';
const credentials = JSON.parse(readFileSync(`${dataDirectory}/root-credentials.json`, 'utf8'));
const { baseUrl: url, organizationId } = credentials;
const root = connect({ url, organizationId, stamp: await apiKey(credentials) });

// Two users with keys of their own, and a wallet.
const keys = { treasurer: await newKey(), auditor: await newKey() };
await root.submit('create_users', {
  users: Object.entries(keys).map(([userName, { publicKey }]) => ({
    userName,
    apiKeys: [{ apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' }],
    authenticators: [],
    oauthProviders: [],
    userTags: [],
  })),
});
const { walletId, addresses } = await root.submit('create_wallet', {
  walletName: `Treasury ${new Date().toISOString()}`,
  accounts: [root.account('ethereum')],
});
await root.submit('create_policy', {
  policyName: `Two sign for ${walletId}`,
  effect: 'EFFECT_ALLOW',
  condition: `activity.action == 'SIGN' && wallet.id == '${walletId}'`,
  consensus: 'approvers.count() >= 2',
  notes: '',
});

// The treasurer requests a signature. The client throws the waiting activity, because it has no result yet.
const treasurer = root.as(keys.treasurer);
const asked = treasurer.submit('sign_raw_payload', {
  signWith: addresses[0] ?? '',
  payload: 'Pay the rent',
  encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
  hashFunction: 'HASH_FUNCTION_KECCAK256',
});
const waiting = await asked.then(
  () => Promise.reject(new Error('it was signed without an approval')),
  (error: unknown) => (error instanceof NeedsVotes ? error : Promise.reject(error)),
);
process.stdout.write(`waits      ${waiting.activityId}\n`);
const signature = waiting.settled({ signal: AbortSignal.timeout(60_000) });

// The auditor reads the request that the treasurer signed, and approves exactly that request.
const auditor = root.as(keys.auditor);
const activity = await auditor.activity(waiting.activityId);
process.stdout.write(`payload    ${activity.intent['payload']}\n`);
const { outcome } = await auditor.approve(activity);
process.stdout.write(`approved   ${outcome}\n`);

// The treasurer's request waited for this approval.
const { r, s, v } = (await signature) as { r: string; s: string; v: string };
process.stdout.write(`signature  0x${r}${s}${v}\n`);
