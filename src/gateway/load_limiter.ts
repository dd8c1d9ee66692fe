/** How much may be under way at one time. */
export type AdmissionLimits = {
  /** Requests. */
  readonly inFlightMaximum: number;
  /** Bytes of all request bodies together. */
  readonly bodyMemoryBytes: number;
  /** Largest body: what a request of unannounced length is counted with. */
  readonly bodyLimitBytes: number;
};

export type Admission = {
  /**
   * Counts a request in by the value of its Content-Length. Gives the function that counts it out
   * again, or undefined when it does not fit.
   */
  enter(contentLength: string | undefined): (() => void) | undefined;
};

/** Counts requests and the memory of their bodies before any of it is taken. */
export function createAdmission(limits: AdmissionLimits): Admission {
  let requests = 0;
  let bytes = 0;
  return {
    enter: (contentLength) => {
      const announced = Number(contentLength ?? limits.bodyLimitBytes);
      // A longer body is refused before it is read, so it never takes more than the limit.
      const own = Math.min(announced, limits.bodyLimitBytes);
      if (requests >= limits.inFlightMaximum || bytes + own > limits.bodyMemoryBytes) {
        return undefined;
      }
      requests += 1;
      bytes += own;
      let isInside = true;
      return () => {
        if (!isInside) return;
        isInside = false;
        requests -= 1;
        bytes -= own;
      };
    },
  };
}
