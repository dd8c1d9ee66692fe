import {
  createAddressLabel,
  maximumLabelCharacters,
} from '../../core/address_book/address_labels.ts';
import { answerText, object, text } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { addressList } from './address_label_shape.ts';

export const create_address_label = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_ADDRESS_LABEL'),
  summary:
    'Creates a label of the address book, whose addresses policies read as `address_book.<label>`.',
  subject: { resource: 'ADDRESS_LABEL', action: 'CREATE' },
  authority: 'address_label',
  parameters: object({
    label: text({ minimum: 1, maximum: maximumLabelCharacters }),
    addresses: addressList(),
  }),
  result: object({ addressLabelId: answerText() }),

  apply: ({ organization, parameters, context }) => ({
    addressLabelId: createAddressLabel(parameters, organization, context).id,
  }),
});
