import { activityCase } from '../case.ts';

export default activityCase({
  types: 'VERIFY_OTP_V2 VERIFY_OTP',
  subject: 'OTP VERIFY',
  // Codes that only prove a contact belong to the organization of the request.
  rule: 'policies',
  calls: [{ parameters: ({ otpId, sealedCode }) => ({ otpId, encryptedOtpBundle: sealedCode }) }],
});
