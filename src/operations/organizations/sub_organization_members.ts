// Members of the requests that make a sub-organization, in the order of the specification.

import {
  boolean,
  label,
  list,
  object,
  oneOf,
  optional,
  type TSchema,
  text,
} from '../../core/schema/schema.ts';
import { email, verificationToken } from '../credential_shapes.ts';
import { threshold, walletParameters } from '../shapes.ts';

/** Members of every version; versions differ in what they say of a root user. */
export const subOrganizationMembers = <RootUser extends TSchema>(rootUser: RootUser) => ({
  subOrganizationName: label(),
  rootUsers: list(rootUser),
  rootQuorumThreshold: threshold(),
  wallet: optional(walletParameters()),
  disableEmailRecovery: optional(boolean()),
  disableEmailAuth: optional(boolean()),
});

/** Members that came with the seventh version. */
export const laterMembers = () => ({
  disableSmsAuth: optional(boolean()),
  disableOtpEmailAuth: optional(boolean()),
  verificationToken: optional(verificationToken()),
  clientSignature: optional(clientSignature()),
});

/** How every version names a root user. */
export const named = () => ({ userName: label(), userEmail: optional(email()) });

const clientSignature = () =>
  object({
    publicKey: text({ minimum: 1, maximum: 256 }),
    scheme: oneOf(['CLIENT_SIGNATURE_SCHEME_API_P256']),
    message: text({ maximum: 16_384 }),
    signature: text({ minimum: 1, maximum: 1024 }),
  });
