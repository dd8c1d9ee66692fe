import { create_oauth2_credential } from './create_oauth2_credential.ts';
import { delete_oauth2_credential } from './delete_oauth2_credential.ts';
import { get_oauth2_credential } from './get_oauth2_credential.ts';
import { list_oauth2_credentials } from './list_oauth2_credentials.ts';
import { oauth } from './oauth.ts';
import { oauth_login } from './oauth_login.ts';
import { oauth2_authenticate } from './oauth2_authenticate.ts';
import { update_oauth2_credential } from './update_oauth2_credential.ts';

export const oauthActivities = {
  oauth,
  oauth_login,
  oauth2_authenticate,
  create_oauth2_credential,
  update_oauth2_credential,
  delete_oauth2_credential,
};
export const oauthQueries = { get_oauth2_credential, list_oauth2_credentials };
