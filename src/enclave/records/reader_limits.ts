/** Rows that one look-up may bring; an address that sits in more wallets than this is cut off. */
export const maximumLookupRows = 100;
