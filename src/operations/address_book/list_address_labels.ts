import { addressLabelView } from '../../core/address_book/address_labels.ts';
import { answerList, object } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { addressLabelShape } from './address_label_shape.ts';

export const list_address_labels = query({
  summary: 'Lists the labels of the address book with their addresses, oldest first.',
  body: object({}),
  response: object({ addressLabels: answerList(addressLabelShape()) }),

  answer: ({ organization }) => ({
    addressLabels: organization.list('address_label').map(addressLabelView),
  }),
});
