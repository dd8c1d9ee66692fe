// The namespace `tempo` of the policy language.

import { hex } from '../../base/bytes.ts';
import type { SigningAccount } from '../../chains/chain.ts';
import type { TempoCall, TempoTransaction } from '../../chains/tempo/transaction.ts';
import { caselessText, type FactStruct } from '../../policy/language/values.ts';

/** Returns the namespace `tempo`. Addresses and call data are compared without regard to letter case. */
export function tempoFacts(transaction: TempoTransaction, account: SigningAccount): FactStruct {
  return {
    tempo: {
      tx: {
        chain_id: transaction.chainId,
        nonce: transaction.nonce,
        gas_limit: transaction.gas,
        max_fee_per_gas: transaction.maxFeePerGas,
        max_priority_fee_per_gas: transaction.maxPriorityFeePerGas,
        valid_before: transaction.validBefore,
        valid_after: transaction.validAfter,
        from: caselessText(account.address),
        fee_token: caselessText(addressDigits(transaction.feeToken)),
        calls: transaction.calls.map(callFacts),
      },
    },
  };
}

function callFacts({ to, input }: TempoCall): FactStruct {
  const digits = hex(input);
  return {
    to: caselessText(addressDigits(to)),
    input: caselessText(`0x${digits}`),
    function_signature:
      input.length < selectorBytes ? '' : `0x${digits.slice(0, 2 * selectorBytes)}`,
  };
}

const selectorBytes = 4;

/** Returns an address in hex; empty for a contract creation, or without a fee token. */
function addressDigits(address: Uint8Array): string {
  return address.length === 0 ? '' : `0x${hex(address)}`;
}
