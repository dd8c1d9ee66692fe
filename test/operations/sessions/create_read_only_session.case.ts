import { activityCase } from '../case.ts';
import { nothing } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_READ_ONLY_SESSION',
  subject: 'AUTH CREATE',
  rule: 'policies or oneself',
  findsChild: true,
  calls: nothing,
  generate: { weight: 0.5, parameters: () => ({}) },
  effect: () => ({}),
});
