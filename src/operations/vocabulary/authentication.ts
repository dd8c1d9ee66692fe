import type { MemberTexts } from './member_text.ts';

/** Logins, sessions, one-time codes, messages, recovery, MFA. */
export const authenticationTexts: MemberTexts = {
  oidcToken: ['OIDC token', 'ID token as the identity provider issued it: a compact JWT.'],
  'oauth2_authenticate<oidcToken': [
    'OIDC token',
    'ID token that the service issues for the person at the provider.',
  ],
  targetPublicKey: [
    'Target public key',
    'P-256 public key of the client, to which the service encrypts its answer; hex, 65 bytes uncompressed.',
  ],
  'secrets.targetPublicKey': [
    'Target public key',
    'P-256 public key that the text is or will be encrypted to; hex, 65 bytes uncompressed.',
  ],
  credentialBundle: [
    'Credential bundle',
    'Private key of the session, HPKE encrypted to the target public key; base58check.',
  ],
  invalidateExisting: [
    'Invalidate existing',
    'Deletes earlier keys of the same kind of login of this user; of mailed keys once the new key signs. Default: false.',
  ],
  session: [
    'Session',
    'Signed JWT that describes the session; the key authenticates, not the JWT.',
  ],
  'create_read_only_session<session': [
    'Session',
    'Value of the header `X-Session`, with which the user may read for one hour.',
  ],
  sessionExpiry: ['Session expiry', 'End of the session: UTC seconds since 1970, as a string.'],
  'oauth_login>publicKey': [
    'Public key',
    'P-256 public key of the client that becomes the session key; hex, compressed.',
  ],
  'stamp_login>publicKey': [
    'Public key',
    'P-256 public key of the client that becomes the session key; hex, compressed.',
  ],
  'otp_login>publicKey': [
    'Public key',
    'P-256 public key of the client that becomes the session key; hex, compressed.',
  ],
  sessionProfileId: [
    'Session profile ID',
    'UUID of the session profile that limits the session; absent: an unscoped session.',
  ],
  sessionProfileName: [
    'Session profile name',
    'Name of the session profile, unique within the organization.',
  ],
  sessionProfile: ['Session profile', 'The session profile.'],
  sessionProfiles: [
    'Session profiles',
    'All session profiles of the organization; of a sub-organization those of its parent.',
  ],
  scope: ['Scope', 'Condition in the policy language: what a session of this profile may do.'],
  otpType: ['Code type', 'Whether the code is sent by email or in a text message.'],
  contact: ['Contact', 'Email address, or phone number in E.164 format, that the code is sent to.'],
  otpId: ['Code ID', 'UUID of the one-time code; the client needs it to verify the code.'],
  otpCode: ['Code', 'One-time code that the person received.'],
  otpLength: ['Code length', 'Characters of a code: 6 to 9. Default: 9.'],
  alphanumeric: [
    'Alphanumeric',
    'Whether codes have letters and digits (Crockford base 32) rather than digits. Default: true.',
  ],
  otpEncryptionTargetBundle: [
    'Encryption target',
    'Signed public key that the client encrypts the code to; JSON.',
  ],
  encryptedOtpBundle: [
    'Encrypted code',
    'Code and public key of the client, HPKE encrypted to the target of the code.',
  ],
  verificationToken: [
    'Verification token',
    'Signed JWT that proves a verified contact; it is bound to one key and serves once.',
  ],
  'verify_otp>publicKey': ['Public key', 'Key of the client that the token is bound to; hex.'],
  clientSignature: [
    'Client signature',
    'Signature by the key of the verification token over what the token is used for.',
  ],
  'clientSignature.publicKey': [
    'Public key',
    'P-256 public key that the token is bound to; hex, compressed.',
  ],
  'clientSignature.scheme': ['Scheme', 'Signature scheme: ECDSA on P-256 over SHA-256.'],
  'clientSignature.message': [
    'Message',
    'Signed JSON text: token ID, usage, and what the token is used for.',
  ],
  'clientSignature.signature': ['Signature', 'Hex of r and s, 64 bytes.'],
  userIdentifier: [
    'User identifier',
    'Groups requests for rate limits, for example by the address of the end user.',
  ],
  appName: ['Application name', 'Name of the application, shown in the message.'],
  'get_latest_boot_proof?appName': ['Application name', 'Name of the enclave application.'],
  emailCustomization: ['Email customization', 'Texts of the email; absent: the defaults.'],
  smsCustomization: ['SMS customization', 'Text of the message; absent: the default.'],
  logoUrl: ['Logo URL', 'HTTPS address of a logo that the email shows.'],
  magicLinkTemplate: [
    'Link template',
    'URL with `%s` where the code or bundle goes; its origin must be one that the organization allows.',
  ],
  templateVariables: ['Template variables', 'JSON object of texts that the email inserts.'],
  templateId: ['Template ID', 'Refused: the service stores no templates.'],
  template: ['Template', 'Text of the message, with a placeholder for the code.'],
  sendFromEmailAddress: ['Sender address', 'Address that the email is sent from.'],
  sendFromEmailSenderName: ['Sender name', 'Name of the sender. Default: Notifications.'],
  replyToEmailAddress: ['Reply-to address', 'Address that answers to the email go to.'],
  'list_email_events?email': ['Email address', 'Address that was mailed to, in any letter case.'],
  'list_email_events?eventType': ['Event type', 'Returns only events of this type; absent: all.'],
  'list_email_events=emailEvents': ['Events', 'What became of the mails, newest first.'],
  'emailEvents.id': ['Event ID', 'UUID of the event.'],
  'emailEvents.messageId': [
    'Message ID',
    'UUID of the mail; its Message-ID header begins with it.',
  ],
  'emailEvents.eventType': [
    'Event type',
    'Send: the mail server took the mail over. DeliveryDelay: it will be tried again. Bounce: it was not sent.',
  ],
  'emailEvents.fromAddress': ['Sender address', 'Address that the mail was sent from.'],
  'emailEvents.toAddress': ['Address', 'Address that was mailed to.'],
  'emailEvents.senderTenant': ['Sender tenant', 'Empty: the mail server has no tenants.'],
  'emailEvents.timestamp': ['Time', 'When it happened: milliseconds since 1970.'],
  'emailEvents.createdAt': ['Created at', 'The same: milliseconds since 1970.'],
  'emailEvents.details': [
    'Details',
    'Why a mail was delayed or not sent; empty texts if there is no reason.',
  ],
  'details.bounceType': [
    'Bounce type',
    'Permanent: no attempt would succeed. Transient: later attempts may. Undetermined: the service gave the mail up.',
  ],
  'details.bounceSubType': ['Bounce subtype', 'General or Undetermined.'],
  'details.diagnosticCode': [
    'Diagnostic',
    'Code of the mail client with the status of the server, never the words of the server.',
  ],
  'details.deliverySmtpResponse': ['Response', 'Empty: the service does not keep it.'],
  'details.complaintFeedbackType': ['Complaint', 'Empty: the service learns of no complaints.'],
  'details.deliveryDelayType': [
    'Delay type',
    'General: the server refused for now. TransientCommunicationFailure: it was not reached.',
  ],
  provider: ['Provider', 'Provider that speaks OAuth 2.0 without OIDC.'],
  oauth2Credential: ['OAuth 2.0 client', 'Client of the organization at the provider.'],
  oauth2Credentials: ['OAuth 2.0 clients', 'Clients of the organization at providers.'],
  oauth2CredentialId: ['OAuth 2.0 client ID', 'UUID of the client at the provider.'],
  clientId: ['Client ID', 'ID that the provider gave the client.'],
  encryptedClientSecret: [
    'Encrypted client secret',
    'Secret of the client, HPKE encrypted to the key of the service; hex.',
  ],
  authCode: ['Authorization code', 'Code that the provider gave at the end of its login.'],
  redirectUri: ['Redirect URI', 'URI that the authorization code was issued for.'],
  codeVerifier: ['Code verifier', 'PKCE verifier of the login.'],
  'oauth2_authenticate>nonce': [
    'Nonce',
    'SHA-256 of the text of the client key, in hex; the token will carry it.',
  ],
  bearerTokenTargetPublicKey: [
    'Bearer token target',
    'P-256 public key that the provider token is encrypted to; absent: it is not returned.',
  ],
  mfaPolicy: ['MFA policy', 'The MFA policy.'],
  mfaPolicies: ['MFA policies', 'MFA policies of the user, in their order.'],
  mfaPolicyId: ['MFA policy ID', 'UUID of the MFA policy.'],
  mfaPolicyName: ['MFA policy name', 'Name of the MFA policy.'],
  requiredAuthenticationMethods: [
    'Required methods',
    'Steps that are all required, in any order; each is met by any one of its methods.',
  ],
  requiredMethods: [
    'Required methods',
    'Steps that are all required; each is met by any one of its methods.',
  ],
  any: ['Any of', 'Methods of which one suffices for this step.'],
  'any.type': ['Method', 'Kind of credential.'],
  'any.id': [
    'Credential ID',
    'UUID of the one credential or session profile that counts; absent: any of that kind.',
  ],
  satisfiedMethods: ['Satisfied methods', 'Methods with which the user has approved.'],
  'satisfiedMethods.type': ['Method', 'Kind of credential.'],
  'satisfiedMethods.id': ['Credential ID', 'UUID of the credential that was used.'],
  satisfied: ['Satisfied', 'Whether the user has shown everything that the policy requires.'],
  mfaStatuses: ['MFA statuses', 'What users have shown and still must show for the activity.'],
  order: ['Order', 'Position among the MFA policies of the user: the lowest that applies decides.'],
  'mfaPolicies.condition': ['Condition', 'Condition in the policy language: when it applies.'],
  'mfaPolicy.condition': ['Condition', 'Condition in the policy language: when it applies.'],
  'create_mfa_policy>condition': [
    'Condition',
    'Condition in the policy language: for which activities the policy applies.',
  ],
  'update_mfa_policy>condition': [
    'Condition',
    'New condition in the policy language; absent: it stays.',
  ],
};
