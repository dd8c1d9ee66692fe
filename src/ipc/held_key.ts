// Passes a root key from the parent process of an enclave to the enclave, without the gateway.

/** The argument of an enclave that reads its root key from `keyDescriptor`. */
export const holdsKeyFlag = '--root-key-in-descriptor';
/** The inherited descriptor of the enclave, with 32 bytes, or 64 during a rotation. */
export const keyDescriptor = 3;
