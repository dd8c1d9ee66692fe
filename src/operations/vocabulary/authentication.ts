import type { MemberTexts } from './member_text.ts';

/** Logins, sessions, one-time codes, messages, recovery, MFA. */
export const authenticationTexts: MemberTexts = {
  oidcToken: 'ID token of the identity provider: a compact JWT.',
  'oauth2_authenticate<oidcToken':
    'ID token that the service issues for the person at the provider.',
  targetPublicKey:
    'P-256 public key of the client, to which the service encrypts its answer; hex, 65 bytes uncompressed.',
  'secrets.targetPublicKey':
    'P-256 public key that the text is or will be encrypted to; hex, 65 bytes uncompressed.',
  credentialBundle:
    'Private key of the session, HPKE encrypted to the target public key; base58check.',
  invalidateExisting:
    'Deletes earlier keys of the same kind of login of this user; of mailed keys once the new key signs. Default: false.',
  session: 'Signed JWT that describes the session; the key authenticates, not the JWT.',
  'create_read_only_session<session':
    'Value of the header `X-Session`, with which the user may read for one hour.',
  sessionExpiry: 'End of the session: UTC seconds since 1970, as a string.',
  'oauth_login>publicKey stamp_login>publicKey otp_login>publicKey':
    'P-256 public key of the client that becomes the session key; hex, compressed.',
  sessionProfileId:
    'UUID of the session profile that limits the session; absent: an unscoped session.',
  sessionProfileName: 'Name of the session profile, unique within the organization.',
  sessionProfile: 'The session profile.',
  sessionProfiles:
    'All session profiles of the organization; of a sub-organization those of its parent.',
  scope: 'Condition in the policy language that limits the activities of a session.',
  otpType: ['Code type', 'Whether the code is sent by email or in a text message.'],
  contact: 'Email address, or phone number in E.164 format, that the code is sent to.',
  otpId: ['Code ID', 'UUID of the one-time code; the client needs it to verify the code.'],
  otpCode: ['Code', 'One-time code that the person received.'],
  otpLength: ['Code length', 'Characters of a code: 6 to 9. Default: 9.'],
  alphanumeric:
    'Whether codes have letters and digits (Crockford base 32) rather than digits. Default: true.',
  otpEncryptionTargetBundle: [
    'Encryption target',
    'Signed public key that the client encrypts the code to; JSON.',
  ],
  encryptedOtpBundle: [
    'Encrypted code',
    'Code and public key of the client, HPKE encrypted to the target of the code.',
  ],
  verificationToken:
    'Signed JWT that proves a verified contact; it is bound to one key and serves once.',
  'verify_otp>publicKey': 'Key of the client that the token is bound to; hex.',
  clientSignature: 'Signature by the key of the verification token over the use of the token.',
  'clientSignature.publicKey': 'P-256 public key that the token is bound to; hex, compressed.',
  'clientSignature.scheme': 'Signature scheme: ECDSA on P-256 over SHA-256.',
  'clientSignature.message': 'Signed JSON text: token ID, usage, and the object of the use.',
  'clientSignature.signature': 'Hex of r and s, 64 bytes.',
  userIdentifier: 'Groups requests for rate limits, for example by the address of the end user.',
  appName: ['Application name', 'Name of the application, shown in the message.'],
  'get_latest_boot_proof?appName': 'Name of the enclave application.',
  emailCustomization: 'Texts of the email; absent: the defaults.',
  smsCustomization: 'Text of the message; absent: the default.',
  logoUrl: 'HTTPS address of a logo that the email shows.',
  magicLinkTemplate: [
    'Link template',
    'URL with `%s` in place of the code or bundle; the organization must allow its origin.',
  ],
  templateVariables: 'JSON object of texts that the email inserts.',
  templateId: 'Refused: the service stores no templates.',
  template: 'Text of the message, with a placeholder for the code.',
  sendFromEmailAddress: ['Sender address', 'Address that the email is sent from.'],
  sendFromEmailSenderName: ['Sender name', 'Name of the sender. Default: Notifications.'],
  replyToEmailAddress: ['Reply-to address', 'Address for answers to the email.'],
  'list_email_events?email': 'Recipient of the mails, in any letter case.',
  'list_email_events?eventType': 'Returns only events of this type; absent: all.',
  'list_email_events=emailEvents': ['Events', 'Outcomes of the mails, newest first.'],
  'emailEvents.id': ['Event ID', 'UUID of the event.'],
  'emailEvents.messageId': 'UUID of the mail; its Message-ID header begins with it.',
  'emailEvents.eventType':
    'Send: the mail server accepted the mail. DeliveryDelay: another attempt follows. Bounce: it was not sent.',
  'emailEvents.fromAddress': ['Sender address', 'Address that the mail was sent from.'],
  'emailEvents.toAddress': ['Address', 'Recipient of the mail.'],
  'emailEvents.senderTenant': 'Empty: the mail server has no tenants.',
  'emailEvents.timestamp': ['Time', 'Time of the event: milliseconds since 1970.'],
  'emailEvents.createdAt': 'The same: milliseconds since 1970.',
  'emailEvents.details': 'Why a mail was delayed or not sent; empty texts if there is no reason.',
  'details.bounceType':
    'Permanent: no attempt would succeed. Transient: later attempts may. Undetermined: the service gave up the mail.',
  'details.bounceSubType': ['Bounce subtype', 'General or Undetermined.'],
  'details.diagnosticCode': [
    'Diagnostic',
    'Code of the mail client with the status of the server, without its text.',
  ],
  'details.deliverySmtpResponse': ['Response', 'Empty: the service does not store it.'],
  'details.complaintFeedbackType': ['Complaint', 'Empty: the service receives no complaints.'],
  'details.deliveryDelayType': [
    'Delay type',
    'General: the server refused for now. TransientCommunicationFailure: it was not reached.',
  ],
  provider: 'Provider that speaks OAuth 2.0 without OIDC.',
  oauth2Credential: ['OAuth 2.0 client', 'Client of the organization at the provider.'],
  oauth2Credentials: ['OAuth 2.0 clients', 'Clients of the organization at providers.'],
  oauth2CredentialId: ['OAuth 2.0 client ID', 'UUID of the client at the provider.'],
  clientId: 'ID of the client at the provider.',
  encryptedClientSecret: 'Secret of the client, HPKE encrypted to the key of the service; hex.',
  authCode: ['Authorization code', 'Code that the provider issued at the end of its login.'],
  redirectUri: 'URI that the authorization code was issued for.',
  codeVerifier: 'PKCE verifier of the login.',
  'oauth2_authenticate>nonce':
    'SHA-256 of the text of the client key, in hex; the token will contain it.',
  bearerTokenTargetPublicKey: [
    'Bearer token target',
    'P-256 public key that the provider token is encrypted to; absent: it is not returned.',
  ],
  mfaPolicy: 'The MFA policy.',
  mfaPolicies: 'MFA policies of the user, in their order.',
  mfaPolicyId: 'UUID of the MFA policy.',
  mfaPolicyName: 'Name of the MFA policy.',
  requiredAuthenticationMethods: [
    'Required methods',
    'Steps that are all required, in any order; any one of its methods satisfies a step.',
  ],
  requiredMethods: 'Steps that are all required; any one of its methods satisfies a step.',
  any: ['Any of', 'Methods for this step; one suffices.'],
  'any.type satisfiedMethods.type': ['Method', 'Kind of credential.'],
  'any.id': [
    'Credential ID',
    'UUID of the one credential or session profile that counts; absent: any of that kind.',
  ],
  satisfiedMethods: 'Methods with which the user has approved.',
  'satisfiedMethods.id': ['Credential ID', 'UUID of the credential that was used.'],
  satisfied: 'Whether the user has satisfied the policy.',
  mfaStatuses: 'Satisfied and missing methods of users for the activity.',
  order: 'Position among the MFA policies of the user: the lowest that applies decides.',
  'mfaPolicies.condition mfaPolicy.condition':
    'Condition in the policy language: the activities to which it applies.',
  'create_mfa_policy>condition':
    'Condition in the policy language: the activities to which the policy applies.',
  'update_mfa_policy>condition': 'New condition in the policy language; absent: unchanged.',
};
