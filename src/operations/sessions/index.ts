export { create_read_only_session } from './create_read_only_session.ts';
export { create_read_write_session } from './create_read_write_session.ts';
export { stamp_login } from './stamp_login.ts';
