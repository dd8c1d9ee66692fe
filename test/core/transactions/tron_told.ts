// The expected explanations of each Tron vector.

const owner = 'TUFSAQZf35HeENRF3AXbiKNt9TFEmw29Ga';

export type Told = {
  readonly summary: string;
  /** All effects but the first, which is the summary. */
  readonly effects: readonly string[];
  readonly fee: string | undefined;
  readonly warnings: readonly (readonly [string, string])[];
};

export const told: Readonly<Record<string, Told>> = {
  TransferContract: {
    summary: `${owner} sends 1 TRX to TC1sM1mNaLCwQDmGKiKSReV628Ksz3Sc8E.`,
    effects: ['It is valid before 2030-03-17T17:47:40Z.'],
    fee: undefined,
    warnings: [],
  },
  'TransferContract of 100 sun': {
    summary: `${owner} sends 0.0001 TRX to TC1sM1mNaLCwQDmGKiKSReV628Ksz3Sc8E.`,
    effects: ['It is valid before 2030-03-17T17:47:40Z.'],
    fee: undefined,
    warnings: [],
  },
  'TransferContract with a memo': {
    summary: `${owner} sends 0.000005 TRX to TC1sM1mNaLCwQDmGKiKSReV628Ksz3Sc8E.`,
    effects: [
      'It carries a public memo of 9 bytes: "invoice 7".',
      'It is valid before 2030-03-17T17:47:40Z.',
    ],
    fee: undefined,
    warnings: [],
  },
  'TransferContract of 2^53-1': {
    summary: `${owner} sends 9007199254.740991 TRX to TC1sM1mNaLCwQDmGKiKSReV628Ksz3Sc8E.`,
    effects: ['It is valid before 2030-03-17T17:47:40Z.'],
    fee: undefined,
    warnings: [],
  },
  'TransferContract to oneself': {
    summary: `${owner} sends 0.000001 TRX to ${owner}.`,
    effects: ['It is valid before 2030-03-17T17:47:40Z.'],
    fee: undefined,
    warnings: [],
  },
  'TransferContract for another owner, permission 2': {
    summary:
      'TQHgineiTzp6u1PpRexnW3dPth7kep1GnW sends 0.000009 TRX to TC1sM1mNaLCwQDmGKiKSReV628Ksz3Sc8E.',
    effects: ['It is valid before 2030-03-17T17:47:40Z.'],
    fee: undefined,
    warnings: [
      [
        'OWNER_IS_ANOTHER',
        `It acts for TQHgineiTzp6u1PpRexnW3dPth7kep1GnW by permission 2; ${owner} signs.`,
      ],
    ],
  },
  'TriggerSmartContract, TRC-20 transfer': {
    summary: `${owner} calls the contract TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf with data that looks like transfer(address,uint256).`,
    effects: [
      `If TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf is a token, 1000000 of its units go from ${owner} to TCwiN1Vy23KajdTsbm9YzXRCuyv3xgGTz8.`,
      'It is valid before 2030-03-17T17:47:40Z.',
    ],
    fee: 'At most 100 TRX for energy; bandwidth and other fees of the chain are extra.',
    warnings: [
      [
        'UNKNOWN_CONTRACT',
        'The transaction does not prove that TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf is a token.',
      ],
    ],
  },
  'TriggerSmartContract, TRC-20 approve': {
    summary: `${owner} calls the contract TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf with data that looks like approve(address,uint256).`,
    effects: [
      `If TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf is a token, TCwiN1Vy23KajdTsbm9YzXRCuyv3xgGTz8 may spend any number of units that ${owner} has of it.`,
      'It is valid before 2030-03-17T17:47:40Z.',
    ],
    fee: 'At most 100 TRX for energy; bandwidth and other fees of the chain are extra.',
    warnings: [
      [
        'UNLIMITED_APPROVAL',
        'If TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf is a token, TCwiN1Vy23KajdTsbm9YzXRCuyv3xgGTz8 may spend all that the owner ever has of it.',
      ],
      [
        'UNKNOWN_CONTRACT',
        'The transaction does not prove that TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf is a token.',
      ],
    ],
  },
  'TriggerSmartContract with TRX': {
    summary: `${owner} calls the contract TCH8J77WeXdFULicthPDA6FeGdV9aXonqM with 4 bytes of data.`,
    effects: [
      `${owner} sends 0.000077 TRX to TCH8J77WeXdFULicthPDA6FeGdV9aXonqM with the call.`,
      'It is valid before 2030-03-17T17:47:40Z.',
    ],
    fee: 'At most 0.000001 TRX for energy; bandwidth and other fees of the chain are extra.',
    warnings: [
      [
        'UNREADABLE_CALL_DATA',
        'What the data makes TCH8J77WeXdFULicthPDA6FeGdV9aXonqM do cannot be read.',
      ],
    ],
  },
  'TriggerSmartContract with a TRC-10 token': {
    summary: `${owner} calls the contract TCH8J77WeXdFULicthPDA6FeGdV9aXonqM with 4 bytes of data.`,
    effects: [
      `${owner} sends 5 units of the TRC-10 token 1000226 to TCH8J77WeXdFULicthPDA6FeGdV9aXonqM with the call.`,
      'It is valid before 2030-03-17T17:47:40Z.',
    ],
    fee: 'At most 0.000001 TRX for energy; bandwidth and other fees of the chain are extra.',
    warnings: [
      [
        'UNREADABLE_CALL_DATA',
        'What the data makes TCH8J77WeXdFULicthPDA6FeGdV9aXonqM do cannot be read.',
      ],
    ],
  },
  'DelegateResourceContract of energy': {
    summary: `${owner} lends the energy of 10 TRX staked to TC1sM1mNaLCwQDmGKiKSReV628Ksz3Sc8E.`,
    effects: ['It is valid before 2030-03-17T17:47:40Z.'],
    fee: undefined,
    warnings: [],
  },
  'DelegateResourceContract of bandwidth, locked': {
    summary: `${owner} lends the bandwidth of 10 TRX staked to TC1sM1mNaLCwQDmGKiKSReV628Ksz3Sc8E, locked for 86400 blocks.`,
    effects: ['It is valid before 2030-03-17T17:47:40Z.'],
    fee: undefined,
    warnings: [
      [
        'NEW_AUTHORITY',
        'Until the lock ends, TC1sM1mNaLCwQDmGKiKSReV628Ksz3Sc8E keeps the use of the 10 TRX, which cannot be unstaked.',
      ],
    ],
  },
  'UnDelegateResourceContract of energy': {
    summary: `${owner} takes back the energy of 1 TRX staked from TC1sM1mNaLCwQDmGKiKSReV628Ksz3Sc8E.`,
    effects: ['It is valid before 2030-03-17T17:47:40Z.'],
    fee: undefined,
    warnings: [],
  },
  'UnDelegateResourceContract of bandwidth': {
    summary: `${owner} takes back the bandwidth of 1 TRX staked from TC1sM1mNaLCwQDmGKiKSReV628Ksz3Sc8E.`,
    effects: ['It is valid before 2030-03-17T17:47:40Z.'],
    fee: undefined,
    warnings: [],
  },
  'FreezeBalanceV2Contract for energy': {
    summary: `${owner} stakes 3 TRX for energy.`,
    effects: ['It is valid before 2030-03-17T17:47:40Z.'],
    fee: undefined,
    warnings: [],
  },
  'FreezeBalanceV2Contract for bandwidth': {
    summary: `${owner} stakes 3 TRX for bandwidth.`,
    effects: ['It is valid before 2030-03-17T17:47:40Z.'],
    fee: undefined,
    warnings: [],
  },
  'UnfreezeBalanceV2Contract for energy': {
    summary: `${owner} takes back 2 TRX staked for energy.`,
    effects: ['It is valid before 2030-03-17T17:47:40Z.'],
    fee: undefined,
    warnings: [],
  },
  'UnfreezeBalanceV2Contract for bandwidth': {
    summary: `${owner} takes back 2 TRX staked for bandwidth.`,
    effects: ['It is valid before 2030-03-17T17:47:40Z.'],
    fee: undefined,
    warnings: [],
  },
  'AccountPermissionUpdateContract, owner and one active': {
    summary: `${owner} replaces the permissions that control it.`,
    effects: [
      'The permission Owner needs a weight of 1 from TNMtbBcx3VvJ4Ur2AZzJtwcD8ZxxdkXFKq (weight 1).',
      'The permission Active needs a weight of 2 from TFEpBZ97CsSZ6isYqcBYyd63ZSK93NQi2y (weight 1), TQgru7nKCmVEzzhndyKMGLuzGnE2iXYyrG (weight 2).',
      'It is valid before 2030-03-17T17:47:40Z.',
    ],
    fee: undefined,
    warnings: [
      ['NEW_AUTHORITY', `Only the keys named here will control ${owner}.`],
      ['NEW_AUTHORITY', `The key that signs, ${owner}, is not one of the new owner keys.`],
    ],
  },
  'AccountPermissionUpdateContract with a witness and two actives': {
    summary: `${owner} replaces the permissions that control it.`,
    effects: [
      'The permission Owner needs a weight of 2 from TNMtbBcx3VvJ4Ur2AZzJtwcD8ZxxdkXFKq (weight 1), TFEpBZ97CsSZ6isYqcBYyd63ZSK93NQi2y (weight 1).',
      'The permission Witness needs a weight of 1 from TM8HMteuaGrXDwyZixMu1JEQJ7hxjeuWZm (weight 1).',
      'The permission Active needs a weight of 1 from TYoiUS3J2py25vtwdAAQDvr598P5onm7iJ (weight 1).',
      'The permission Active needs a weight of 1 from THLfviHenED4RMRiq7XENbQ7TpXVyaJ6i2 (weight 1).',
      'It is valid before 2030-03-17T17:47:40Z.',
    ],
    fee: undefined,
    warnings: [
      ['NEW_AUTHORITY', `Only the keys named here will control ${owner}.`],
      ['NEW_AUTHORITY', `The key that signs, ${owner}, is not one of the new owner keys.`],
    ],
  },
};
