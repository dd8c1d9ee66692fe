import { command } from '../../../command_line/command.ts';
import { featureNamed } from '../../../words/features.ts';

export default command({
  summary: 'Switches a feature on, or changes its value.',
  reach: 'submits',
  arguments: [
    { name: 'feature', summary: 'Name of the feature, such as otp-email-auth.' },
    { name: 'value', summary: 'Value, for features that take one.', count: 'optional' },
  ],
  examples: {
    'org feature set otp-email-auth': 'Lets users log in by a code in an e-mail.',
  },
  run: async ({ arguments: { feature, value = '' }, output, service }) => {
    const { submit } = await service();
    const name = await featureNamed(feature);
    const result = await submit('set_organization_feature', { name, value });
    if (result !== undefined)
      output.thing({ Feature: name, Value: value }, { document: result, ids: [name] });
  },
});
