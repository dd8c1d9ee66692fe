// Does what the question on standard input asks, with the Java platform alone, which Kotlin's client signs
// with as well. The documents of the API family describe the stamp; `test/clients/question.ts` describes
// the question and the answer.

import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPrivateKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public final class Examine {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static String question;

  public static void main(String[] arguments) throws Exception {
    question = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    String account =
        object(
            "curve", "CURVE_SECP256K1",
            "pathFormat", "PATH_FORMAT_BIP32",
            "path", "m/44'/60'/0'/0/0",
            "addressFormat", "ADDRESS_FORMAT_ETHEREUM");
    String wallet =
        submit(
            "create_wallet",
            "CREATE_WALLET",
            "{\"walletName\":\"" + asked("walletName") + "\",\"accounts\":[" + account + "]}",
            "root");
    String address = member(wallet.substring(wallet.indexOf("\"addresses\"")), null);
    String transaction =
        submit(
            "sign_transaction",
            "SIGN_TRANSACTION_V2",
            object(
                "signWith", address,
                "unsignedTransaction", asked("unsignedTransaction"),
                "type", "TRANSACTION_TYPE_ETHEREUM"),
            "root");
    HttpResponse<String> refused = query("whoami", "", "stranger");
    String waiting = member(signDigest(address, "alice"), "id");
    String seen = query("get_activity", ",\"activityId\":\"" + waiting + "\"", "bob").body();
    String approved =
        submit(
            "approve_activity",
            "APPROVE_ACTIVITY",
            object("fingerprint", member(seen, "fingerprint")),
            "bob");
    String stamp = object("name", "X-Stamp", "value", stamp(asked("body"), "root"));
    System.out.print(
        "{\"stamps\":{\"p256\":" + stamp + "},\"users\":{\"p256\":\""
            + member(query("whoami", "", "root").body(), "userId")
            + "\"},\"walletId\":\"" + member(wallet, "walletId")
            + "\",\"address\":\"" + address
            + "\",\"signature\":" + signatureIn(signDigest(address, "root"))
            + ",\"signedTransaction\":\"" + member(transaction, "signedTransaction")
            + "\",\"refusal\":{\"status\":" + refused.statusCode()
            + ",\"message\":\"" + member(refused.body(), "message")
            + "\"},\"waiting\":\"" + waiting
            + "\",\"approved\":{\"activityId\":\"" + member(approved, "id")
            + "\",\"status\":\"" + member(approved, "status")
            + "\",\"signature\":" + signatureIn(approved) + "}}");
  }

  private static String stamp(String body, String key) throws GeneralSecurityException {
    AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
    parameters.init(new ECGenParameterSpec("secp256r1"));
    ECParameterSpec curve = parameters.getParameterSpec(ECParameterSpec.class);
    String pair = question.substring(question.indexOf("\"" + key + "\":"));
    BigInteger secret = new BigInteger(member(pair, "privateKey"), 16);
    PrivateKey privateKey =
        KeyFactory.getInstance("EC").generatePrivate(new ECPrivateKeySpec(secret, curve));
    Signature signer = Signature.getInstance("SHA256withECDSA");
    signer.initSign(privateKey);
    signer.update(body.getBytes(StandardCharsets.UTF_8));
    String stamp =
        object(
            "publicKey", member(pair, "publicKey"),
            "signature", HexFormat.of().formatHex(signer.sign()),
            "scheme", "SIGNATURE_SCHEME_TK_API_P256");
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(stamp.getBytes(StandardCharsets.UTF_8));
  }

  private static HttpResponse<String> post(String path, String body, String key)
      throws GeneralSecurityException, IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(asked("baseUrl") + "/public/v1/" + path))
            .header("Content-Type", "application/json")
            .header("X-Stamp", stamp(body, key))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static HttpResponse<String> query(String operation, String further, String key)
      throws GeneralSecurityException, IOException, InterruptedException {
    String body = "{\"organizationId\":\"" + asked("organizationId") + "\"" + further + "}";
    return post("query/" + operation, body, key);
  }

  private static String submit(String operation, String type, String parameters, String key)
      throws GeneralSecurityException, IOException, InterruptedException {
    String body =
        "{\"type\":\"ACTIVITY_TYPE_" + type
            + "\",\"timestampMs\":\"" + System.currentTimeMillis()
            + "\",\"organizationId\":\"" + asked("organizationId")
            + "\",\"parameters\":" + parameters + "}";
    HttpResponse<String> answer = post("submit/" + operation, body, key);
    if (answer.statusCode() != 200) throw new IOException(answer.body());
    return answer.body();
  }

  private static String signDigest(String address, String key)
      throws GeneralSecurityException, IOException, InterruptedException {
    String parameters =
        object(
            "signWith", address,
            "payload", asked("digest"),
            "encoding", "PAYLOAD_ENCODING_HEXADECIMAL",
            "hashFunction", "HASH_FUNCTION_NO_OP");
    return submit("sign_raw_payload", "SIGN_RAW_PAYLOAD_V2", parameters, key);
  }

  private static String signatureIn(String answer) {
    String result = answer.substring(answer.indexOf("\"signRawPayloadResult\""));
    return object("r", member(result, "r"), "s", member(result, "s"), "v", member(result, "v"));
  }

  private static String asked(String name) {
    return member(question, name);
  }

  /** Returns the first text of this name as it is unescaped, or the first text in brackets. */
  private static String member(String json, String name) {
    String before = name == null ? "\\[" : "\"" + name + "\":";
    Matcher found = Pattern.compile(before + "\"((?:[^\"\\\\]|\\\\.)*)\"").matcher(json);
    if (!found.find()) throw new IllegalStateException("no " + name + " in " + json);
    return found.group(1).replace("\\\"", "\"").replace("\\\\", "\\");
  }

  private static String object(String... namesAndValues) {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      text.append(i == 0 ? "\"" : ",\"").append(namesAndValues[i]);
      text.append("\":\"").append(namesAndValues[i + 1]).append('"');
    }
    return text.append('}').toString();
  }
}
