/** A message to a person. It may contain a code, so it is never logged. */
export type OutgoingMessage = (OutgoingEmail | OutgoingSms) & {
  /**
   * The account that is charged: an organization, or a stranger at its onboarding proxy. Sending rotates
   * between accounts. Optional.
   */
  readonly account?: string;
};

export type OutgoingEmail = {
  readonly channel: 'email';
  /** A bare address. */
  readonly to: string;
  /** A single line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** A bare address. Default: the deployment's sender. */
  readonly from?: string;
  /** Display name of the sender, a single line. */
  readonly senderName: string;
  /** A bare address. */
  readonly replyTo?: string;
  /** Reference for the carrier's reports. Optional. */
  readonly reference?: EmailReference;
};

/** Identifies an e-mail. */
export type EmailReference = {
  /** Organization that sends the e-mail. */
  readonly organizationId: string;
  readonly messageId: string;
};

export type OutgoingSms = {
  readonly channel: 'sms';
  /** Number in E.164 form. */
  readonly to: string;
  readonly text: string;
};
