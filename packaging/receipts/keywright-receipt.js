#!/usr/bin/env node
// The command of the verifier package: keywright-receipt RECEIPT POLICY.

import { readFileSync } from 'node:fs';
import { verifyReceipt } from '../lib/receipts/verify_receipt.js';
import { factsOf, visible } from './facts.js';

const files = process.argv.slice(2);

/** The exit codes of the keywright command line. */
const exits = { usage: 2, notVerified: 9 };

if (files.length === 2) {
  try {
    const [receipt, policy] = files.map((file) => readFileSync(file, 'utf8'));
    for (const [name, lines] of factsOf(verifyReceipt(receipt, policy))) {
      process.stdout.write(`${name}: ${lines.join('\n  ')}\n`);
    }
  } catch (error) {
    process.stderr.write(`Not verified: ${visible(error.message)}.\n`);
    process.exitCode = exits.notVerified;
  }
} else {
  process.stderr.write('keywright-receipt RECEIPT POLICY\n');
  process.exitCode = exits.usage;
}
