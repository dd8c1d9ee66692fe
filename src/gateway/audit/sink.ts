// Destinations of the audit trail.

import type { AuditSinkKind } from '../../store/port.ts';

/** The reason for a failed write, which is retried. The message never quotes a line. */
export class AuditSinkError extends Error {}

export type AuditSink = {
  readonly kind: AuditSinkKind;
  /** Name in the log, without secrets. */
  readonly name: string;
  /**
   * Writes whole lines with their line feeds. Resolves once the destination has stored them; raises
   * AuditSinkError if that is unknown.
   */
  write(lines: Uint8Array): Promise<void>;
  close(): void;
};
