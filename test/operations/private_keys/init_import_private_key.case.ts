import { newTarget } from '../../simulation/effect_parts.ts';
import { importer } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'INIT_IMPORT_PRIVATE_KEY',
  subject: 'PRIVATE_KEY IMPORT',
  rule: 'policies',
  calls: [{ parameters: ({ rootUserId: userId }) => ({ userId }) }],
  generate: { weight: 2.5, parameters: importer },
  effect: ({ intent, before, after }) => newTarget(intent, 'private_key', before, after),
});
