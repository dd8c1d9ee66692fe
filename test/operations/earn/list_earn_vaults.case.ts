import { testVault } from '../../support/outside.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: () => ({ caip19: testVault.caip19 }) }],
  generate: () => ({ caip19: testVault.caip19 }),
});
