// The topics that a client may wait for.

export const newsKinds = ['activities', 'deliveries'] as const;

/** The activities of an organization, or the events of a webhook endpoint, by id. */
export type NewsTopic = { readonly kind: (typeof newsKinds)[number]; readonly id: string };

/** A topic, and whether the answer changes it. */
export type NewsState = NewsTopic & { readonly hasNews: boolean };
