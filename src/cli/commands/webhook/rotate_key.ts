import { command } from '../../command_line/command.ts';
import { confirm } from '../../output/confirm.ts';
import { flag } from '../../words/options.ts';

export default command({
  summary: 'Publishes a new signing key for webhooks, which signs from a day later on.',
  reach: 'destroys',
  options: {
    immediately: flag(
      'Signs with the next key at once; receivers with the old key reject deliveries.',
    ),
  },
  examples: { 'webhook rotate-key --yes': 'Rotates the key, see docs/webhooks.md.' },
  run: async ({ options: { immediately }, output, terminal, service }) => {
    const connected = await service();
    if (immediately) {
      await confirm(terminal, connected.common, {
        warning: 'Receivers refuse deliveries until they have fetched the new key.',
        type: 'immediately',
      });
    }
    const result = await connected.submit('rotate_webhook_key', { immediately });
    if (result === undefined) return;
    output.thing({ 'Signs from': String(result['signsFrom']) }, { document: result, ids: [] });
  },
});
