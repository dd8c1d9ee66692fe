// Voters in the form of the policy language.

import type { FactStruct, Scope } from '../language/values.ts';

/** A user whose vote counts or might, with the credentials of those votes. */
export type Voter = {
  readonly userId: string;
  readonly user: FactStruct;
  readonly credentials: readonly FactStruct[];
};

/** Returns the scope that a consensus reads. */
export function consensusScope(voters: readonly Voter[]): Scope {
  return {
    approvers: voters.map((voter) => voter.user),
    credentials: voters.flatMap((voter) => voter.credentials),
  };
}
