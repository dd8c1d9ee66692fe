import { answerText, object } from '../../core/schema/schema.ts';
import { askedFor, sendCode } from './one_time_codes.ts';
import { proxy } from './proxy_operation.ts';

export const otp_init_v2 = proxy({
  summary: 'Sends a one-time code, which the client returns encrypted.',
  body: askedFor,
  response: object({ otpId: answerText(), otpEncryptionTargetBundle: answerText() }),
  takesCaptcha: true,
  answer: async (call, body) => {
    const { otpId, otpEncryptionTargetBundle } = await sendCode(call, body);
    return {
      otpId: String(otpId),
      otpEncryptionTargetBundle: String(otpEncryptionTargetBundle),
    };
  },
});
