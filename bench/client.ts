// Stamped requests as bytes, created before they are sent.

import {
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto';
import { base64url, bytesOfHex, hex, utf8 } from '../src/core/base/bytes.ts';
import { writeEthereum } from '../src/core/chains/ethereum/write.ts';
import { httpRequest } from './load.ts';
import type { Credentials } from './service.ts';

/** A key that stamps requests of an organization. */
export type Signer = {
  readonly organizationId: string;
  readonly publicKeyHex: string;
  readonly key: KeyObject;
};

export type Stamper = {
  submit(operation: string, type: string, parameters: object): Buffer;
  query(operation: string, body: object): Buffer;
};

export const ethereumAccount = {
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: "m/44'/60'/0'/0/0",
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
} as const;

export function signerOf({ organizationId, apiPublicKey, apiPrivateKey }: Credentials): Signer {
  const raw = bytesOfHex(apiPrivateKey);
  if (raw === undefined) throw new Error(`not a private key for ${apiPublicKey}`);
  // The SEC 1 private key of P-256 in DER, without the optional public key.
  const prefix = Buffer.from('30310201010420', 'hex');
  const curve = Buffer.from('a00a06082a8648ce3d030107', 'hex');
  const der = Buffer.concat([prefix, raw, curve]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'sec1' });
  return { organizationId, publicKeyHex: apiPublicKey, key };
}

/** Returns a signer with a new key. */
export function newSigner(organizationId: string): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const yBytes = Uint8Array.fromBase64(y, { alphabet: 'base64url' });
  const prefix = (yBytes.at(-1) ?? 0) % 2 === 0 ? '02' : '03';
  const publicKeyHex = prefix + hex(Uint8Array.fromBase64(x, { alphabet: 'base64url' }));
  return { organizationId, publicKeyHex, key: privateKey };
}

/**
 * Creates a stamper. The time of each request is a millisecond before the last, so that no two are equal.
 */
export function stamper({ organizationId, publicKeyHex, key }: Signer): Stamper {
  let timestampMs = Date.now();
  const stamped = (path: string, value: object): Buffer => {
    const body = utf8(JSON.stringify(value));
    const stamp = {
      publicKey: publicKeyHex,
      scheme: 'SIGNATURE_SCHEME_TK_API_P256',
      signature: sign('sha256', body, key).toString('hex'),
    };
    return httpRequest(path, [`X-Stamp: ${base64url(utf8(JSON.stringify(stamp)))}`], body);
  };
  return {
    submit: (operation, type, parameters) => {
      timestampMs -= 1;
      return stamped(`/public/v1/submit/${operation}`, {
        type,
        timestampMs: String(timestampMs),
        organizationId,
        parameters,
      });
    },
    query: (operation, body) =>
      stamped(`/public/v1/query/${operation}`, { organizationId, ...body }),
  };
}

/** Returns a function that returns requests, each of which signs another payload with this address. */
export function signRequests(signer: Signer, signWith: string): () => Buffer {
  const stamp = stamper(signer);
  const payload = serialPayloads();
  return () =>
    stamp.submit('sign_raw_payload', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
      signWith,
      payload: payload(),
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_KECCAK256',
    });
}

/**
 * Returns a function that returns requests, each of which signs this number of payloads with this address.
 */
export function batchRequests(signer: Signer, signWith: string, size: number): () => Buffer {
  const stamp = stamper(signer);
  const payload = serialPayloads();
  return () =>
    stamp.submit('sign_raw_payloads', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', {
      signWith,
      payloads: Array.from({ length: size }, payload),
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_KECCAK256',
    });
}

/**
 * Returns a function that returns requests, each of which signs a transfer of type 2 (EIP-1559) with its
 * own nonce.
 */
export function transferRequests(signer: Signer, signWith: string): () => Buffer {
  const stamp = stamper(signer);
  let nonce = 0n;
  return () => {
    nonce += 1n;
    const unsigned = writeEthereum({
      type: 'TYPE_2',
      chainId: 1n,
      nonce,
      maxPriorityFeePerGas: 1_000_000_000n,
      maxFeePerGas: 30_000_000_000n,
      gas: 21_000n,
      to: new Uint8Array(20).fill(7),
      value: 1_000_000_000_000_000n,
      data: new Uint8Array(),
      accessList: [],
      blobVersionedHashes: [],
      authorizationList: [],
    });
    return stamp.submit('sign_transaction', 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
      signWith,
      type: 'TRANSACTION_TYPE_ETHEREUM',
      unsignedTransaction: hex(unsigned),
    });
  };
}

/** Returns a function that returns 32 bytes in hex, different at each call. */
export function serialPayloads(): () => string {
  let last = 0;
  return () => {
    last += 1;
    return last.toString(16).padStart(64, '0');
  };
}

/** Creates a wallet with one account; returns its address. */
export async function createWallet(port: number, signer: Signer): Promise<string> {
  return (await createWalletWithId(port, signer)).address;
}

/** Creates a wallet with one account; returns the wallet id and the address. */
export async function createWalletWithId(
  port: number,
  signer: Signer,
): Promise<{ readonly walletId: string; readonly address: string }> {
  const request = stamper(signer).submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: `bench ${randomUUID()}`,
    accounts: [ethereumAccount],
  });
  const text = request.toString('latin1');
  const [, path = ''] = /^POST (\S+)/.exec(text) ?? [];
  const [, header = ''] = /X-Stamp: (\S+)/.exec(text) ?? [];
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'X-Stamp': header },
    body: text.slice(text.indexOf('\r\n\r\n') + 4),
  });
  const { activity } = (await answer.json()) as {
    activity: { result: { createWalletResult: { walletId: string; addresses: string[] } } };
  };
  const { walletId, addresses } = activity.result.createWalletResult;
  const [address] = addresses;
  if (address === undefined) throw new Error('no address');
  return { walletId, address };
}
