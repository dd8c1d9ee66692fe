// Finds users who meet a consensus alone, by the language that the service decides with.

import { compileClause } from '../../../src/core/policy/language/clause.ts';
import type { Policy, User } from '../service/reads.ts';

/** True if a policy allows something as soon as this user approves it. */
export function sufficesAlone({ effect, consensus }: Policy, user: User): boolean {
  if (effect !== 'EFFECT_ALLOW') return false;
  if (consensus === '') return true;
  const { userId: id, userTags: tags, userEmail: email = '', userName: alias } = user;
  const approvers = [{ id, tags, email, alias }];
  try {
    const clause = compileClause('consensus', consensus);
    // Any one of the credentials may be what the user approves with.
    return credentialsOf(user).some((credential) => {
      const outcome = clause.evaluate({ approvers, credentials: [credential] });
      return 'value' in outcome && outcome.value;
    });
  } catch {
    // A policy that this page cannot read is shown as one that may suffice.
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
  // A user without a credential cannot approve; a new credential might.
  return all.length > 0 ? all : [{ id: '', user_id, type: '', credential_id: '', public_key: '' }];
}
