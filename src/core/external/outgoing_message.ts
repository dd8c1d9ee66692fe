/** A message to a person, as the gateway sends it. It may hold a code: never logged. */
export type OutgoingMessage = (OutgoingEmail | OutgoingSms) & {
  /**
   * The account that is charged: an organization, or a stranger at its onboarding proxy. Accounts take turns.
   * Absent if unknown.
   */
  readonly account?: string;
};

export type OutgoingEmail = {
  readonly channel: 'email';
  /** A bare address. */
  readonly to: string;
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** A bare address; absent: the one of the deployment. */
  readonly from?: string;
  /** Shown next to the sender's address; one line. */
  readonly senderName: string;
  /** A bare address. */
  readonly replyTo?: string;
  /** Reference for the carrier's reports. Optional. */
  readonly reference?: EmailReference;
};

/** Identifies an e-mail. */
export type EmailReference = {
  /** Organization of the e-mail. */
  readonly organizationId: string;
  readonly messageId: string;
};

export type OutgoingSms = {
  readonly channel: 'sms';
  /** E.164. */
  readonly to: string;
  readonly text: string;
};
