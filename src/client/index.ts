// The client library: `connect` returns a client, and stamps authenticate its requests.

export type { Chain } from './accounts.ts';
export type { Client, Connection, QueryName, SubmitName } from './connect.ts';
export { connect } from './connect.ts';
export * from './errors.ts';
export type * from './generated/operations.ts';
export type { Outcome } from './outcome.ts';
export type { Authenticators, PasskeyOptions } from './passkey.ts';
export { passkey } from './passkey.ts';
export type { Preview } from './preview.ts';
export type { CallOptions, SubmitOptions } from './requests.ts';
export type { ServiceKeys } from './service_keys.ts';
export type { Session, SessionOptions } from './session.ts';
export { forgetSession, keptSession, newSession } from './sessions.ts';
export type { ApiCredentials, KeyStamp, SigningKey, Stamp } from './stamps.ts';
export { apiKey, attested, externalKey, keyStamp, newKey, readOnlySession } from './stamps.ts';
export type { World } from './transport.ts';
export type { VerifiedActivity } from './verified_activity.ts';
export type { SignedVote, VerifySecp256k1 } from './vote_signatures.ts';
export type { WatchOptions } from './watch.ts';
