// Passes a root key from the parent process of an enclave to the enclave, without the gateway.

/** The argument of an enclave that reads its root key from `keyDescriptor`. */
export const holdsKeyFlag = '--root-key-in-descriptor';
/** The inherited descriptor of the enclave, which holds 32 bytes. */
export const keyDescriptor = 3;
