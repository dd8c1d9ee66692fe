// Uses each part of the client library against a service. Copied beside the package, and run by any
// JavaScript runtime. Prints the results.

// Deno, Bun and Node share this module for arguments.
import process, { argv } from 'node:process';
import { apiKey, connect, Refused, RequestFailed } from '@keywright/client';
import { newTarget, openExport, sealImport } from '@keywright/client/bundles';
import { verifyAppProof } from '@keywright/client/proofs';
import { verifyWebhook, webhookKeys } from '@keywright/client/webhooks';

const [, , url, credentialsText] = argv;
const credentials = JSON.parse(credentialsText);
const { organizationId, userId } = credentials;
const keywright = connect({ url, organizationId, stamp: await apiKey(credentials) });
const walletName = `runtime ${crypto.randomUUID()}`;
const accounts = [keywright.account('ethereum')];

const asked = await keywright.ask(
  'create_wallet',
  { walletName, accounts },
  { generateAppProofs: true },
);
const [proof] = asked.activity.appProofs;
const { type: proved } = await verifyAppProof(keywright, proof, asked.activity);
const { walletId, addresses } = asked.result;

const target = await newTarget();
const exported = await keywright.submit('export_wallet', {
  walletId,
  targetPublicKey: target.publicKey,
});
const words = await openExport(keywright, exported.exportBundle, target);
await keywright.submit('delete_wallets', { walletIds: [walletId] });
const { importBundle } = await keywright.submit('init_import_wallet', { userId });
const imported = await keywright.submit('import_wallet', {
  ...{ userId, walletName, accounts },
  encryptedBundle: await sealImport(keywright, importBundle, new TextDecoder().decode(words), {
    userId,
  }),
});

const pages = [];
for await (const { address } of keywright.pages('list_wallet_accounts', {
  walletId: imported.walletId,
})) {
  pages.push(address);
}

const refusal = await keywright.submit('create_wallet', { walletName: '', accounts }).then(
  () => 'done',
  (error) => (error instanceof RequestFailed ? error.code : String(error)),
);

const { endpointId } = await keywright.submit('create_webhook_endpoint', {
  name: walletName,
  subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
});
await keywright.submit('create_user_tag', { userTagName: walletName, userIds: [] });
const { deliveries } = await keywright.query('list_webhook_deliveries', {
  ...{ endpointId, afterSequence: '0', limit: '1' },
  ...{ withBodies: true, withHeaders: true },
});
const [{ headers, body }] = deliveries;
const sent = Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]));
const { event } = await verifyWebhook({ headers: sent, body }, webhookKeys(url));
await keywright.submit('delete_webhook_endpoint', { endpointId });

process.stdout.write(
  JSON.stringify({
    proved,
    sameAddresses: [addresses[0], imported.addresses[0], pages[0]],
    refusal,
    isRefused: typeof Refused,
    event: event.type,
  }),
);
