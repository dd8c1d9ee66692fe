// Destinations of the audit trail.

import type { AuditSinkKind } from '../../store/port.ts';

/** Why lines could not be handed over; they are tried again. The message never quotes a line. */
export class AuditSinkError extends Error {}

export type AuditSink = {
  readonly kind: AuditSinkKind;
  /** Name in the log, without a secret. */
  readonly name: string;
  /**
   * Hands over whole lines, each with its end. Resolves once the destination has them for good; raises
   * AuditSinkError where it is not known to.
   */
  write(lines: Uint8Array): Promise<void>;
  close(): void;
};
