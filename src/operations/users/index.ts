import { create_api_only_users } from './create_api_only_users.ts';
import { create_users } from './create_users.ts';
import { delete_users } from './delete_users.ts';
import { get_user } from './get_user.ts';
import { list_users } from './list_users.ts';
import { update_user } from './update_user.ts';
import { update_user_email } from './update_user_email.ts';
import { update_user_name } from './update_user_name.ts';
import { update_user_phone_number } from './update_user_phone_number.ts';

export const userActivities = {
  create_api_only_users,
  create_users,
  delete_users,
  update_user,
  update_user_email,
  update_user_name,
  update_user_phone_number,
};
export const userQueries = { get_user, list_users };
