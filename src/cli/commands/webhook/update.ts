import { command } from '../../command_line/command.ts';
import { findEndpoint } from '../../service/find.ts';
import { usage } from '../../words/failures.ts';
import { flag, option } from '../../words/options.ts';

export default command({
  summary: 'Renames, moves, pauses or resumes an endpoint.',
  reach: 'submits',
  arguments: [{ name: 'endpoint', summary: 'Name or id of the endpoint.' }],
  options: {
    name: option('NAME', 'Its new name.'),
    to: option('URL', 'Its new address.'),
    pause: flag('Collects no new events from now on.'),
    resume: flag('Collects events again.'),
  },
  examples: { 'webhook update shop --pause': 'Pauses it.' },
  run: async ({ arguments: { endpoint: word }, options, output, service }) => {
    const { name, to, pause, resume } = options;
    if (pause && resume) throw usage('--pause and --resume contradict each other');
    if (name === undefined && to === undefined && !pause && !resume) {
      throw usage('webhook update requires a change, such as --to or --pause');
    }
    const { client, submit } = await service();
    const { endpointId } = await findEndpoint(client, word);
    const result = await submit('update_webhook_endpoint', {
      endpointId,
      ...(name === undefined ? {} : { name }),
      ...(to === undefined ? {} : { url: to }),
      ...(pause || resume ? { isActive: resume } : {}),
    });
    if (result !== undefined)
      output.thing({ Changed: word, ID: endpointId }, { document: result, ids: [endpointId] });
  },
});
