import type { MemberTexts } from './member_text.ts';

/** Keys of organizations. */
export const organizationKeyTexts: MemberTexts = {
  organizationKey: [
    'Organization key',
    'The key that the organization has beside the root key. Absent if it has none.',
  ],
  organizationKeyId: ['Organization key ID', 'UUID of the key of the organization.'],
  isSealed: [
    'Sealed',
    'True if the answering enclave cannot use the wallets and private keys of the organization.',
  ],
  sealCount: ['Seals', 'Number of times that the organization was sealed; decimal.'],
  holders: [
    'Holders',
    'Holders of the key, oldest first. Each of them can unseal the organization.',
  ],
  holderId: ['Holder ID', 'UUID of a holder of the organization key.'],
  holderName: ['Holder name', 'Name of the holder.'],
  'create_organization_key>type': ['Type', 'Source of the secret of the holder.'],
  'create_key_holder>type': ['Type', 'Source of the secret of the holder.'],
  'holders.type': ['Type', 'Source of the secret of the holder.'],
  derivation: [
    'Derivation',
    'Public parameters by which a client derives the secret of 32 bytes: for a passphrase scrypt in PHC form, `$scrypt$ln=17,r=8,p=1$SALT`.',
  ],
  encryptedSecret: [
    'Encrypted secret',
    'Secret of the holder, sealed to the key of the running enclave.',
  ],
};
