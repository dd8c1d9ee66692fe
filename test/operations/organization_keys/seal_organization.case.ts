import { activityCase } from '../case.ts';

export default activityCase({
  types: 'SEAL_ORGANIZATION',
  subject: 'ORGANIZATION_KEY SEAL',
  rule: 'policies',
  calls: [{ by: 'unrelated', parameters: () => ({}) }],
  generate: { weight: 1, parameters: () => ({}) },
});
