import { command } from '../../command_line/command.ts';

export default command({
  summary: 'Seals the organization: no enclave uses its wallets until a holder unseals it.',
  reach: 'submits',
  examples: { 'org seal': 'Stops signatures and exports at once, on every node.' },
  run: async ({ output, service }) => {
    const { client, submit } = await service();
    const result = await submit('seal_organization', {});
    const id = client.organizationId;
    if (result !== undefined) {
      const { sealCount } = result;
      output.thing({ Organization: 'sealed', Seals: sealCount }, { document: result, ids: [id] });
    }
  },
});
