export { create_oauth2_credential } from './create_oauth2_credential.ts';
export { delete_oauth2_credential } from './delete_oauth2_credential.ts';
export { get_oauth2_credential } from './get_oauth2_credential.ts';
export { list_oauth2_credentials } from './list_oauth2_credentials.ts';
export { oauth } from './oauth.ts';
export { oauth_login } from './oauth_login.ts';
export { oauth2_authenticate } from './oauth2_authenticate.ts';
export { update_oauth2_credential } from './update_oauth2_credential.ts';
