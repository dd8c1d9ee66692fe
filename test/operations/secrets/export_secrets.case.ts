import { activityCase } from '../case.ts';
import { wantedSecret } from './secret_requests.ts';

export default activityCase({
  types: 'EXPORT_SECRETS',
  subject: 'SECRET EXPORT',
  // No row is published for secrets; policies name their types.
  rule: 'policies',
  calls: [{ parameters: ({ secretId }) => ({ secrets: [wantedSecret(secretId)] }) }],
});
