// The namespace `eth.tx` of the policy language.

import { ethereumAccount } from '../../address/ethereum.ts';
import { concatBytes, equalBytes, hex } from '../../base/bytes.ts';
import type { SigningAccount } from '../../chains/chain.ts';
import type {
  EthereumTransaction,
  SignedAuthorization,
} from '../../chains/ethereum/transaction.ts';
import type { AbiValue } from '../../contracts/abi_arguments.ts';
import { recoverSecp256k1 } from '../../crypto/secp256k1.ts';
import { hashAuthorization } from '../../payload/eip7702.ts';
import { caselessText, type FactStruct, type FactValue } from '../../policy/language/values.ts';
import type { InterfaceTexts } from '../described.ts';
import { readCall } from './call.ts';

/**
 * Returns the facts of a transaction. The texts about the call are empty without a function in the stored
 * interface. They are absent if the data does not match the function: a contract may still execute the call,
 * so clauses that read them must fail.
 */
export function ethereumFacts(
  transaction: EthereumTransaction,
  account: SigningAccount,
  interfaces: InterfaceTexts,
): FactStruct {
  const { type, chainId, to, data, value, gas, nonce, maxFeePerBlobGas = 0n } = transaction;
  const { gasPrice, maxFeePerGas = gasPrice, maxPriorityFeePerGas = gasPrice } = transaction;
  const call = readCall(transaction, interfaces);
  const given = call?.arguments;
  const isReadable = call === undefined || given !== undefined;
  return {
    type,
    from: caselessText(account.address),
    to: addressFact(to),
    data: hexText(data),
    value,
    gas,
    nonce,
    chain_id: chainId,
    gas_price: maxFeePerGas,
    max_fee_per_gas: maxFeePerGas,
    max_priority_fee_per_gas: maxPriorityFeePerGas,
    max_fee_per_blob_gas: maxFeePerBlobGas,
    function_name: isReadable ? (call?.function.name ?? '') : undefined,
    function_signature: isReadable ? (call?.function.selector ?? '') : undefined,
    contract_call_args: given && new Map(given.map(({ name, value }) => [name, factOf(value)])),
    access_list: transaction.accessList.map(({ address, storageKeys }) => ({
      address: addressFact(address),
      storage_keys: storageKeys.map(hexText),
    })),
    blob_versioned_hashes: transaction.blobVersionedHashes.map(hexText),
    authorization_list: transaction.authorizationList.map((authorization) => ({
      chain_id: authorization.chainId,
      address: addressFact(authorization.address),
      nonce: authorization.nonce,
      authority: addressFact(authorityOf(authorization) ?? empty),
    })),
  };
}

/** Returns the 20 bytes of an authorization's signer; undefined if nodes ignore it (EIP-7702). */
export function authorityOf(authorization: SignedAuthorization): Uint8Array | undefined {
  const { authority, yParity, r, s } = authorization;
  if (authority !== undefined) return authority;
  if (yParity > 1n || s > highestS) return undefined;
  const signature = concatBytes(bytes32(r), bytes32(s));
  const digest = hashAuthorization(authorization);
  const publicKey = recoverSecp256k1(digest, signature, yParity === 0n ? 0 : 1);
  return publicKey && ethereumAccount(publicKey, 'CURVE_SECP256K1');
}

/**
 * Returns the number of the sender's (20 bytes) nonces that a transaction uses: one, and one for each valid
 * authorization of the sender.
 */
export function noncesOf(transaction: EthereumTransaction, sender: Uint8Array): number {
  const { chainId, nonce, authorizationList } = transaction;
  let count = 1;
  for (const each of authorizationList) {
    const isHere = each.chainId === 0n || each.chainId === chainId;
    const authority = authorityOf(each);
    const isOwn = authority !== undefined && equalBytes(authority, sender);
    if (isHere && isOwn && each.nonce === nonce + BigInt(count)) count += 1;
  }
  return count;
}

/** Half of the order of secp256k1 (EIP-2). */
const highestS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const empty = new Uint8Array();

const bytes32 = (value: bigint) => Uint8Array.fromHex(value.toString(16).padStart(64, '0'));
const hexText = (bytes: Uint8Array): string => `0x${hex(bytes)}`;

function addressFact(bytes: Uint8Array): FactValue {
  return caselessText(bytes.length === 0 ? '' : hexText(bytes));
}

function factOf(value: AbiValue): FactValue {
  switch (value.kind) {
    case 'address':
      return caselessText(value.hex);
    case 'bytes':
      return value.hex;
    case 'list':
      return value.items.map(factOf);
    default:
      return value.value;
  }
}
