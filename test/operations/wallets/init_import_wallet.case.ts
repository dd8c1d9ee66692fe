import { newTarget } from '../../simulation/effect_parts.ts';
import { importer } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'INIT_IMPORT_WALLET',
  subject: 'WALLET IMPORT',
  rule: 'policies',
  calls: [{ parameters: ({ rootUserId: userId }) => ({ userId }) }],
  generate: { weight: 2.5, parameters: importer },
  effect: ({ intent, before, after }) => newTarget(intent, 'wallet', before, after),
});
