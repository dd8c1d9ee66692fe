/** Sends messages of one kind out of the service. */
export type Carrier<Message> = {
  /**
   * Resolves when the next station has accepted the message. Rejects with a CarrierError, or when the signal
   * is aborted.
   */
  send(message: Message, signal: AbortSignal): Promise<void>;
};

/** The reason why a message was not accepted. */
export class CarrierError extends Error {
  /** For the log. Never contains text of the other side, which may quote the message. */
  readonly reason: string;
  /** True if another attempt would fail too. */
  readonly isPermanent: boolean;

  constructor(reason: string, isPermanent: boolean) {
    super(reason);
    this.name = 'CarrierError';
    this.reason = reason;
    this.isPermanent = isPermanent;
  }
}
