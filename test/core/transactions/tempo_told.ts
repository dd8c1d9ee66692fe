// The expected explanations of each Tempo vector.

import type { Told } from './tron_told.ts';

const owner = '0x76ab4E99d9c17f3cB712615f6d2A6645797665A8';

/** All effects, including the first. */
export const told: Readonly<Record<string, Told>> = {
  'one call': {
    summary: `${owner} calls the contract 0x20C0000000000000000000000000000000000001 with data that looks like transfer(address,uint256).`,
    effects: [
      `${owner} calls the contract 0x20C0000000000000000000000000000000000001 with data that looks like transfer(address,uint256).`,
      `If 0x20C0000000000000000000000000000000000001 is a token, 1000000 of its units go from ${owner} to 0xf3D4C04D42f9956c1F303B85bF9A7792B7cCd8CA.`,
    ],
    fee: 'At most 0.0024 dollars, in the usual fee token of the account.',
    warnings: [
      [
        'UNKNOWN_CONTRACT',
        'The transaction does not prove that 0x20C0000000000000000000000000000000000001 is a token.',
      ],
    ],
  },
  'one call with a fee token': {
    summary: `${owner} calls the contract 0x20C0000000000000000000000000000000000001 with data that looks like transfer(address,uint256).`,
    effects: [
      `${owner} calls the contract 0x20C0000000000000000000000000000000000001 with data that looks like transfer(address,uint256).`,
      `If 0x20C0000000000000000000000000000000000001 is a token, 1000000 of its units go from ${owner} to 0xf3D4C04D42f9956c1F303B85bF9A7792B7cCd8CA.`,
    ],
    fee: 'At most 0.0024 dollars, in 0x20C0000000000000000000000000000000000001.',
    warnings: [
      [
        'UNKNOWN_CONTRACT',
        'The transaction does not prove that 0x20C0000000000000000000000000000000000001 is a token.',
      ],
    ],
  },
  'three calls': {
    summary: `${owner} makes 3 calls, all or none of them.`,
    effects: [
      `${owner} calls the contract 0x20C0000000000000000000000000000000000001 with data that looks like transfer(address,uint256).`,
      `If 0x20C0000000000000000000000000000000000001 is a token, 1 of its units go from ${owner} to 0xf3D4C04D42f9956c1F303B85bF9A7792B7cCd8CA.`,
      `${owner} calls the contract 0x20C0000000000000000000000000000000000001 with data that looks like transfer(address,uint256).`,
      `If 0x20C0000000000000000000000000000000000001 is a token, 2 of its units go from ${owner} to 0xFBBB03A65E4D69083ED7940Ca57582813E6174F5.`,
      `${owner} calls the contract 0x20C0000000000000000000000000000000000001 with data that looks like transfer(address,uint256).`,
      `If 0x20C0000000000000000000000000000000000001 is a token, 3 of its units go from ${owner} to 0x04Ff727De7eFBEb333b97b5808ea8B25E2BE38EE.`,
    ],
    fee: 'At most 0.0024 dollars, in the usual fee token of the account.',
    warnings: [
      [
        'UNKNOWN_CONTRACT',
        'The transaction does not prove that 0x20C0000000000000000000000000000000000001 is a token.',
      ],
    ],
  },
  'validity window': {
    summary: `${owner} calls the contract 0x20C0000000000000000000000000000000000001 with data that looks like transfer(address,uint256).`,
    effects: [
      `${owner} calls the contract 0x20C0000000000000000000000000000000000001 with data that looks like transfer(address,uint256).`,
      `If 0x20C0000000000000000000000000000000000001 is a token, 1000000 of its units go from ${owner} to 0xf3D4C04D42f9956c1F303B85bF9A7792B7cCd8CA.`,
      'It is valid after 2030-03-17T17:46:40Z and before 2030-03-17T17:56:40Z.',
    ],
    fee: 'At most 0.0024 dollars, in the usual fee token of the account.',
    warnings: [
      [
        'UNKNOWN_CONTRACT',
        'The transaction does not prove that 0x20C0000000000000000000000000000000000001 is a token.',
      ],
    ],
  },
  'second nonce lane': {
    summary: `${owner} calls the contract 0x20C0000000000000000000000000000000000001 with data that looks like transfer(address,uint256).`,
    effects: [
      `${owner} calls the contract 0x20C0000000000000000000000000000000000001 with data that looks like transfer(address,uint256).`,
      `If 0x20C0000000000000000000000000000000000001 is a token, 1000000 of its units go from ${owner} to 0xf3D4C04D42f9956c1F303B85bF9A7792B7cCd8CA.`,
    ],
    fee: 'At most 0.0024 dollars, in the usual fee token of the account.',
    warnings: [
      [
        'UNKNOWN_CONTRACT',
        'The transaction does not prove that 0x20C0000000000000000000000000000000000001 is a token.',
      ],
    ],
  },
  'creation in the first call': {
    summary: `${owner} creates a contract from 2 bytes of code.`,
    effects: [`${owner} creates a contract from 2 bytes of code.`],
    fee: 'At most 0.0024 dollars, in the usual fee token of the account.',
    warnings: [['UNREADABLE_CALL_DATA', 'The effects of the new contract are unknown.']],
  },
  'call without data': {
    summary: `${owner} calls the contract 0xf3D4C04D42f9956c1F303B85bF9A7792B7cCd8CA without data.`,
    effects: [
      `${owner} calls the contract 0xf3D4C04D42f9956c1F303B85bF9A7792B7cCd8CA without data.`,
    ],
    fee: 'At most 0.0024 dollars, in the usual fee token of the account.',
    warnings: [
      ['UNKNOWN_CONTRACT', 'What 0xf3D4C04D42f9956c1F303B85bF9A7792B7cCd8CA does is not known.'],
    ],
  },
  'call with three bytes of data': {
    summary: `${owner} calls the contract 0xf3D4C04D42f9956c1F303B85bF9A7792B7cCd8CA with 3 bytes of data.`,
    effects: [
      `${owner} calls the contract 0xf3D4C04D42f9956c1F303B85bF9A7792B7cCd8CA with 3 bytes of data.`,
    ],
    fee: 'At most 0.0024 dollars, in the usual fee token of the account.',
    warnings: [
      [
        'UNREADABLE_CALL_DATA',
        'What the data makes 0xf3D4C04D42f9956c1F303B85bF9A7792B7cCd8CA do cannot be read.',
      ],
    ],
  },
  'another pays the fee': {
    summary: `${owner} calls the contract 0x20C0000000000000000000000000000000000001 with data that looks like transfer(address,uint256).`,
    effects: [
      `${owner} calls the contract 0x20C0000000000000000000000000000000000001 with data that looks like transfer(address,uint256).`,
      `If 0x20C0000000000000000000000000000000000001 is a token, 1000000 of its units go from ${owner} to 0xf3D4C04D42f9956c1F303B85bF9A7792B7cCd8CA.`,
    ],
    fee: undefined,
    warnings: [
      [
        'UNKNOWN_CONTRACT',
        'The transaction does not prove that 0x20C0000000000000000000000000000000000001 is a token.',
      ],
      [
        'FEE_PAYER_IS_ANOTHER',
        'Another account is to pay the fee, at most 0.0024 dollars, and chooses the token for it.',
      ],
    ],
  },
  'mainnet, no fees named': {
    summary: `${owner} calls the contract 0x20C0000000000000000000000000000000000001 with data that looks like transfer(address,uint256).`,
    effects: [
      `${owner} calls the contract 0x20C0000000000000000000000000000000000001 with data that looks like transfer(address,uint256).`,
      `If 0x20C0000000000000000000000000000000000001 is a token, 1000000 of its units go from ${owner} to 0xf3D4C04D42f9956c1F303B85bF9A7792B7cCd8CA.`,
    ],
    fee: 'At most 0 dollars, in the usual fee token of the account.',
    warnings: [
      [
        'UNKNOWN_CONTRACT',
        'The transaction does not prove that 0x20C0000000000000000000000000000000000001 is a token.',
      ],
    ],
  },
};
