import { activityCase } from '../case.ts';

export default activityCase({
  types: 'IMPORT_SECRETS',
  subject: 'SECRET IMPORT',
  // No row is published for secrets; policies name their types.
  rule: 'policies',
  calls: [{ parameters: ({ sealedSecret }) => ({ secrets: [JSON.parse(sealedSecret)] }) }],
});
