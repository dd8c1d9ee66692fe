// The client library: `connect` gives a function a style of request, stamps say who asks.

export type { Chain } from './accounts.ts';
export type { Client, Connection, Preview, QueryName, SubmitName } from './connect.ts';
export { connect } from './connect.ts';
export * from './errors.ts';
export type * from './operations.ts';
export type { Outcome } from './outcome.ts';
export type { CallOptions } from './requests.ts';
export type { ApiCredentials, ExternalKey, Stamp } from './stamps.ts';
export { apiKey, externalKey, keyStamp } from './stamps.ts';
export type { World } from './transport.ts';
export type { VerifiedActivity } from './verified_activity.ts';
export type { WatchOptions } from './watch.ts';
