import { command } from '../../command_line/command.ts';
import { addressLabelsOf } from '../../service/find.ts';
import { option } from '../../words/options.ts';

export default command({
  summary: 'Adds an address to the address book, and creates the label if it is new.',
  reach: 'submits',
  arguments: [
    { name: 'label', summary: 'Label that policies read, such as treasury.' },
    { name: 'address', summary: 'Address on any chain.' },
  ],
  options: {
    name: option('NAME', 'Name of the address that approvers read.'),
  },
  examples: {
    "address add exchanges 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed --name 'Kraken deposit'":
      'Labels an address; a policy then reads address_book.exchanges.',
  },
  run: async ({ arguments: { label, address }, options: { name }, output, service }) => {
    const { client, submit } = await service();
    const known = (await addressLabelsOf(client)).find((row) => row.label === label);
    const addresses = [{ address, ...(name === undefined ? {} : { name }) }];
    const result =
      known === undefined
        ? await submit('create_address_label', { label, addresses })
        : await submit('update_address_label', {
            addressLabelId: known.addressLabelId,
            addAddresses: addresses,
          });
    if (result === undefined) return;
    output.thing(
      { Label: label, Address: address, Name: name, Policies: `address_book.${label}` },
      { document: result, ids: [result.addressLabelId] },
    );
  },
});
