// The bounds of the conversation between the gateway and the holder of external keys, which both sides keep.

/** The largest order has 256 KiB of messages in hex. */
export const maximumOrderBytes = 1024 * 1024;
/** The answer to the most signatures of an order, in hex. */
export const maximumAnswerBytes = 16 * 1024;
/** A command that signs one message may take so long, in milliseconds. */
export const signMs = 15_000;
/** All signatures of an order, in milliseconds: below the 60 s after which an order expires. */
export const orderMs = 30_000;
/** The sender of an order needs no time to think. */
export const sendMs = 5_000;
/** Orders under way. */
export const maximumOrders = 64;
