import { command } from '../../command_line/command.ts';
import { findAddressLabel } from '../../service/find.ts';

export default command({
  summary: 'Removes an address from a label of the address book.',
  reach: 'submits',
  arguments: [
    { name: 'label', summary: 'Label or its id.' },
    { name: 'address', summary: 'Address of the label, in any spelling.' },
  ],
  examples: {
    'address remove exchanges 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed':
      'Removes the address. The label remains.',
  },
  run: async ({ arguments: { label: word, address }, output, service }) => {
    const { client, submit } = await service();
    const { addressLabelId, label } = await findAddressLabel(client, word);
    const removeAddresses = [address];
    const result = await submit('update_address_label', { addressLabelId, removeAddresses });
    if (result === undefined) return;
    output.thing({ Label: label, Removed: address }, { document: result, ids: [addressLabelId] });
  },
});
