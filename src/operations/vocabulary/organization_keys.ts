import type { MemberTexts } from './member_text.ts';

export const organizationKeyTexts: MemberTexts = {
  organizationKey:
    "The organization's own key, used in addition to the root key. Absent if there is no such key.",
  organizationKeyId: 'UUID of the organization key.',
  isSealed: [
    'Sealed',
    'True if the answering enclave cannot use the wallets and private keys of the organization.',
  ],
  sealCount: ['Seals', 'Number of times that the organization was sealed; decimal.'],
  holders: 'Holders of the key, oldest first. Each of them can unseal the organization.',
  holderId: 'UUID of a holder of the organization key.',
  holderName: 'Name of the holder.',
  'create_organization_key>type create_key_holder>type holders.type':
    'Source of the secret of the holder.',
  derivation:
    'Public parameters from which a client derives the secret of 32 bytes. For a passphrase: scrypt in PHC form, `$scrypt$ln=17,r=8,p=1$SALT`.',
  encryptedSecret: 'Secret of the holder, sealed to the key of the running enclave.',
};
