// Rows of the shared transaction vectors, and a service that holds their keys and interfaces.

import assert from 'node:assert/strict';
import {
  type AddressFormatName,
  addressFormats,
  addressOf,
  isCurveOfFormat,
} from '../../../src/core/address/index.ts';
import type { CurveName, TransactionType } from '../../../src/core/base/enums.ts';
import { namesOf } from '../../../src/core/base/table.ts';
import { curves } from '../../../src/core/crypto/curves.ts';
import { bytes, readVectors } from '../../standards/vector_files.ts';
import type { TestService } from '../../support/harness.ts';

export type TransactionVector = {
  readonly name: string;
  readonly chain: string;
  readonly type: TransactionType;
  readonly curve: CurveName;
  readonly addressFormat: AddressFormatName;
  readonly privateKey: string;
  readonly signWith: string;
  readonly unsignedTransaction: string;
  readonly signedTransaction: string;
  /** Parameters of `create_smart_contract_interface`. */
  readonly interface?: object;
  readonly compare: 'exact' | 'psbt';
};

const files = ['ethereum', 'solana', 'solana-v1', 'bitcoin', 'tron', 'tempo'];

export const transactionVectors: readonly TransactionVector[] = files.flatMap((file) =>
  readVectors<TransactionVector[]>(`transactions/${file}.json`),
);

export const signTransactionType = 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2';

/** Requests a signature of the transaction of a vector. */
export function signVector(
  service: TestService,
  vector: Pick<TransactionVector, 'signWith' | 'type' | 'unsignedTransaction'>,
  options: Parameters<TestService['submit']>[3] = {},
) {
  const { signWith, type, unsignedTransaction } = vector;
  const parameters = { signWith, type, unsignedTransaction };
  return service.submit('sign_transaction', signTransactionType, parameters, options);
}

/**
 * Replaces the interface in the service by that of a vector, since two vectors may have different
 * interfaces of one contract.
 */
export async function useInterfaceOf(
  service: TestService,
  vector: Pick<TransactionVector, 'interface'>,
): Promise<void> {
  const { body } = await service.query('list_smart_contract_interfaces');
  for (const { smartContractInterfaceId } of body.smartContractInterfaces) {
    const type = 'ACTIVITY_TYPE_DELETE_SMART_CONTRACT_INTERFACE';
    await service.submit('delete_smart_contract_interface', type, { smartContractInterfaceId });
  }
  if (vector.interface === undefined) return;
  const type = 'ACTIVITY_TYPE_CREATE_SMART_CONTRACT_INTERFACE';
  const created = await service.submit('create_smart_contract_interface', type, {
    label: 'Contract of a vector',
    ...vector.interface,
  });
  assert.equal(created.status, 200, JSON.stringify(created.body));
}

/** Returns the curve and the address format of a key for one of its addresses. */
export function addressed(row: {
  readonly chain: string;
  readonly privateKey: string;
  readonly signWith: string;
}): Pick<TransactionVector, 'curve' | 'privateKey' | 'addressFormat'> {
  const { chain, privateKey, signWith } = row;
  const curve = chain === 'solana' ? 'CURVE_ED25519' : 'CURVE_SECP256K1';
  const publicKey = curves[curve].publicKeyOf(bytes(privateKey));
  const addressFormat = namesOf(addressFormats).find(
    (format) => isCurveOfFormat(format, curve) && addressOf(format, curve, publicKey) === signWith,
  );
  assert(addressFormat !== undefined, `${signWith} is an address of its key`);
  return { curve, privateKey, addressFormat };
}
