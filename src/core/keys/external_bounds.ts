// Bounds of orders to holders of external keys. The gateway reads them without loading curves.

/** Signatures of one order; a module makes them one after another. */
export const maximumOrderedSignatures = 32;
/** Bytes of all messages of one order. */
export const maximumOrderedBytes = 256 * 1024;
/** The longest form of a signature: DER. */
export const maximumSignatureBytes = 72;
/** Milliseconds. The holder refuses a later order. */
export const orderLifeMs = 60_000;
