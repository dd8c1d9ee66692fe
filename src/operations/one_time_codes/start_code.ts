// Starts a code, for every version of init_otp and init_otp_auth.

import {
  type CodeMessage,
  type CodeMessageParameters,
  checkCodeMessage,
} from '../../core/auth/one_time_codes/code_message.ts';
import { otpTypeTable, startCode } from '../../core/auth/one_time_codes/otp_codes.ts';
import type { OtpType } from '../../core/base/enums.ts';
import { requireChannel, requireSmsNumber } from '../../core/external/channels.ts';
import type { Deployment } from '../../core/external/external_services.ts';
import type { OutgoingMessage } from '../../core/external/outgoing_message.ts';
import { checkPhoneNumber } from '../../core/organization/indexes/contacts.ts';
import type { OtpCode, OtpFlow } from '../../core/organization/records/one_time_codes.ts';
import type { OrganizationDraft, OrganizationView } from '../../core/organization/state.ts';
import { numberOf } from '../../core/schema/schema.ts';
import { requireLogin } from '../../core/settings/features.ts';
import { linkOriginsOf } from '../../core/settings/link_origins.ts';

/** The common parameters of all versions. */
export type CodeParameters = CodeMessageParameters & {
  readonly otpType: OtpType;
  readonly contact: string;
  readonly userIdentifier?: string;
  readonly otpLength?: number;
  readonly alphanumeric?: boolean;
  readonly expirationSeconds?: string | number;
};

/** Loads the input of the decision: requires the login feature and a carrier, and prepares the message. */
export function prepareCode(
  parameters: CodeParameters,
  organization: OrganizationView,
  deployment: Deployment,
  { isLogin, parent }: { readonly isLogin: boolean; readonly parent: OrganizationView | undefined },
): CodeMessage {
  const { otpType, contact } = parameters;
  if (isLogin) requireLogin(otpType, organization);
  requireChannel(otpTypeTable[otpType].channel, deployment);
  if (otpType === 'OTP_TYPE_SMS') {
    requireSmsNumber(checkPhoneNumber(contact, 'parameters.contact'), deployment);
  }
  return checkCodeMessage(parameters, 'parameters', linkOriginsOf(parent ?? organization));
}

/** Stores a new code and sends it. Without a user, only the message is omitted. */
export function keepCode(
  parameters: CodeParameters,
  organization: OrganizationDraft,
  input: {
    readonly id: string;
    readonly flow: OtpFlow;
    readonly targetPrivateKey?: string | undefined;
    /** Source of a stranger; absent for a stamped caller. */
    readonly stranger?: string | undefined;
    readonly isForSomebody?: (recipient: OtpCode) => boolean;
    readonly message: CodeMessage;
    readonly now: number;
    readonly services: {
      readonly random: (length: number) => Uint8Array;
      readonly deployment: Deployment;
      readonly send: (message: OutgoingMessage) => void;
    };
  },
): void {
  const { id, flow, targetPrivateKey, stranger, isForSomebody, message, now, services } = input;
  const { otpType, contact, userIdentifier, otpLength, alphanumeric } = parameters;
  const { expirationSeconds } = parameters;
  const started = startCode(
    organization.rows('otp_code').values(),
    {
      flow,
      otpType,
      contact,
      userIdentifier,
      otpLength,
      alphanumeric,
      expirationSeconds: expirationSeconds === undefined ? undefined : numberOf(expirationSeconds),
    },
    {
      id,
      now,
      random: services.random,
      isDevelopment: services.deployment.isDevelopment,
      targetPrivateKey,
      stranger,
      field: 'parameters',
    },
  );
  for (const removed of started.removed) organization.remove('otp_code', removed);
  for (const ended of started.ended) organization.put('otp_code', ended);
  organization.put('otp_code', started.row);
  const isWanted = isForSomebody?.(started.row) ?? true;
  if (started.isSent && isWanted) services.send(message(started));
}
