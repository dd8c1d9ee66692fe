import { command } from '../../../command_line/command.ts';
import { confirm } from '../../../output/confirm.ts';
import { featureNamed } from '../../../words/features.ts';

export default command({
  summary: 'Switches a feature off.',
  reach: 'destroys',
  arguments: [{ name: 'feature', summary: 'Name of the feature, such as otp-email-auth.' }],
  examples: {
    'org feature remove otp-email-auth': 'Asks for the name, then switches it off.',
  },
  run: async ({ arguments: { feature }, output, terminal, common, service }) => {
    const { submit } = await service();
    const name = await featureNamed(feature);
    const warning = `What rests on the feature ${name} stops at once.`;
    await confirm(terminal, common, { warning, type: name });
    const result = await submit('remove_organization_feature', { name });
    if (result !== undefined) output.thing({ Removed: name }, { document: result, ids: [name] });
  },
});
