import { create_read_only_session } from './create_read_only_session.ts';
import { create_read_write_session } from './create_read_write_session.ts';
import { stamp_login } from './stamp_login.ts';

export const sessionActivities = {
  stamp_login,
  create_read_only_session,
  create_read_write_session,
};
