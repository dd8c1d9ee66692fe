import { readTypedData } from '../../../src/core/payload/eip712.ts';

export const path = 'parameters.payload';
export const address = `0x${'ab'.repeat(20)}`;

export const read = (data: unknown) => readTypedData(JSON.stringify(data), path);

/** Returns typed data whose message has one member `v` of a type. */
export const one = (type: string, value: unknown, types: object = {}) => ({
  types: { One: [{ name: 'v', type }], ...types },
  domain: { name: 'One' },
  primaryType: 'One',
  message: { v: value },
});

export const mail = {
  types: {
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'cc', type: 'Person[]' },
      { name: 'amount', type: 'uint256' },
    ],
  },
  domain: { name: 'Mail', chainId: 1, verifyingContract: address },
  primaryType: 'Mail',
  message: {
    from: { name: 'Cow', wallet: address },
    cc: [{ name: 'Bob', wallet: address }],
    amount: '100',
  },
};

/** Returns a member of a struct type. */
export function row(name: string, type = 'bool') {
  return { name, type };
}
