// The message of a code: checked before the decision, rendered after it.

import type { OutgoingMessage } from '../../external/outgoing_message.ts';
import {
  checkAppName,
  checkEmailCustomization,
  checkSender,
  checkSmsTemplate,
  type EmailCustomizationParameters,
  type SenderParameters,
  type SmsCustomizationParameters,
} from './message_customization.ts';
import { codeEmail, codeSms } from './messages.ts';
import { otpTypeTable, type StartedCode } from './otp_codes.ts';

/** Parameters of the message in a request. */
export type CodeMessageParameters = SenderParameters & {
  /** The first versions have this member in the e-mail parameters. */
  readonly appName?: string | undefined;
  readonly emailCustomization?: EmailCustomizationParameters | undefined;
  readonly smsCustomization?: SmsCustomizationParameters | undefined;
};

/** Creates the message for a started code. */
export type CodeMessage = (started: Pick<StartedCode, 'code' | 'row'>) => OutgoingMessage;

/**
 * Checks the parameters of a code's message; `field` is their path in the request. Raises
 * `message_customization_invalid` and `email_invalid`.
 */
export function checkCodeMessage(
  parameters: CodeMessageParameters,
  field: string,
  linkOrigins: readonly string[],
): CodeMessage {
  const { emailCustomization = {}, smsCustomization = {} } = parameters;
  const email = checkEmailCustomization(
    emailCustomization,
    `${field}.emailCustomization`,
    linkOrigins,
  );
  const template = checkSmsTemplate(smsCustomization, `${field}.smsCustomization`);
  const sender = checkSender(parameters, field);
  const appName =
    parameters.appName === undefined
      ? email.appName
      : checkAppName(parameters.appName, `${field}.appName`);
  return ({ code, row: { otpType, contact, createdAtMs, expiresAtMs } }) => {
    const lifeSeconds = (expiresAtMs - createdAtMs) / 1000;
    return otpTypeTable[otpType].channel === 'email'
      ? codeEmail(code, lifeSeconds, contact, { ...email, appName }, sender)
      : codeSms(code, lifeSeconds, contact, { appName, template });
  };
}
