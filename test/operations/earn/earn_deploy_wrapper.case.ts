import { ethereumAddress } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { describedWrapper } from './earn_requests.ts';

export default activityCase({
  types: 'EARN_DEPLOY_WRAPPER',
  subject: 'CONFIG UPDATE',
  rule: 'policies',
  calls: [{ parameters: ({ address }) => describedWrapper(address) }],
  generate: { weight: 0.5, parameters: (world) => describedWrapper(ethereumAddress(world)) },
  effect: ({ after }) => ({
    head: true,
    facts: { 'the vault is open': after.head.closedVaults?.length === 0 },
  }),
});
