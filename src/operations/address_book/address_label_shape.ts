import {
  answerList,
  answerText,
  label,
  list,
  object,
  optional,
  text,
  timestamps,
} from '../../core/schema/schema.ts';

/** Maximum number of addresses that one request adds or removes. */
const maximumAddresses = 100;
const maximumAddressCharacters = 100;

const addressText = () => text({ minimum: 1, maximum: maximumAddressCharacters });

/** Addresses that a request adds. */
export const addressList = () =>
  list(object({ address: addressText(), name: optional(label()) }), { maximum: maximumAddresses });

/** Addresses that a request removes. */
export const removedAddressList = () => list(addressText(), { maximum: maximumAddresses });

/** A label in the form of answers. */
export const addressLabelShape = () =>
  object({
    addressLabelId: answerText(),
    label: answerText(),
    addresses: answerList(object({ address: answerText(), name: optional(answerText()) })),
    ...timestamps(),
  });
