import { updateAddressLabel } from '../../core/address_book/address_labels.ts';
import { answerText, object, optional, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { addressList, removedAddressList } from './address_label_shape.ts';

export const update_address_label = activity({
  wire: wireOf('ACTIVITY_TYPE_UPDATE_ADDRESS_LABEL'),
  summary:
    'Adds and removes addresses of a label. Activities that wait do not read the changed label.',
  subject: { resource: 'ADDRESS_LABEL', action: 'UPDATE' },
  authority: 'address_label',
  parameters: object({
    addressLabelId: uuid(),
    addAddresses: optional(addressList()),
    removeAddresses: optional(removedAddressList()),
  }),
  result: object({ addressLabelId: answerText() }),

  apply: ({ organization, parameters, context: { now } }) => ({
    addressLabelId: updateAddressLabel(parameters, organization, now).id,
  }),
});
