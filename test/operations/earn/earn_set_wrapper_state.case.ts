import { testVault } from '../../support/outside.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'EARN_SET_WRAPPER_STATE',
  subject: 'CONFIG UPDATE',
  rule: 'policies',
  calls: [{ parameters: () => ({ wrapperAddress: testVault.address, depositsDisabled: true }) }],
  generate: {
    weight: 0.5,
    parameters: ({ choice }) => ({
      wrapperAddress: testVault.address,
      depositsDisabled: choice.pick([true, false]),
    }),
  },
  effect: ({ intent, after }) => ({
    head: true,
    facts: {
      'it is set': after.head.closedVaults?.includes(testVault.address) === intent.depositsDisabled,
    },
  }),
});
