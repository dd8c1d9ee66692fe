/** Raises the reader's error with the reason of the refusal. */
export type Refuse = (reason: string) => never;
