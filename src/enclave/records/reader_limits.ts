/** Maximum rows of one lookup. Further wallets with the same address are not found. */
export const maximumLookupRows = 100;
