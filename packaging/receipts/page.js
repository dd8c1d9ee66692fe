// Single-file page: verifies a receipt as soon as the user has chosen a receipt and a policy.

import { verifyReceipt } from '../../src/receipts/verify_receipt.ts';
import { factsOf, visible } from './facts.js';
import { verifyWithNative } from './native.js';

const element = (id) => document.getElementById(id);
const inputs = [element('receipt'), element('policy')];

async function verify() {
  const [receipt, policy] = await Promise.all(inputs.map(({ files }) => files[0]?.text()));
  if (receipt === undefined || policy === undefined) return;
  element('facts').replaceChildren();
  try {
    const verified = await verifyWithNative(() => verifyReceipt(receipt, policy));
    element('outcome').textContent = 'Verified.';
    for (const [name, lines] of factsOf(verified)) {
      const [term, description] = ['dt', 'dd'].map((tag) => document.createElement(tag));
      term.textContent = name;
      description.textContent = lines.join('\n');
      element('facts').append(term, description);
    }
  } catch (error) {
    element('outcome').textContent = `Not verified: ${visible(error.message)}.`;
  }
}

for (const input of inputs) input.addEventListener('change', verify);
