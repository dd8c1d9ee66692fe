import { idOf } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: ({ oauth2CredentialId }) => ({ oauth2CredentialId }) }],
  generate: (world) => ({ oauth2CredentialId: idOf(world, 'oauth2_credential') }),
});
