// The namespace `tron` of the policy language, with the member names of the protocol.

import { hex } from '../../base/bytes.ts';
import type { TronAddress } from '../../chains/tron/messages.ts';
import type { TronTransaction } from '../../chains/tron/transaction.ts';
import type { FactStruct, FactValue } from '../../policy/language/values.ts';

/** Returns the namespace `tron`. Members of other contracts are absent; addresses are in base58. */
export function tronFacts({ raw }: TronTransaction): FactStruct {
  const { contract, ...members } = raw;
  const { type, permissionId } = contract;
  return {
    tron: {
      tx: {
        ...factsOf(members),
        contract: [{ ...factsOf(contract.members), type, permission_id: permissionId }],
      },
    },
  };
}

type Member = Uint8Array | TronAddress | bigint | boolean | string | MemberStruct;
type MemberStruct = { readonly [name: string]: Member | readonly MemberStruct[] | undefined };

function factsOf(members: MemberStruct): FactStruct {
  const facts: { [name: string]: FactValue | undefined } = {};
  for (const name of Object.keys(members)) {
    const member = members[name];
    if (member !== undefined) facts[name] = factOf(member);
  }
  return facts;
}

function factOf(member: Member | readonly MemberStruct[]): FactValue {
  if (typeof member !== 'object') return member;
  if (member instanceof Uint8Array) return hex(member);
  if (isList(member)) return member.map(factsOf);
  return isAddress(member) ? member.base58 : factsOf(member);
}

function isList(member: object): member is readonly MemberStruct[] {
  return Array.isArray(member);
}

function isAddress(member: object): member is TronAddress {
  return 'base58' in member;
}
