"""Does with a client generated from the OpenAPI document what the question on standard input asks.

Answers on standard output. `test/clients/question.ts` describes both. Stamps are made by hand.
"""

import base64
import json
import sys
import time
from uuid import UUID

import httpx
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from generated_client import Client
from generated_client.api.activities import approve_activity, get_activity
from generated_client.api.identity import whoami
from generated_client.api.signing import sign_raw_payload, sign_transaction
from generated_client.api.wallets import create_wallet
from generated_client.models import (
    AddressFormat,
    ApproveActivityIntent,
    ApproveActivityRequest,
    CreateWalletIntent,
    CreateWalletRequest,
    Curve,
    GetActivityBody,
    HashFunction,
    PayloadEncoding,
    SignRawPayloadIntentV2,
    SignRawPayloadV2Request,
    SignTransactionIntentV2,
    SignTransactionV2Request,
    WalletAccountParams,
    WalletAccountParamsPathFormat,
    WhoamiBody,
)

question = json.load(sys.stdin)
organization_id = UUID(question["organizationId"])


def stamp_of(key, body):
    private_key = ec.derive_private_key(int(key["privateKey"], 16), ec.SECP256R1())
    stamp = {
        "publicKey": key["publicKey"],
        "scheme": "SIGNATURE_SCHEME_TK_API_P256",
        "signature": private_key.sign(body, ec.ECDSA(hashes.SHA256())).hex(),
    }
    return base64.urlsafe_b64encode(json.dumps(stamp).encode()).decode().rstrip("=")


def client_of(key):
    def stamp(request: httpx.Request):
        request.headers["X-Stamp"] = stamp_of(key, request.content)

    return Client(
        base_url=question["baseUrl"], httpx_args={"event_hooks": {"request": [stamp]}}
    )


def now():
    return str(time.time_ns() // 1_000_000)


def sign_digest(client):
    return sign_raw_payload.sync(
        client=client,
        body=SignRawPayloadV2Request(
            type_="ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2",
            timestamp_ms=now(),
            organization_id=organization_id,
            parameters=SignRawPayloadIntentV2(
                sign_with=address,
                payload=question["digest"],
                encoding=PayloadEncoding.PAYLOAD_ENCODING_HEXADECIMAL,
                hash_function=HashFunction.HASH_FUNCTION_NO_OP,
            ),
        ),
    ).activity


root, alice, bob = (client_of(question[name]) for name in ("root", "alice", "bob"))
who = WhoamiBody(organization_id=organization_id)

wallet = create_wallet.sync(
    client=root,
    body=CreateWalletRequest(
        type_="ACTIVITY_TYPE_CREATE_WALLET",
        timestamp_ms=now(),
        organization_id=organization_id,
        parameters=CreateWalletIntent(
            wallet_name=question["walletName"],
            accounts=[
                WalletAccountParams(
                    curve=Curve.CURVE_SECP256K1,
                    path_format=WalletAccountParamsPathFormat.PATH_FORMAT_BIP32,
                    path="m/44'/60'/0'/0/0",
                    address_format=AddressFormat.ADDRESS_FORMAT_ETHEREUM,
                )
            ],
        ),
    ),
).activity.result.create_wallet_result
address = wallet.addresses[0]

transaction = sign_transaction.sync(
    client=root,
    body=SignTransactionV2Request(
        type_="ACTIVITY_TYPE_SIGN_TRANSACTION_V2",
        timestamp_ms=now(),
        organization_id=organization_id,
        parameters=SignTransactionIntentV2(
            sign_with=address,
            unsigned_transaction=question["unsignedTransaction"],
            type_="TRANSACTION_TYPE_ETHEREUM",
        ),
    ),
).activity.result.sign_transaction_result

refusal = whoami.sync_detailed(client=client_of(question["stranger"]), body=who)

waiting = sign_digest(alice).id
asked = GetActivityBody(organization_id=organization_id, activity_id=UUID(waiting))
approved = approve_activity.sync(
    client=bob,
    body=ApproveActivityRequest(
        type_="ACTIVITY_TYPE_APPROVE_ACTIVITY",
        timestamp_ms=now(),
        organization_id=organization_id,
        parameters=ApproveActivityIntent(
            fingerprint=get_activity.sync(client=bob, body=asked).activity.fingerprint
        ),
    ),
).activity

json.dump(
    {
        "stamps": {
            "p256": {
                "name": "X-Stamp",
                "value": stamp_of(question["root"], question["body"].encode()),
            }
        },
        "users": {"p256": whoami.sync(client=root, body=who).user_id},
        "walletId": wallet.wallet_id,
        "address": address,
        "signature": sign_digest(root).result.sign_raw_payload_result.to_dict(),
        "signedTransaction": transaction.signed_transaction,
        "refusal": {"status": refusal.status_code, "message": refusal.parsed.message},
        "waiting": waiting,
        "approved": {
            "activityId": approved.id,
            "status": approved.status.value,
            # What a vote comes to depends on the activity that it is for.
            "signature": approved.result.to_dict()["signRawPayloadResult"],
        },
    },
    sys.stdout,
)
