import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: ({ oauth2CredentialId }) => ({ oauth2CredentialId }) }],
});
