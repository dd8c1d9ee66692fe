// Runs the same tests on each holder of external keys: registration, signatures of each curve, batches,
// transactions.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { recoverTransactionAddress, serializeTransaction } from 'viem';
import type { CurveName } from '../../src/core/base/enums.ts';
import { startTestService } from '../support/harness.ts';
import { testsThatNeed } from '../support/tests_that_need.ts';
import { payloadForm, registered, signatureIn, signPayload } from './external_key_requests.ts';
import { holders, missingFor, type StartedHolder, storedKey } from './holders.ts';

type Signature = { readonly r: string; readonly s: string; readonly v: string };

const digest = '5a'.repeat(32);
const bytesOf = (text: string) => Uint8Array.fromHex(text);

/** Verifies a signature with libraries that the service does not use. */
function assertSigned(
  curve: CurveName,
  publicKey: string,
  payload: string,
  { r, s, v }: Signature,
): void {
  const signature = bytesOf(r + s);
  if (curve === 'CURVE_ED25519') {
    assert.ok(ed25519.verify(signature, bytesOf(payload), bytesOf(publicKey)));
    assert.equal(v, '00');
    return;
  }
  const by = curve === 'CURVE_P256' ? p256 : secp256k1;
  // `lowS` refuses a high s.
  const options = { prehash: false, lowS: true };
  assert.ok(by.verify(signature, bytesOf(payload), bytesOf(publicKey), options));
  const signed = by.Signature.fromBytes(signature).addRecoveryBit(Number(v));
  assert.equal(signed.recoverPublicKey(bytesOf(payload)).toHex(true), publicKey);
}

const stops: (() => unknown)[] = [];
after(async () => {
  for (const stop of stops) await stop();
});

for (const holder of holders) {
  const { test } = testsThatNeed(missingFor(holder));
  let started: Promise<StartedHolder> | undefined;
  /** Both tests use the same keys, since a program creates them. */
  const start = () => {
    started ??= holder.start({ after: (stop) => stops.push(stop) });
    return started;
  };

  test(`${holder.name}: signs with a registered key of each curve`, async (t) => {
    const { keys, serve } = await start();
    const service = await startTestService();
    t.after(() => service.close());
    service.outside.holder = await serve(service.root.organizationId);
    assert.deepEqual(
      keys.map(({ curve }) => curve),
      holder.curves,
    );
    for (const key of keys) {
      const { curve } = key;
      const publicKey = storedKey(key);
      const id = await registered(service, key);
      const { body } = await service.query('get_private_key', { privateKeyId: id });
      assert.equal(body.privateKey.publicKey, publicKey);
      const heldBy = holder.name === 'memory' ? 'command' : holder.name;
      assert.equal(body.privateKey.heldBy, heldBy);

      // Signs several times, so that a module that does not normalize s creates a high s at least once.
      for (let i = 0; i < 4; i += 1) {
        const payload = `${digest.slice(2)}0${i}`;
        const signed = await signPayload(service, id, { payload, curve });
        assert.equal(signed.status, 200, JSON.stringify(signed.body));
        assertSigned(curve, publicKey, payload, signatureIn(signed));
      }

      const payloads = [digest, '00'.repeat(31).concat('01'), 'ff'.repeat(32)];
      const batch = await service.submit('sign_raw_payloads', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', {
        signWith: id,
        payloads,
        ...payloadForm(curve),
        externalSignerPubkey: key.publicKey,
      });
      assert.equal(batch.status, 200, JSON.stringify(batch.body));
      const { signatures } = batch.body.activity.result.signRawPayloadsResult;
      assert.equal(signatures.length, payloads.length);
      for (const [i, payload] of payloads.entries()) {
        assertSigned(curve, publicKey, payload, signatures[i]);
      }
    }
  });

  test(`${holder.name}: signs a transaction of Ethereum`, async (t) => {
    const { keys, serve } = await start();
    const service = await startTestService();
    t.after(() => service.close());
    service.outside.holder = await serve(service.root.organizationId);
    const key = keys.find(({ curve }) => curve === 'CURVE_SECP256K1') ?? assert.fail();
    const id = await registered(service, key);
    const { body } = await service.query('get_private_key', { privateKeyId: id });
    const [{ address }] = body.privateKey.addresses;
    const unsigned = serializeTransaction({
      chainId: 1,
      nonce: 7,
      to: `0x${'11'.repeat(20)}`,
      value: 5n,
      gas: 21_000n,
      maxFeePerGas: 10n,
      maxPriorityFeePerGas: 1n,
    });
    const signed = await service.submit('sign_transaction', 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
      signWith: address,
      unsignedTransaction: unsigned.slice(2),
      type: 'TRANSACTION_TYPE_ETHEREUM',
    });
    assert.equal(signed.status, 200, JSON.stringify(signed.body));
    const { signedTransaction } = signed.body.activity.result.signTransactionResult;
    const serializedTransaction = `0x${signedTransaction.replace(/^0x/, '')}` as `0x02${string}`;
    const recovered = await recoverTransactionAddress({ serializedTransaction });
    assert.equal(recovered.toLowerCase(), address.toLowerCase());
  });
}
