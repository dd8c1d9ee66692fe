/** Shortens an issuer to one line for messages; its text comes from the caller. */
export function shownIssuer(issuer: string): string {
  return issuer
    .slice(0, 128)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .toWellFormed();
}
