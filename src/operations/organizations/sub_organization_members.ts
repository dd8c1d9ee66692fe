// Members of requests for a new sub-organization, in the order of the specification.

import { boolean, label, list, optional, type TSchema } from '../../core/schema/schema.ts';
import { clientSignature, email, verificationToken } from '../credential_shapes.ts';
import { threshold, walletParameters } from '../shapes.ts';

/** Members of every version; versions differ in the root user's members. */
export const subOrganizationMembers = <RootUser extends TSchema>(rootUser: RootUser) => ({
  subOrganizationName: label(),
  rootUsers: list(rootUser),
  rootQuorumThreshold: threshold(),
  wallet: optional(walletParameters()),
  disableEmailRecovery: optional(boolean()),
  disableEmailAuth: optional(boolean()),
});

/** Members added in the seventh version. */
export const laterMembers = () => ({
  disableSmsAuth: optional(boolean()),
  disableOtpEmailAuth: optional(boolean()),
  verificationToken: optional(verificationToken()),
  clientSignature: optional(clientSignature()),
});

/** Name and contact of a root user in every version. */
export const named = () => ({ userName: label(), userEmail: optional(email()) });

/** A tag of the new sub-organization, by name, because it has no id yet. */
export const userTagName = () => label();
