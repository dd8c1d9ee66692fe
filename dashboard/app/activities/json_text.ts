import { shown } from '../service/activity_text.ts';

/** Returns indented JSON with invisible and bidirectional control characters escaped. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, undefined, 2).split('\n').map(shown).join('\n');
