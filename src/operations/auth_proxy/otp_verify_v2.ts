import { answerText, object, text, uuid } from '../../core/schema/schema.ts';
import { verifyCode } from './one_time_codes.ts';
import { proxy } from './proxy_operation.ts';

export const otp_verify_v2 = proxy({
  summary: 'Exchanges an encrypted one-time code for a verification token.',
  body: object({
    otpId: uuid(),
    encryptedOtpBundle: text({ minimum: 1, maximum: 10_000 }),
  }),
  response: object({ verificationToken: answerText() }),
  answer: (call, body) => verifyCode(call, body),
});
