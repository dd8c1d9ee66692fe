import { email_auth } from './email_auth.ts';
import { init_otp } from './init_otp.ts';
import { init_otp_auth } from './init_otp_auth.ts';
import { init_user_email_recovery } from './init_user_email_recovery.ts';
import { list_email_events } from './list_email_events.ts';
import { otp_auth } from './otp_auth.ts';
import { otp_login } from './otp_login.ts';
import { recover_user } from './recover_user.ts';
import { verify_otp } from './verify_otp.ts';

export const oneTimeCodeActivities = {
  init_otp,
  verify_otp,
  otp_login,
  init_otp_auth,
  otp_auth,
  email_auth,
  init_user_email_recovery,
  recover_user,
};

export const oneTimeCodeQueries = { list_email_events };
