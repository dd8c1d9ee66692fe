import { command } from '../../command_line/command.ts';
import { confirm } from '../../output/confirm.ts';
import { findAddressLabel } from '../../service/find.ts';

export default command({
  summary: 'Deletes a label of the address book with its addresses; no policy may read it.',
  reach: 'destroys',
  arguments: [{ name: 'label', summary: 'Label or its id.' }],
  examples: { 'address delete exchanges': 'Asks for the label, then deletes it.' },
  run: async ({ arguments: { label: word }, output, terminal, common, service }) => {
    const { client, submit } = await service();
    const { addressLabelId, label, addresses } = await findAddressLabel(client, word);
    const warning = `${addresses.length} addresses lose the label ${label}.`;
    await confirm(terminal, common, { warning, type: label });
    const result = await submit('delete_address_label', { addressLabelId });
    if (result === undefined) return;
    output.thing(
      { Deleted: label, ID: addressLabelId },
      { document: result, ids: [addressLabelId] },
    );
  },
});
