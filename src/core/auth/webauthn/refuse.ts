/** How whoever reads says no: the words go into the refusal of the request at hand. */
export type Refuse = (reason: string) => never;
