/** Lifetime of such a session. */
export const readOnlySessionSeconds = 3_600;

/** The content of a read-only session; the service seals its text, and stores nothing of it. */
export type ReadOnlySession = {
  readonly organizationId: string;
  readonly userId: string;
  /** The credential that it was made with, whose end it shares. */
  readonly credentialId: string;
  readonly expiresAtMs: number;
};
