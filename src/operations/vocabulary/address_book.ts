import type { MemberTexts } from './member_text.ts';

const addresses = 'Addresses with optional names, each address once in a label.';
const address = 'Address on any chain; mixed case requires the checksum of EIP-55.';
const name = 'Name that people read in approvals.';

export const addressBookTexts: MemberTexts = {
  addressLabels: 'Labels of the address book, oldest first.',
  addressLabelId: 'UUID of the address label.',
  'create_address_label>label':
    'Name under which policies read the addresses, as in address_book.treasury; unique, and never changes.',
  'addressLabels.label': 'Name under which policies read the addresses.',
  'create_address_label>addresses addressLabels.addresses': ['Addresses', addresses],
  addAddresses: ['Addresses to add', addresses],
  removeAddresses: ['Addresses to remove', 'Addresses of the label, in any spelling.'],
  'addAddresses.address': ['Address', address],
  'addresses.name addAddresses.name': ['Name', name],
};
