// The methods of a remote signer, named as in Ethereum nodes, Web3Signer and clef.

import type { SubmitName } from '../../client/connect.ts';
import type { Submits } from '../../client/generated/operations.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/schema/json.ts';
import type { Signer } from '../accounts/signers.ts';
import { failureOf } from '../service/client_failures.ts';
import { RpcError, type RpcMethods } from '../service/json_rpc.ts';
import type { Service } from '../service/service.ts';
import { messageStandardOf } from '../signing/message_standards.ts';
import { filling, isOfNode, type NodeCall } from './node.ts';
import { readSigned } from './signed.ts';
import { bytesOf, address as readAddress, readTransaction, withoutNulls } from './transaction.ts';

/** Maximum calls in a batch, which run one after another. */
const maximumBatch = 64;

/** Version of clef's external API that these methods follow. */
const externalVersion = '6.1.0';

type Method = (params: readonly Json[]) => Promise<Json | object> | Json | object;

export type SignerParts = {
  readonly signers: readonly Signer[];
  readonly submit: Service['submit'];
  readonly node: NodeCall | undefined;
  readonly version: string;
};

/**
 * Returns the methods of a signer for Ethereum accounts. Each signature is an activity. If the service
 * refuses it, the call fails.
 */
export function signerMethods({ signers, submit, node, version }: SignerParts): RpcMethods {
  const signed = signedBy(submit);
  const byAddress = new Map(signers.map((signer) => [signer.address?.toLowerCase(), signer]));
  const addresses = signers.map(({ address = '' }) => address);

  const signerOf = (value: unknown): Signer => {
    const signer = byAddress.get(readAddress(value, 'address'));
    if (signer !== undefined) return signer;
    throw new RpcError('unauthorized', `${String(value)} is not an account of this signer`);
  };

  const signMessage = async (account: unknown, message: unknown): Promise<string> => {
    const { signWith, addressFormat } = signerOf(account);
    const standard = messageStandardOf(addressFormat);
    if (standard === undefined)
      throw new Error('the address format of the account has no message standard');
    const request = standard.request(bytesOf(message, 'message'));
    return standard.write(await signed('sign_raw_payload', { signWith, ...request }));
  };

  const signTypedData = async (account: unknown, data: unknown): Promise<string> => {
    const { r, s, v } = await signed('sign_raw_payload', {
      signWith: signerOf(account).signWith,
      payload: typeof data === 'string' ? data : JSON.stringify(data),
      encoding: 'PAYLOAD_ENCODING_EIP712',
      hashFunction: 'HASH_FUNCTION_NO_OP',
    });
    return `0x${r}${s}${(27 + Number(v)).toString(16)}`;
  };

  const signTransaction = async (given: JsonObject) => {
    const transaction = readTransaction(given);
    const { signWith, publicKey } = signerOf(transaction.from);
    const { signedTransaction } = await signed('sign_transaction', {
      signWith,
      unsignedTransaction: Buffer.from(transaction.unsigned).toString('hex'),
      type: 'TRANSACTION_TYPE_ETHEREUM',
    });
    return readSigned(signedTransaction, transaction, publicKey);
  };

  /** Sends transactions one after another, so that each gets the next nonce. */
  let lastSent: Promise<unknown> = Promise.resolve();
  const fill = node && filling(node);
  const sendTransaction = (given: JsonObject, call: NodeCall): Promise<Json> => {
    const sent = lastSent.then(async () => {
      const { raw } = await signTransaction((await fill?.(given)) ?? given);
      return call('eth_sendRawTransaction', [raw]);
    });
    lastSent = sent.catch(() => undefined);
    return sent;
  };

  const methods: Readonly<Record<string, Method>> = {
    web3_clientVersion: () => `keywright/${version}`,
    account_version: () => externalVersion,
    eth_accounts: () => addresses,
    account_list: () => addresses,
    eth_sign: ([account, message]) => signMessage(account, message),
    personal_sign: ([message, account]) => signMessage(account, message),
    account_signData: ([contentType, account, message]) => {
      if (contentType === 'text/plain') return signMessage(account, message);
      throw new RpcError('invalidParams', 'expected the content type text/plain');
    },
    eth_signTypedData: ([account, data]) => signTypedData(account, data),
    eth_signTypedData_v4: ([account, data]) => signTypedData(account, data),
    account_signTypedData: ([account, data]) => signTypedData(account, data),
    eth_signTransaction: async ([given]) => (await signTransaction(transactionIn(given))).raw,
    account_signTransaction: ([given]) => signTransaction(transactionIn(given)),
    ...(node && { eth_sendTransaction: ([given]) => sendTransaction(transactionIn(given), node) }),
  };
  return {
    maximumBatch,
    run: async (name, params = []) => {
      const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
      if (method === undefined && !isOfNode(name)) return undefined;
      if (!Array.isArray(params)) throw new RpcError('invalidParams', 'expected a list of params');
      return method === undefined ? node?.(name, params) : method(params);
    },
  };
}

function transactionIn(given: Json | undefined): JsonObject {
  if (isJsonObject(given)) return withoutNulls(given);
  throw new RpcError('invalidParams', 'expected a transaction');
}

/** Resolves with the result of an activity. Converts failures to errors of the call. */
type Signed = <N extends SubmitName>(
  name: N,
  parameters: Submits[N]['parameters'],
) => Promise<Submits[N]['result']>;

const signedBy =
  (submit: Service['submit']): Signed =>
  async (name, parameters) => {
    try {
      const result = await submit(name, parameters);
      if (result !== undefined) return result;
      throw new Error('the command refuses flags that send nothing');
    } catch (error) {
      const failure = failureOf(error);
      if (failure === undefined) throw error;
      throw new RpcError(
        failure.exit === 'invalid' ? 'invalidParams' : 'unauthorized',
        failure.message,
      );
    }
  };
