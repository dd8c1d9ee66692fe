//! Does with the Rust crates what the question on standard input asks; answers on standard output.
//! `test/clients/question.ts` describes both.

use std::error::Error;
use std::io;

use serde_json::{Value, json};
use turnkey_api_key_stamper::{Stamp, TurnkeyP256ApiKey, TurnkeySecp256k1ApiKey};
use turnkey_client::generated::immutable::common::v1::{
    AddressFormat, Curve, HashFunction, PathFormat, PayloadEncoding, TransactionType,
};
use turnkey_client::generated::{
    ApproveActivityIntent, CreateWalletIntent, ExportWalletIntent, GetActivityRequest,
    GetWhoamiRequest, SignRawPayloadIntentV2, SignTransactionIntentV2, WalletAccountParams, result,
};
use turnkey_client::{TurnkeyClient, TurnkeyClientError};
use turnkey_enclave_encrypt::{ExportClient, QuorumPublicKey};

type Failure = Box<dyn Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let question: Value = serde_json::from_reader(io::stdin())?;
    let text = |name: &str| question[name].as_str().unwrap_or_default().to_string();
    let p256 = |name: &str| {
        let key = &question[name];
        TurnkeyP256ApiKey::from_strings(member(key, "privateKey"), Some(member(key, "publicKey")))
    };
    let secp256k1 = || {
        let key = &question["rootSecp256k1"];
        TurnkeySecp256k1ApiKey::from_strings(
            member(key, "privateKey"),
            Some(member(key, "publicKey")),
        )
    };
    let organization_id = text("organizationId");
    let base_url = text("baseUrl");
    let whoami = || GetWhoamiRequest {
        organization_id: organization_id.clone(),
    };

    let body = text("body");
    let p256_stamp = p256("root")?.stamp(body.as_bytes())?;
    let secp256k1_stamp = secp256k1()?.stamp(body.as_bytes())?;
    let root = client(&base_url, p256("root")?)?;
    let other_root = client(&base_url, secp256k1()?)?;
    let p256_user = root.get_whoami(whoami()).await?.user_id;
    let secp256k1_user = other_root.get_whoami(whoami()).await?.user_id;

    let wallet = root
        .create_wallet(
            organization_id.clone(),
            root.current_timestamp(),
            CreateWalletIntent {
                wallet_name: text("walletName"),
                accounts: vec![WalletAccountParams {
                    curve: Curve::Secp256k1,
                    path_format: PathFormat::Bip32,
                    path: "m/44'/60'/0'/0/0".to_string(),
                    address_format: AddressFormat::Ethereum,
                    name: None,
                }],
                mnemonic_length: None,
            },
        )
        .await?
        .result;
    let address = wallet.addresses[0].clone();
    let signer_key = QuorumPublicKey::from_string(text("signerKey").repeat(2))?;
    let mut exporter = ExportClient::new(&signer_key);
    let exported = root
        .export_wallet(
            organization_id.clone(),
            root.current_timestamp(),
            ExportWalletIntent {
                wallet_id: wallet.wallet_id.clone(),
                target_public_key: exporter.target_public_key()?,
                language: None,
            },
        )
        .await?
        .result;
    let mnemonic =
        exporter.decrypt_wallet_mnemonic_phrase(exported.export_bundle, &organization_id)?;
    let payload = || SignRawPayloadIntentV2 {
        sign_with: address.clone(),
        payload: text("digest"),
        encoding: PayloadEncoding::Hexadecimal,
        hash_function: HashFunction::NoOp,
        external_signer_pubkey: None,
    };
    let signature = root
        .sign_raw_payload(organization_id.clone(), root.current_timestamp(), payload())
        .await?
        .result;
    let transaction = root
        .sign_transaction(
            organization_id.clone(),
            root.current_timestamp(),
            SignTransactionIntentV2 {
                sign_with: address.clone(),
                unsigned_transaction: text("unsignedTransaction"),
                r#type: TransactionType::Ethereum,
                external_signer_pubkey: None,
            },
        )
        .await?
        .result;

    let refusal = match client(&base_url, p256("stranger")?)?
        .get_whoami(whoami())
        .await
    {
        Err(TurnkeyClientError::UnexpectedHttpStatus(status, message)) => {
            json!({ "status": status, "message": message })
        }
        other => return Err(format!("a stranger was answered {other:?}").into()),
    };

    let alice = client(&base_url, p256("alice")?)?;
    let waiting = match alice
        .sign_raw_payload(
            organization_id.clone(),
            alice.current_timestamp(),
            payload(),
        )
        .await
    {
        Err(TurnkeyClientError::ActivityRequiresApproval(activity_id)) => activity_id,
        other => return Err(format!("no vote was asked for: {other:?}").into()),
    };
    let bob = client(&base_url, p256("bob")?)?;
    let request = GetActivityRequest {
        organization_id: organization_id.clone(),
        activity_id: waiting.clone(),
    };
    let fingerprint = bob
        .get_activity(request)
        .await?
        .activity
        .ok_or("no activity")?
        .fingerprint;
    let approved = bob
        .approve_activity(
            organization_id.clone(),
            bob.current_timestamp(),
            ApproveActivityIntent { fingerprint },
        )
        .await?;
    let approved_signature = match approved.result.and_then(|it| it.inner) {
        Some(result::Inner::SignRawPayloadResult(signature)) => signature,
        other => return Err(format!("the vote came to {other:?}").into()),
    };

    let answer = json!({
        "stamps": {
            "p256": { "name": p256_stamp.name, "value": p256_stamp.value },
            "secp256k1": { "name": secp256k1_stamp.name, "value": secp256k1_stamp.value },
        },
        "users": { "p256": p256_user, "secp256k1": secp256k1_user },
        "walletId": wallet.wallet_id,
        "address": address,
        "mnemonic": mnemonic,
        "signature": { "r": signature.r, "s": signature.s, "v": signature.v },
        "signedTransaction": transaction.signed_transaction,
        "refusal": refusal,
        "waiting": waiting,
        "approved": {
            "activityId": approved.id,
            "status": approved.status.as_str_name(),
            "signature": {
                "r": approved_signature.r,
                "s": approved_signature.s,
                "v": approved_signature.v,
            },
        },
    });
    println!("{answer}");
    Ok(())
}

fn client<S: Stamp>(base_url: &str, key: S) -> Result<TurnkeyClient<S>, TurnkeyClientError> {
    TurnkeyClient::builder()
        .api_key(key)
        .base_url(base_url)
        .build()
}

fn member<'a>(object: &'a Value, name: &str) -> &'a str {
    object[name].as_str().unwrap_or_default()
}
