import { solanaSendComplaints } from '../../simulation/authority.ts';
import { idsWhere } from '../../simulation/effect_parts.ts';
import { solanaSigners } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { describedSolanaSend } from './solana_requests.ts';

export default activityCase({
  types: 'SOL_SEND_TRANSACTION_V2 SOL_SEND_TRANSACTION',
  subject: 'PRIVATE_KEY SIGN',
  rule: 'policies',
  calls: [{ parameters: ({ solanaAddress }) => describedSolanaSend([solanaAddress]) }],
  generate: {
    weight: 1,
    parameters: (world) => describedSolanaSend(solanaSigners(world)),
  },
  effect: ({ intent, result, before, after }) => {
    const send = after.rows.send.get(result.sendTransactionStatusId);
    const [address] = intent.signWiths;
    const [known] = idsWhere(before, 'sender', (row) => row.address === address);
    return {
      created: {
        send: [result.sendTransactionStatusId],
        ...(known === undefined ? { sender: 1 } : {}),
      },
      ...(known === undefined ? {} : { updated: { sender: [known] } }),
      complaints:
        send === undefined
          ? ['nothing is sent']
          : solanaSendComplaints(intent, send.signedTransaction, before),
      facts: { 'it is of Solana': send?.family === 'solana' && 'lifetime' in send },
    };
  },
});
