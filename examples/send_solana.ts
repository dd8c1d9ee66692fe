// A transfer of SOL on a development chain: creates a wallet, funds it by the faucet of the node, sends
// coins, and waits until the transfer is in a block. Run it beside a validator and a service that knows the
// chain, whose name is the first 32 characters of `solana genesis-hash`:
//
//   solana-test-validator
//   KEYWRIGHT_CHAINS='{"solana:…":{"rpcUrl":"http://127.0.0.1:8899","confirmations":1}}' npm start
//   node examples/send_solana.ts

import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { Connection, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { apiKey, connect } from '../src/client/index.ts';

const dataDirectory = process.env['KEYWRIGHT_DATA_DIR'] ?? 'data';
const root = JSON.parse(readFileSync(`${dataDirectory}/root-credentials.json`, 'utf8'));
const { baseUrl: url, organizationId } = root;
const kw = connect({ url, organizationId, stamp: await apiKey(root) });
const node = new Connection(process.env['CHAIN_URL'] ?? 'http://127.0.0.1:8899', 'confirmed');
const caip2 = `solana:${(await node.getGenesisHash()).slice(0, 32)}`;

const { addresses } = await kw.submit('create_wallet', {
  walletName: `Transfers ${new Date().toISOString()}`,
  accounts: [kw.account('solana')],
});
const signWith = addresses[0] ?? '';
const from = new PublicKey(signWith);
await node.requestAirdrop(from, 1_000_000_000);
const end = Date.now() + 60_000;
while ((await node.getBalance(from)) === 0 && Date.now() < end) await wait(200);
process.stdout.write(`address    ${signWith}\n`);

// The service replaces the placeholder of the signature, and sends the transaction until it is in a block.
const { blockhash } = await node.getLatestBlockhash();
const toPubkey = Keypair.generate().publicKey;
const transaction = new Transaction({ feePayer: from, recentBlockhash: blockhash }).add(
  SystemProgram.transfer({ fromPubkey: from, toPubkey, lamports: 250_000_000 }),
);
const { sendTransactionStatusId } = await kw.submit('sol_send_transaction', {
  unsignedTransaction: transaction.serialize({ requireAllSignatures: false }).toString('hex'),
  signWiths: [signWith],
  caip2,
});
let sent = await kw.query('get_send_transaction_status', { sendTransactionStatusId });
while (['INITIALIZED', 'BROADCASTING'].includes(sent.txStatus) && Date.now() < end) {
  await wait(200);
  sent = await kw.query('get_send_transaction_status', { sendTransactionStatusId });
}
process.stdout.write(`status     ${sent.txStatus}\n`);
process.stdout.write(`signature  ${sent.solana?.signature}\n`);
process.stdout.write(`received   ${await node.getBalance(toPubkey)}\n`);
process.exitCode = sent.txStatus === 'INCLUDED' && sent.error === undefined ? 0 : 1;
