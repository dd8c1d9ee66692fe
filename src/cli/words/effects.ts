import { chosen } from './choices.ts';

/** Converts `allow` or `deny` to the effect. Throws `usage`. */
export const effectOf = (word: string) =>
  chosen({ allow: 'EFFECT_ALLOW', deny: 'EFFECT_DENY' } as const, word, '--effect');
