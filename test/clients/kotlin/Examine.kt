// Does what the question on standard input asks, in Kotlin. The documents of the API family describe the
// stamp; `test/clients/question.ts` describes the question and the answer.

import java.math.BigInteger
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.security.AlgorithmParameters
import java.security.KeyFactory
import java.security.Signature
import java.security.spec.ECGenParameterSpec
import java.security.spec.ECParameterSpec
import java.security.spec.ECPrivateKeySpec
import java.util.Base64

private val question = System.`in`.readBytes().decodeToString()
private val http = HttpClient.newHttpClient()

/** Returns the first text of this name as it is unescaped. */
private fun String.text(name: String): String = firstText(Regex("\"$name\":\"((?:[^\"\\\\]|\\\\.)*)\""))

private fun String.firstText(pattern: Regex): String {
    val found = pattern.find(this) ?: error("no ${pattern.pattern} in $this")
    return found.groupValues[1].replace("\\\"", "\"").replace("\\\\", "\\")
}

private fun json(vararg members: Pair<String, String>): String =
    members.joinToString(",", "{", "}") { (name, value) -> "\"$name\":\"$value\"" }

private fun stamp(body: String, key: String): String {
    val pair = question.substringAfter("\"$key\":")
    val parameters = AlgorithmParameters.getInstance("EC")
    parameters.init(ECGenParameterSpec("secp256r1"))
    val curve = parameters.getParameterSpec(ECParameterSpec::class.java)
    val secret = ECPrivateKeySpec(BigInteger(pair.text("privateKey"), 16), curve)
    val signer = Signature.getInstance("SHA256withECDSA")
    signer.initSign(KeyFactory.getInstance("EC").generatePrivate(secret))
    signer.update(body.encodeToByteArray())
    val stamp = json(
        "publicKey" to pair.text("publicKey"),
        "signature" to signer.sign().joinToString("") { "%02x".format(it) },
        "scheme" to "SIGNATURE_SCHEME_TK_API_P256",
    )
    return Base64.getUrlEncoder().withoutPadding().encodeToString(stamp.encodeToByteArray())
}

private fun post(path: String, body: String, key: String): HttpResponse<String> {
    val address = URI.create("${question.text("baseUrl")}/public/v1/$path")
    val request = HttpRequest.newBuilder(address)
        .header("Content-Type", "application/json")
        .header("X-Stamp", stamp(body, key))
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build()
    return http.send(request, HttpResponse.BodyHandlers.ofString())
}

private fun query(operation: String, key: String, further: String = ""): HttpResponse<String> {
    val organization = question.text("organizationId")
    return post("query/$operation", "{\"organizationId\":\"$organization\"$further}", key)
}

private fun submit(operation: String, type: String, parameters: String, key: String): String {
    val body = json(
        "type" to "ACTIVITY_TYPE_$type",
        "timestampMs" to System.currentTimeMillis().toString(),
        "organizationId" to question.text("organizationId"),
    )
    val answer = post("submit/$operation", "${body.dropLast(1)},\"parameters\":$parameters}", key)
    check(answer.statusCode() == 200) { answer.body() }
    return answer.body()
}

private fun signDigest(address: String, key: String): String {
    val parameters = json(
        "signWith" to address,
        "payload" to question.text("digest"),
        "encoding" to "PAYLOAD_ENCODING_HEXADECIMAL",
        "hashFunction" to "HASH_FUNCTION_NO_OP",
    )
    return submit("sign_raw_payload", "SIGN_RAW_PAYLOAD_V2", parameters, key)
}

private fun signatureIn(answer: String): String {
    val result = answer.substringAfter("\"signRawPayloadResult\"")
    return json(*listOf("r", "s", "v").map { it to result.text(it) }.toTypedArray())
}

fun main() {
    val account = json(
        "curve" to "CURVE_SECP256K1",
        "pathFormat" to "PATH_FORMAT_BIP32",
        "path" to "m/44'/60'/0'/0/0",
        "addressFormat" to "ADDRESS_FORMAT_ETHEREUM",
    )
    val described = "{\"walletName\":\"${question.text("walletName")}\",\"accounts\":[$account]}"
    val wallet = submit("create_wallet", "CREATE_WALLET", described, "root")
    val address = wallet.substringAfter("\"addresses\"").firstText(Regex("\\[\"([^\"]*)\""))
    val unsigned = json(
        "signWith" to address,
        "unsignedTransaction" to question.text("unsignedTransaction"),
        "type" to "TRANSACTION_TYPE_ETHEREUM",
    )
    val transaction = submit("sign_transaction", "SIGN_TRANSACTION_V2", unsigned, "root")
    val refused = query("whoami", "stranger")
    val waiting = signDigest(address, "alice").text("id")
    val seen = query("get_activity", "bob", ",\"activityId\":\"$waiting\"").body()
    val fingerprint = json("fingerprint" to seen.text("fingerprint"))
    val approved = submit("approve_activity", "APPROVE_ACTIVITY", fingerprint, "bob")
    val stamp = json("name" to "X-Stamp", "value" to stamp(question.text("body"), "root"))
    val userId = query("whoami", "root").body().text("userId")
    print(
        "{\"stamps\":{\"p256\":$stamp},\"users\":{\"p256\":\"$userId\"}," +
            "\"walletId\":\"${wallet.text("walletId")}\",\"address\":\"$address\"," +
            "\"signature\":${signatureIn(signDigest(address, "root"))}," +
            "\"signedTransaction\":\"${transaction.text("signedTransaction")}\"," +
            "\"refusal\":{\"status\":${refused.statusCode()}," +
            "\"message\":\"${refused.body().text("message")}\"}," +
            "\"waiting\":\"$waiting\",\"approved\":{\"activityId\":\"${approved.text("id")}\"," +
            "\"status\":\"${approved.text("status")}\",\"signature\":${signatureIn(approved)}}}",
    )
}
