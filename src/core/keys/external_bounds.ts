// Bounds of orders to holders of external keys. The gateway reads them without loading curves.

/** Maximum number of signatures in an order; a module creates them one by one. */
export const maximumOrderedSignatures = 32;
/** Maximum total size of an order's messages. */
export const maximumOrderedBytes = 256 * 1024;
/** Maximum length of a signature, in DER. */
export const maximumSignatureBytes = 72;
/** Lifetime of an order; the holder rejects it afterwards. */
export const orderLifeMs = 60_000;
