import { activityCase } from '../case.ts';

export default activityCase({
  types: 'VERIFY_OTP_V2 VERIFY_OTP',
  subject: 'OTP VERIFY',
  // Codes that only show who holds a contact belong where they are requested.
  rule: 'policies',
  calls: [{ parameters: ({ otpId, sealedCode }) => ({ otpId, encryptedOtpBundle: sealedCode }) }],
});
