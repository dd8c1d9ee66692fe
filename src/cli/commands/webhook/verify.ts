import { command } from '../../command_line/command.ts';
import { option } from '../../words/options.ts';
import verify from '../verify/webhook.ts';

export default command({
  summary: 'Verifies a saved delivery; the same as verify webhook.',
  reach: 'reads',
  arguments: [
    {
      name: 'file',
      summary: 'The saved delivery. Default: the standard input.',
      count: 'optional',
    },
  ],
  options: {
    keys: option('FILE', 'Saved key set, in place of a request to the service.'),
  },
  examples: {
    'webhook verify delivery.json --keys jwks.json': 'Verifies it offline.',
  },
  run: (invocation) => verify.run(invocation),
});
