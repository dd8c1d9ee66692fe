// The types of standard typed data (EIP-712) in the form that contracts hash. Data with the names of a
// standard and other types means something else to the contract that accepts it.

import type { Warning } from '../../organization/records/transaction_explanation.ts';
import type { TypedData } from '../../payload/eip712.ts';
import { encodeType } from '../../payload/eip712_types.ts';
import { shownText } from '../text/shown_text.ts';

const details =
  'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)' as const;
const permissions = 'TokenPermissions(address token,uint256 amount)' as const;
const authorization =
  'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce' as const;
const safe = (baseGas: string): string =>
  `SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 ${baseGas},uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)`;

const standardTypes: ReadonlySet<string> = new Set([
  'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
  'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)',
  'Permit(address spender,uint256 tokenId,uint256 nonce,uint256 deadline)',
  `TransferWithAuthorization(${authorization})`,
  `ReceiveWithAuthorization(${authorization})`,
  `PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${details}`,
  `PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)${details}`,
  `PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)${permissions}`,
  `PermitBatchTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline)${permissions}`,
  // Safes before version 1.0 call it `dataGas`.
  safe('baseGas'),
  safe('dataGas'),
  'PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)',
]);

/** A permit of Permit2 with terms of the spender, the `witness`. */
const witnessed =
  /^Permit(?:Batch)?WitnessTransferFrom\(TokenPermissions(?:\[\])? permitted,address spender,uint256 nonce,uint256 deadline,[^ ]+ ([^ ,]+)\)/;

/** Returns warnings for parts of typed data that the explanation of its standard does not cover. */
export function typeWarnings(data: TypedData, contract: string): readonly Warning[] {
  const encoded = encodeType(data.primaryType, data.types);
  if (standardTypes.has(encoded)) return [];
  const [, terms] = encoded.includes(permissions) ? (witnessed.exec(encoded) ?? []) : [];
  const text =
    terms === undefined
      ? `The type of the data differs from its standard, so ${contract} may give it another meaning.`
      : `The signature also agrees to the terms in ${shownText(terms)}, which are not explained here.`;
  return [{ code: 'UNKNOWN_PAYLOAD', text }];
}
