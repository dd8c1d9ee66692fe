import { activityCase } from '../case.ts';
import { encryptionSuite } from './secret_requests.ts';

export default activityCase({
  types: 'INIT_IMPORT_SECRETS',
  subject: 'SECRET IMPORT',
  // No row is published for secrets; policies name their types.
  rule: 'policies',
  calls: [{ parameters: () => ({ encryptionSuite, numSecrets: 2 }) }],
});
