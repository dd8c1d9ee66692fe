/** Refuses with the reader's error; the reason becomes part of the refusal of the request. */
export type Refuse = (reason: string) => never;
