import { countedTypes } from '../../simulation/counted.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';
import { describedControl } from './velocity_control_requests.ts';

export default activityCase({
  types: 'CREATE_VELOCITY_CONTROL',
  subject: 'POLICY CREATE',
  rule: 'policies',
  calls: [{ parameters: () => describedControl({ name: label, identifier: 'other' }) }],
  generate: {
    weight: 0.8,
    parameters: ({ choice, serial }) =>
      describedControl({
        identifier: `limit_${choice.below(8)}`,
        name: `Limit ${serial}`,
        dataSource: {
          activityExecution: {
            filter: { activity: countedTypes.map((activityType) => ({ activityType })) },
          },
        },
      }),
  },
  effect: ({ intent, result: { velocityControlId: id }, after }) => ({
    created: { velocity_control: [id] },
    facts: {
      'it has its identifier':
        after.rows.velocity_control.get(id)?.identifier === intent.identifier,
    },
  }),
});
