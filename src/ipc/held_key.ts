// The way of a root key from the process that starts an enclave to that enclave, past the gateway.

/** The argument of an enclave whose root key stands in `keyDescriptor`. */
export const holdsKeyFlag = '--root-key-in-descriptor';
/** The descriptor that the enclave inherits: 32 bytes. */
export const keyDescriptor = 3;
