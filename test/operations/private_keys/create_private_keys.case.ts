import { privateKeyOf } from '../../hostile/tenants.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_PRIVATE_KEYS_V2 CREATE_PRIVATE_KEYS',
  subject: 'PRIVATE_KEY CREATE',
  rule: 'policies',
  calls: [
    {
      parameters: ({ privateKeyTagId }) => ({
        privateKeys: [privateKeyOf(label, [privateKeyTagId])],
      }),
    },
  ],
});
