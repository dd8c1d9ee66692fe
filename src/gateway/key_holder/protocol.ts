// Limits of the protocol between the gateway and the holder of external keys, for both sides.

/** The largest order contains 256 KiB of messages in hex. */
export const maximumOrderBytes = 1024 * 1024;
/** The largest answer contains the maximum number of signatures in hex. */
export const maximumAnswerBytes = 16 * 1024;
/** Timeout of a command that signs one message, in milliseconds. */
export const signMs = 15_000;
/** Timeout for all signatures of an order, in milliseconds. An order expires after 60 s. */
export const orderMs = 30_000;
/** Timeout for receiving an order, in milliseconds. The gateway sends it immediately. */
export const sendMs = 5_000;
/** Maximum orders in progress. */
export const maximumOrders = 64;
