// A transfer on a development chain: creates a wallet, funds it from an account of the chain, sends coins,
// and waits until the transfer is in a block. Run it beside anvil and a service that knows the chain:
//
//   npx @foundry-rs/anvil --block-time 1
//   KEYWRIGHT_CHAINS='{"eip155:31337":{"rpcUrl":"http://127.0.0.1:8545","confirmations":1,
//     "coin":{"symbol":"ETH","name":"Ether","decimals":18,"slip44":60}}}' npm start
//   node examples/send_ethereum.ts

import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { createPublicClient, createWalletClient, formatEther, http, parseEther } from 'viem';
import { foundry } from 'viem/chains';
import { apiKey, connect } from '../src/client/index.ts';

const dataDirectory = process.env['KEYWRIGHT_DATA_DIR'] ?? 'data';
const root = JSON.parse(readFileSync(`${dataDirectory}/root-credentials.json`, 'utf8'));
const { baseUrl: url, organizationId } = root;
const kw = connect({ url, organizationId, stamp: await apiKey(root) });
const chain = { chain: foundry, transport: http(process.env['CHAIN_URL']) };
const reader = createPublicClient(chain);
const faucet = createWalletClient(chain);

const { addresses } = await kw.submit('create_wallet', {
  walletName: `Transfers ${new Date().toISOString()}`,
  accounts: [kw.account('ethereum')],
});
const from = addresses[0] as `0x${string}`;
const [account, to] = await faucet.getAddresses();
if (account === undefined || to === undefined) throw new Error('the chain has no accounts');
const funded = await faucet.sendTransaction({ account, to: from, value: parseEther('1') });
await reader.waitForTransactionReceipt({ hash: funded });
process.stdout.write(`address    ${from}\n`);

// The service fills in nonce, gas and fees, signs, and sends the transaction until it is in a final block.
const caip2 = `eip155:${foundry.id}`;
const { sendTransactionStatusId } = await kw.submit('eth_send_transaction', {
  from,
  caip2,
  calls: [{ to, value: String(parseEther('0.25')) }],
});
const end = Date.now() + 60_000;
let sent = await kw.query('get_send_transaction_status', { sendTransactionStatusId });
while (['INITIALIZED', 'BROADCASTING'].includes(sent.txStatus) && Date.now() < end) {
  await wait(200);
  sent = await kw.query('get_send_transaction_status', { sendTransactionStatusId });
}
const balance = formatEther(await reader.getBalance({ address: from }));
process.stdout.write(`status     ${sent.txStatus}\n`);
process.stdout.write(`hash       ${sent.eth?.txHash}\n`);
process.stdout.write(`balance    ${balance}\n`);
process.exitCode = sent.txStatus === 'INCLUDED' && sent.error === undefined ? 0 : 1;
