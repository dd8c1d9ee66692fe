import { deleteAddressLabel } from '../../core/address_book/address_labels.ts';
import { answerText, object, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const delete_address_label = activity({
  wire: wireOf('ACTIVITY_TYPE_DELETE_ADDRESS_LABEL'),
  summary: 'Deletes a label with its addresses. Rejected while a policy reads the label.',
  subject: { resource: 'ADDRESS_LABEL', action: 'DELETE' },
  authority: 'address_label',
  parameters: object({ addressLabelId: uuid() }),
  result: object({ addressLabelId: answerText() }),

  apply: ({ organization, parameters: { addressLabelId } }) => ({
    addressLabelId: deleteAddressLabel(addressLabelId, organization).id,
  }),
});
