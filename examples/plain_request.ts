// Requests without a client library: creates a wallet, signs `hello` with it, and verifies the signature with
// viem. It shows the parts of a stamp; examples/first_signature.ts does the same with the client library. Run
// it against a running service: `node examples/plain_request.ts`.

import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashMessage, recoverMessageAddress, serializeSignature } from 'viem';

const dataDirectory = process.env['KEYWRIGHT_DATA_DIR'] ?? 'data';
const root = JSON.parse(readFileSync(join(dataDirectory, 'root-credentials.json'), 'utf8'));

const { walletId, addresses } = await submit('create_wallet', 'createWalletResult', {
  type: 'ACTIVITY_TYPE_CREATE_WALLET',
  parameters: {
    walletName: `First wallet ${new Date().toISOString()}`,
    accounts: [
      {
        curve: 'CURVE_SECP256K1',
        pathFormat: 'PATH_FORMAT_BIP32',
        path: "m/44'/60'/0'/0/0",
        addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
      },
    ],
  },
});
const [address] = addresses;

// Ethereum wallets sign the hash of a message behind a prefix (EIP-191), which is computed here.
const { r, s, v } = await submit('sign_raw_payload', 'signRawPayloadResult', {
  type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
  parameters: {
    signWith: address,
    payload: hashMessage('hello'),
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: 'HASH_FUNCTION_NO_OP',
  },
});
const signature = serializeSignature({ r: `0x${r}`, s: `0x${s}`, yParity: Number(v) });
const signedBy = await recoverMessageAddress({ message: 'hello', signature });

process.stdout.write(`wallet     ${walletId}\n`);
process.stdout.write(`address    ${address}\n`);
process.stdout.write(`signature  ${signature}\n`);
process.stdout.write(`verified   ${signedBy === address}\n`);
process.exitCode = signedBy === address ? 0 : 1;

/** Sends an activity with a stamp of the root user's key, and returns its result. */
async function submit(operation: string, result: string, activity: object) {
  const { organizationId } = root;
  const body = JSON.stringify({ ...activity, organizationId, timestampMs: String(Date.now()) });
  const response = await fetch(`${root.baseUrl}/public/v1/submit/${operation}`, {
    method: 'POST',
    headers: { 'X-Stamp': stamp(body) },
    body,
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${operation}: ${answer.message}`);
  return answer.activity.result[result];
}

/** The X-Stamp header: the body's ECDSA signature on P-256 with SHA-256, in DER and hex. */
function stamp(body: string): string {
  const publicKey = root.apiPublicKey;
  const signature = sign('sha256', Buffer.from(body), p256Key(root.apiPrivateKey));
  const scheme = 'SIGNATURE_SCHEME_TK_API_P256';
  const stamp = { publicKey, scheme, signature: signature.toString('hex') };
  return Buffer.from(JSON.stringify(stamp)).toString('base64url');
}

/**
 * Converts a private key of 32 bytes in hex to Node's format: an EC private key (RFC 5915) within PKCS #8.
 */
function p256Key(privateKey: string) {
  const pkcs8 = `3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420${privateKey}`;
  return createPrivateKey({ key: Buffer.from(pkcs8, 'hex'), format: 'der', type: 'pkcs8' });
}
