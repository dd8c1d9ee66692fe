# Does what the question on standard input asks, with Ruby's own libraries alone. The documents of the API
# family describe the stamp; `test/clients/question.ts` describes the question and the answer.

require 'base64'
require 'json'
require 'net/http'
require 'openssl'

QUESTION = JSON.parse($stdin.read)

# An API key on P-256 that stamps bodies.
class Stamper
  def initialize(key)
    @public_key = key.fetch('publicKey')
    group = OpenSSL::PKey::EC::Group.new('prime256v1')
    secret = OpenSSL::BN.new(key.fetch('privateKey'), 16)
    point = group.generator.mul(secret)
    @key = OpenSSL::PKey::EC.new(
      OpenSSL::ASN1::Sequence(
        [
          OpenSSL::ASN1::Integer(1),
          OpenSSL::ASN1::OctetString(secret.to_s(2).rjust(32, "\0")),
          OpenSSL::ASN1::ObjectId('prime256v1', 0, :EXPLICIT),
          OpenSSL::ASN1::BitString(point.to_octet_string(:uncompressed), 1, :EXPLICIT)
        ]
      ).to_der
    )
  end

  def stamp(body)
    stamp = {
      publicKey: @public_key,
      signature: @key.sign('SHA256', body).unpack1('H*'),
      scheme: 'SIGNATURE_SCHEME_TK_API_P256'
    }
    Base64.urlsafe_encode64(JSON.generate(stamp), padding: false)
  end
end

# Returns the status and the body of the answer.
def post(path, body, key)
  uri = URI("#{QUESTION['baseUrl']}/public/v1/#{path}")
  text = JSON.generate(body)
  headers = { 'Content-Type' => 'application/json', 'X-Stamp' => Stamper.new(QUESTION[key]).stamp(text) }
  answer = Net::HTTP.post(uri, text, headers)
  [answer.code.to_i, JSON.parse(answer.body)]
end

def query(operation, parameters, key)
  body = { organizationId: QUESTION['organizationId'], **parameters }
  post("query/#{operation}", body, key)
end

def submit(operation, type, parameters, key)
  body = {
    type: "ACTIVITY_TYPE_#{type}",
    timestampMs: (Time.now.to_f * 1000).to_i.to_s,
    organizationId: QUESTION['organizationId'],
    parameters: parameters
  }
  status, answer = post("submit/#{operation}", body, key)
  raise answer.to_s unless status == 200

  answer.fetch('activity')
end

def sign_digest(address, key)
  parameters = {
    signWith: address,
    payload: QUESTION['digest'],
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: 'HASH_FUNCTION_NO_OP'
  }
  submit('sign_raw_payload', 'SIGN_RAW_PAYLOAD_V2', parameters, key)
end

account = {
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: "m/44'/60'/0'/0/0",
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM'
}
made = submit('create_wallet', 'CREATE_WALLET', { walletName: QUESTION['walletName'], accounts: [account] }, 'root')
wallet = made.dig('result', 'createWalletResult')
address = wallet.fetch('addresses').first

transaction = submit(
  'sign_transaction',
  'SIGN_TRANSACTION_V2',
  {
    signWith: address,
    unsignedTransaction: QUESTION['unsignedTransaction'],
    type: 'TRANSACTION_TYPE_ETHEREUM'
  },
  'root'
)

status, refused = query('whoami', {}, 'stranger')
waiting = sign_digest(address, 'alice')
_, seen = query('get_activity', { activityId: waiting.fetch('id') }, 'bob')
fingerprint = seen.dig('activity', 'fingerprint')
approved = submit('approve_activity', 'APPROVE_ACTIVITY', { fingerprint: fingerprint }, 'bob')

puts JSON.generate(
  stamps: { p256: { name: 'X-Stamp', value: Stamper.new(QUESTION['root']).stamp(QUESTION['body']) } },
  users: { p256: query('whoami', {}, 'root').last.fetch('userId') },
  walletId: wallet.fetch('walletId'),
  address: address,
  signature: sign_digest(address, 'root').dig('result', 'signRawPayloadResult'),
  signedTransaction: transaction.dig('result', 'signTransactionResult', 'signedTransaction'),
  refusal: { status: status, message: refused.fetch('message') },
  waiting: waiting.fetch('id'),
  approved: {
    activityId: approved.fetch('id'),
    status: approved.fetch('status'),
    signature: approved.dig('result', 'signRawPayloadResult')
  }
)
