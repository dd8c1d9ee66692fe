import { ethereum, ethereumAccount } from '../../core/address/ethereum.ts';
import { signatureSchemeOf } from '../../core/address/index.ts';
import { bytesOfHex, hex } from '../../core/base/bytes.ts';
import { readSignedEthereum, type SignedEthereum } from '../../core/chains/ethereum/read_signed.ts';
import { ethereumLimits } from '../../core/chains/ethereum/transaction.ts';
import { UnreadableTransaction } from '../../core/chains/unreadable.ts';
import { keccak256 } from '../../core/crypto/hashes.ts';
import type { Facts } from '../../core/policy/decision/access.ts';
import { answerText, object, text } from '../../core/schema/schema.ts';
import { chainIdOf } from '../../core/sends/ethereum_send.ts';
import { leastGas, requireGas } from '../../core/sends/least_gas.ts';
import { requireNoMoreGas } from '../../core/sends/most_gas.ts';
import { requireApart, requireUnused, sendsWithNonce } from '../../core/sends/nonces.ts';
import { feesOf, requireReplacing } from '../../core/sends/replacement.ts';
import { startSend } from '../../core/sends/sends.ts';
import { noncesOf } from '../../core/transactions/ethereum/facts.ts';
import { failTransaction } from '../../core/transactions/kinds.ts';
import { caip2 } from '../balances/chain_of.ts';
import { activity, wireOf } from '../operation.ts';
import { keyIdsOf } from '../signing/signing_key.ts';
import {
  readWithInterfaces,
  type TransactionAccount,
  transactionPart,
} from '../signing/transactions.ts';
import { ethereumChain, firstUnused } from './ethereum_sender.ts';

const field = 'parameters.signedTransaction';

export const eth_send_raw_transaction = activity({
  wire: wireOf('ACTIVITY_TYPE_ETH_SEND_RAW_TRANSACTION'),
  summary: 'Sends a signed transaction to an Ethereum chain, until it is in a final block.',
  subject: { resource: 'TRANSACTION', action: 'CREATE' },
  authority: 'none',
  parameters: object({
    signedTransaction: text({ minimum: 1, maximum: 2 + 2 * ethereumLimits.bytes }),
    caip2: caip2(),
  }),
  result: object({ transactionHash: answerText(), sendTransactionStatusId: answerText() }),

  callsExternal: () => true,

  load: async ({ organization, parameters, read, services }) => {
    const chain = ethereumChain(parameters.caip2, services);
    const bytes = bytesOf(parameters.signedTransaction);
    const { transaction: given, publicKey } = signedTransaction(bytes, chainIdOf(chain.caip2));
    const account = accountOf(publicKey);
    const place = { caip2: chain.caip2, address: account.address.toLowerCase() };
    const unsignedTransaction = hex(given.bytes);
    const readable = { unsignedTransaction, account, organization, read, pause: services.pause };
    const described = await readWithInterfaces(readable);
    services.rejectEarlyIfImpossible(factsOf(described), { isWhole: true });
    const { used } = await services.external.fetchEthereumFields({
      caip2: place.caip2,
      from: place.address,
      to: place.address,
      value: 0n,
      data: '0x',
      estimatesGas: false,
    });
    const { nonce } = given;
    const nonces = noncesOf(given, ethereumAccount(publicKey, 'CURVE_SECP256K1'));
    const transactionHash = `0x${hex(keccak256(bytes))}`;
    const sends = await read.sends(sendsWithNonce(organization, place, nonce));
    const known = [...sends.values()].find((send) => send.transactionHash === transactionHash);
    if (known === undefined) {
      requireUnused(nonce, await firstUnused(used, place, read), field);
      requireApart(organization, place, { nonce, nonces }, field);
      requireGas(given.gas, leastGas(given), field);
      requireNoMoreGas(given.gas, chainIdOf(chain.caip2), field);
      requireReplacing(feesOf(given), [...sends.values()], field);
    }
    const keyIds = await keyIdsOf(account.address, organization, read);
    const send = { place, nonce, nonces, signed: hex(bytes), transactionHash, known, keyIds };
    return { ...send, ...described };
  },
  // A freeze of the key also stops transactions signed before the freeze.
  facts: ({ loaded }) => ({ ...factsOf(loaded), unreadKeyIds: loaded.keyIds }),
  explain: ({ loaded }) => loaded.explain(),
  apply: ({ activityId, organization, submitter, context, loaded }) => {
    const { place, nonce, nonces, signed, transactionHash, known, keyIds } = loaded;
    // The same transaction is already in progress.
    if (known !== undefined) return { transactionHash, sendTransactionStatusId: known.id };
    const { id } = startSend(
      organization,
      {
        activityId,
        ...place,
        nonce,
        nonces,
        signed,
        origin: { submitterId: submitter.id, keyIds },
      },
      context,
    );
    return { transactionHash, sendTransactionStatusId: id };
  },
});

/**
 * Returns the facts that policies read. Limits over time already counted a transaction that this service
 * signed.
 */
function factsOf(described: Parameters<typeof transactionPart>[0]): Facts {
  return { parts: [transactionPart(described)] };
}

function bytesOf(hexText: string): Uint8Array {
  const bytes = bytesOfHex(hexText.replace(/^0x/i, ''));
  if (bytes !== undefined && bytes.length > 0) return bytes;
  return failTransaction('encoding', 'expected an even number of hex digits', field);
}

/** Returns the signed transaction for a chain, and its signer. Raises `transaction_invalid`. */
function signedTransaction(bytes: Uint8Array, chainId: bigint): SignedEthereum {
  try {
    const signed = readSignedEthereum(bytes);
    const { chainId: named } = signed.transaction;
    if (named === chainId) return signed;
    return failTransaction('chainId', `expected ${chainId}, got ${named ?? 'none'}`, field);
  } catch (error) {
    if (!(error instanceof UnreadableTransaction)) throw error;
    return failTransaction(error.place, error.problem, field);
  }
}

/** Returns the account of the signer, which may be outside of the organization. */
function accountOf(publicKey: Uint8Array): TransactionAccount {
  const format = 'ADDRESS_FORMAT_ETHEREUM';
  const curve = 'CURVE_SECP256K1';
  const address = ethereum(publicKey, curve);
  const scheme = signatureSchemeOf(format, curve);
  return { type: 'TRANSACTION_TYPE_ETHEREUM', address, format, publicKey, scheme };
}
