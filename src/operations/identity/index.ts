import { whoami } from './whoami.ts';

export const identityQueries = { whoami };
