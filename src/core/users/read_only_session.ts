/** Lifetime of a read-only session. */
export const readOnlySessionSeconds = 3_600;

/** The content of a read-only session, which is sealed into its text and not stored. */
export type ReadOnlySession = {
  readonly organizationId: string;
  readonly userId: string;
  /** The credential that created the session, with which it ends. */
  readonly credentialId: string;
  readonly expiresAtMs: number;
};
