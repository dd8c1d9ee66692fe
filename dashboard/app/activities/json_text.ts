import { shown } from '../service/activity_text.ts';

/** A value as JSON of several lines; what hides or turns letters is made visible. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, undefined, 2).split('\n').map(shown).join('\n');
