export { whoami } from './whoami.ts';
