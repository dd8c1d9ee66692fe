/** A way by which messages leave the service. */
export type Carrier<Message> = {
  /**
   * Settles when the message was taken over by the next station. Rejects with a CarrierError; gives
   * up when the signal is aborted.
   */
  send(message: Message, signal: AbortSignal): Promise<void>;
};

/** Why a message was not taken over. */
export class CarrierError extends Error {
  /** For the log: never a text of the other side, which may quote the message. */
  readonly reason: string;
  /** Another attempt would end in the same way. */
  readonly isPermanent: boolean;

  constructor(reason: string, isPermanent: boolean) {
    super(reason);
    this.name = 'CarrierError';
    this.reason = reason;
    this.isPermanent = isPermanent;
  }
}
