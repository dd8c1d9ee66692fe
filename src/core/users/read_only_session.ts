/** How long such a session lives. */
export const readOnlySessionSeconds = 3_600;

/** What a read-only session says; its text is sealed by the service, which keeps nothing of it. */
export type ReadOnlySession = {
  readonly organizationId: string;
  readonly userId: string;
  /** The credential that it was made with, whose end it shares. */
  readonly credentialId: string;
  readonly expiresAtMs: number;
};
