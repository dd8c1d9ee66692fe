// A first signature: creates a wallet, signs `hello` with it, and verifies the signature with viem, which the
// service does not use. Run it against a running service: `npm run example`.

import { readFileSync } from 'node:fs';
import { hashMessage, recoverMessageAddress, serializeSignature } from 'viem';
import { apiKey, connect } from '../src/client/index.ts';

const dataDirectory = process.env['KEYWRIGHT_DATA_DIR'] ?? 'data';
const root = JSON.parse(readFileSync(`${dataDirectory}/root-credentials.json`, 'utf8'));

const kw = connect({
  url: root.baseUrl,
  organizationId: root.organizationId,
  stamp: await apiKey(root),
});
const walletName = `First wallet ${new Date().toISOString()}`;
const { walletId, addresses } = await kw.submit('create_wallet', {
  walletName,
  accounts: [kw.account('ethereum')],
});
const [signWith = ''] = addresses;
// Ethereum wallets sign the hash of a message behind a prefix (EIP-191), which is computed here.
const { r, s, v } = await kw.submit('sign_raw_payload', {
  signWith,
  payload: hashMessage('hello'),
  encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
  hashFunction: 'HASH_FUNCTION_NO_OP',
});

const signature = serializeSignature({ r: `0x${r}`, s: `0x${s}`, yParity: Number(v) });
const signedBy = await recoverMessageAddress({ message: 'hello', signature });
process.stdout.write(`wallet     ${walletId}\n`);
process.stdout.write(`address    ${signWith}\n`);
process.stdout.write(`signature  ${signature}\n`);
process.stdout.write(`verified   ${signedBy === signWith}\n`);
process.exitCode = signedBy === signWith ? 0 : 1;
