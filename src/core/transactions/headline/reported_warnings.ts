// Reads the warnings about stored contract interfaces that a service reports for a waiting transaction. Pages
// and terminals read transactions without these interfaces, which only the service has.

const codes: ReadonlySet<unknown> = new Set(['NAME_OF_ANOTHER_CALL', 'NOT_DECODED']);

/** Returns the texts of the warnings. They are unverified. */
export function reportedInterfaceWarnings(said: {
  readonly explanation?: { readonly warnings?: unknown } | undefined;
}): readonly string[] {
  const warnings: unknown = said.explanation?.warnings;
  if (!Array.isArray(warnings)) return [];
  return warnings.flatMap((warning: { readonly code?: unknown; readonly text?: unknown } | null) =>
    codes.has(warning?.code) && typeof warning?.text === 'string' ? [warning.text] : [],
  );
}
