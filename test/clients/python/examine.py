"""Does with the Python packages what the question on standard input asks; answers on standard output.

`test/clients/question.ts` describes both.
"""

import json
import sys

from turnkey_api_key_stamper import ApiKeyStamper, ApiKeyStamperConfig
from turnkey_http import TurnkeyClient
from turnkey_sdk_types import (
    ApproveActivityBody,
    CreateWalletBody,
    GetActivityBody,
    SignRawPayloadBody,
    SignTransactionBody,
    TurnkeyActivityConsensusNeededError,
    TurnkeyNetworkError,
    v1AddressFormat,
    v1Curve,
    v1HashFunction,
    v1PathFormat,
    v1PayloadEncoding,
    v1TransactionType,
    v1WalletAccountParams,
)

question = json.load(sys.stdin)


def stamper_of(key):
    return ApiKeyStamper(ApiKeyStamperConfig(key["publicKey"], key["privateKey"]))


def client_of(name):
    return TurnkeyClient(
        base_url=question["baseUrl"],
        stamper=stamper_of(question[name]),
        organization_id=question["organizationId"],
    )


def payload(sign_with):
    return SignRawPayloadBody(
        signWith=sign_with,
        payload=question["digest"],
        encoding=v1PayloadEncoding.PAYLOAD_ENCODING_HEXADECIMAL,
        hashFunction=v1HashFunction.HASH_FUNCTION_NO_OP,
    )


def signature_in(result):
    return {"r": result.r, "s": result.s, "v": result.v}


stamp = stamper_of(question["root"]).stamp(question["body"])
root = client_of("root")

wallet = root.create_wallet(
    CreateWalletBody(
        walletName=question["walletName"],
        accounts=[
            v1WalletAccountParams(
                curve=v1Curve.CURVE_SECP256K1,
                pathFormat=v1PathFormat.PATH_FORMAT_BIP32,
                path="m/44'/60'/0'/0/0",
                addressFormat=v1AddressFormat.ADDRESS_FORMAT_ETHEREUM,
            )
        ],
    )
)
address = wallet.addresses[0]

try:
    client_of("stranger").get_whoami()
    refusal = {}
except TurnkeyNetworkError as error:
    refusal = {"status": error.status_code, "message": str(error)}

try:
    client_of("alice").sign_raw_payload(payload(address))
    waiting = None
except TurnkeyActivityConsensusNeededError as error:
    waiting = error.activity_id
bob = client_of("bob")
fingerprint = bob.get_activity(GetActivityBody(activityId=waiting)).activity.fingerprint
approved = bob.approve_activity(ApproveActivityBody(fingerprint=fingerprint)).activity

json.dump(
    {
        "stamps": {"p256": {"name": stamp.stamp_header_name, "value": stamp.stamp_header_value}},
        "users": {"p256": root.get_whoami().userId},
        "walletId": wallet.walletId,
        "address": address,
        "signature": signature_in(root.sign_raw_payload(payload(address))),
        "signedTransaction": root.sign_transaction(
            SignTransactionBody(
                signWith=address,
                unsignedTransaction=question["unsignedTransaction"],
                type=v1TransactionType.TRANSACTION_TYPE_ETHEREUM,
            )
        ).signedTransaction,
        "refusal": refusal,
        "waiting": waiting,
        "approved": {
            "activityId": approved.id,
            "status": approved.status.value,
            "signature": signature_in(approved.result.signRawPayloadResult),
        },
    },
    sys.stdout,
)
