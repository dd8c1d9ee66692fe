import { activityCase } from '../case.ts';
import { describedLabel, solana } from './address_label_requests.ts';

export default activityCase({
  types: 'CREATE_ADDRESS_LABEL',
  subject: 'ADDRESS_LABEL CREATE',
  rule: 'policies',
  calls: [{ parameters: () => describedLabel({ label: 'other' }) }],
  generate: {
    weight: 0.8,
    parameters: ({ choice }) =>
      describedLabel({ label: `label_${choice.below(8)}`, addresses: [{ address: solana }] }),
  },
  effect: ({ intent, result: { addressLabelId: id }, after }) => ({
    created: { address_label: [id] },
    facts: {
      'it has its label': after.rows.address_label.get(id)?.label === intent.label,
      'it has its address': after.rows.address_label.get(id)?.addresses[0]?.address === solana,
    },
  }),
});
