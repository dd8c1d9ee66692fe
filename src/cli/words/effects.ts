// Effects of policies, by the words that people type.

import { chosen } from './choices.ts';

/** `allow` and `deny`. Raises `usage`. */
export const effectOf = (word: string) =>
  chosen({ allow: 'EFFECT_ALLOW', deny: 'EFFECT_DENY' } as const, word, '--effect');
