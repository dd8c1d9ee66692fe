/** A message to a person, as the gateway sends it. It may hold a code: never logged. */
export type OutgoingMessage = (OutgoingEmail | OutgoingSms) & {
  /**
   * On whose account it is sent: that of an organization, or of a stranger at its onboarding proxy. Accounts
   * take turns. Absent where it is not known.
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
  /** Shown beside the sender's address; one line. */
  readonly senderName: string;
  /** A bare address. */
  readonly replyTo?: string;
  /** By which the carrier tells what it did with the mail; absent: nobody is told. */
  readonly reference?: EmailReference;
};

/** Which mail it is. */
export type EmailReference = {
  /** For which organization it is sent. */
  readonly organizationId: string;
  readonly messageId: string;
};

export type OutgoingSms = {
  readonly channel: 'sms';
  /** E.164. */
  readonly to: string;
  readonly text: string;
};
