// Finds policies whose consensus one user meets alone, with the evaluator of the service.

import { compileClause } from '../../../src/core/policy/language/clause.ts';
import type { Policy, User } from '../service/reads.ts';

/** Returns true if the approval of this user is enough for the consensus of an allowing policy. */
export function sufficesAlone({ effect, consensus }: Policy, user: User): boolean {
  if (effect !== 'EFFECT_ALLOW') return false;
  if (consensus === '') return true;
  const { userId: id, userTags: tags, userEmail: email = '', userName: alias } = user;
  const approvers = [{ id, tags, email, alias }];
  try {
    const clause = compileClause('consensus', consensus);
    // The user may approve with any of the credentials, so try each.
    return credentialsOf(user).some((credential) => {
      const outcome = clause.evaluate({ approvers, credentials: [credential] });
      return 'value' in outcome && outcome.value;
    });
  } catch {
    // Show a policy that this page cannot evaluate: a missing warning would be worse.
    return true;
  }
}

function credentialsOf({ userId: user_id, authenticators, apiKeys }: User) {
  const of = (
    id: string,
    credential_id: string,
    credential: User['apiKeys'][number]['credential'],
  ) => {
    const { type, publicKey: public_key } = credential;
    return { id, user_id, type, credential_id, public_key };
  };
  const all = [
    ...authenticators.map((each) => of(each.authenticatorId, each.credentialId, each.credential)),
    ...apiKeys.map((each) => of(each.apiKeyId, '', each.credential)),
  ];
  // A user without a credential may register one later, so evaluate with an empty credential.
  return all.length > 0 ? all : [{ id: '', user_id, type: '', credential_id: '', public_key: '' }];
}
