/** An issuer is a caller's text: shown in part, on one line. */
export function shownIssuer(issuer: string): string {
  return issuer
    .slice(0, 128)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .toWellFormed();
}
