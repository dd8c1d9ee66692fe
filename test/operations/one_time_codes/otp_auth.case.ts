import { activityCase } from '../case.ts';
import { targetPublicKey } from '../wallets/transfer_requests.ts';

export default activityCase({
  types: 'OTP_AUTH',
  subject: 'AUTH CREATE',
  rule: 'policies',
  parentActs: true,
  calls: [
    {
      parameters: ({ authOtpId: otpId, authCode: otpCode }) => ({
        otpId,
        otpCode,
        targetPublicKey,
      }),
    },
  ],
});
