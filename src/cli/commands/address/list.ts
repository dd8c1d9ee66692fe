import { command } from '../../command_line/command.ts';

export default command({
  summary: 'Lists the address book: each address with its label and name.',
  reach: 'reads',
  examples: { 'address list': 'Prints labels, addresses and names.' },
  run: async ({ output, service }) => {
    const { client } = await service();
    const answer = await client.query('list_address_labels');
    output.list(
      answer.addressLabels.flatMap(({ label, addresses }) =>
        // A label without addresses gets a row too, because policies may refer to it.
        (addresses.length === 0 ? [{ address: '', name: '' }] : addresses).map(
          ({ address, name = '' }) => ({ Label: label, Address: address, Name: name }),
        ),
      ),
      {
        document: answer,
        ids: answer.addressLabels.map(({ addressLabelId }) => addressLabelId),
        empty: 'No addresses yet: keywright address add LABEL ADDRESS',
      },
    );
  },
});
