import { idOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { claimsOf, describedCode } from './oauth_requests.ts';

export default activityCase({
  types: 'OAUTH2_AUTHENTICATE',
  subject: 'AUTH CREATE',
  rule: 'policies',
  calls: [{ parameters: ({ oauth2CredentialId: id }) => describedCode(id) }],
  generate: {
    weight: 1.5,
    parameters: (world) => describedCode(idOf(world, 'oauth2_credential')),
  },
  effect: ({ intent, result, before }) => {
    const { aud, nonce } = claimsOf(result.oidcToken);
    const credential = before.rows.oauth2_credential.get(intent.oauth2CredentialId);
    return {
      facts: {
        'the token is for the client': aud === credential?.clientId,
        'it has the nonce': nonce === intent.nonce,
      },
    };
  },
});
