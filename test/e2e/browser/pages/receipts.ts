// Verifies a receipt as the page of the verifier does, and measures it.

// @ts-expect-error The page is JavaScript without types.
import { verifyWithNative } from '../../../../packaging/receipts/native.js';
import { verifyReceipt } from '../../../../src/receipts/verify_receipt.ts';

export type Measured = {
  /** Milliseconds of one verification by the packages alone, and with WebCrypto. */
  readonly packagesMs: number;
  readonly nativeMs: number;
  /** Answers of WebCrypto in the last verification. */
  readonly answers: readonly boolean[];
};

const warmUps = 30;

export async function measure(receipt: string, policy: string, rounds: number): Promise<Measured> {
  const byPackages = () => verifyReceipt(receipt, policy);
  const { subtle } = crypto;
  const verify = subtle.verify.bind(subtle);
  let answers: boolean[] = [];
  Object.defineProperty(subtle, 'verify', {
    value: async (...given: Parameters<typeof verify>) => {
      const answer = await verify(...given);
      answers.push(answer);
      return answer;
    },
  });
  const natively = async () => {
    answers = [];
    await verifyWithNative(byPackages);
  };
  const packagesMs = await timed(async () => void byPackages(), rounds);
  return { packagesMs, nativeMs: await timed(natively, rounds), answers };
}

/** Returns the message of a refusal; undefined for a receipt that verifies. */
export async function refusal(receipt: string, policy: string): Promise<string | undefined> {
  try {
    await verifyWithNative(() => verifyReceipt(receipt, policy));
    return undefined;
  } catch (error) {
    return String(error);
  }
}

async function timed(run: () => Promise<void>, rounds: number): Promise<number> {
  for (let i = 0; i < warmUps; i += 1) await run();
  const startedMs = performance.now();
  for (let i = 0; i < rounds; i += 1) await run();
  return (performance.now() - startedMs) / rounds;
}
