import { command } from '../command_line/command.ts';
import { readSource } from '../files/inputs.ts';

export default command({
  summary: 'Prints the header that stamps a body with the key of the profile; sends nothing.',
  reach: 'reads',
  arguments: [{ name: 'body', summary: 'File of the exact bytes, or - for the standard input.' }],
  examples: { 'stamp body.json': 'Prints X-Stamp and its value.' },
  run: async ({ arguments: { body }, output, terminal, service }) => {
    const bytes = await readSource(body, terminal);
    const { stamp } = await service();
    const { name, value } = await stamp.header(new Uint8Array(bytes));
    output.json
      ? output.thing({}, { document: { name, value }, ids: [] })
      : output.raw(`${name}: ${value}\n`);
  },
});
