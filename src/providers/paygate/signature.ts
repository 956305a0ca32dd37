import { constants, createPublicKey, verify } from 'node:crypto'
import { type Inbound, InvalidProof } from '../port.ts'

/** The PEM of a public key by its id; null for an unknown id. */
export type PublicKeys = (keyId: string) => Promise<string | null>

const DEFAULT_KEY_ID = 'v1'
const keyIdPattern = /^[A-Za-z0-9_-]{1,32}$/
const base64Pattern = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const KEY_BITS_MIN = 2048

/** The id of the key that signed; null without a signature. Throws InvalidProof for a wrong one. */
export async function verifySignature(
  inbound: Inbound,
  callbackUrl: string,
  publicKeys: PublicKeys,
): Promise<string | null> {
  const signature = inbound.headers.get('X-PayGate-Signature')?.trim()
  if (signature === undefined) return null
  const keyId = inbound.headers.get('X-PayGate-Key-Id')?.trim() ?? DEFAULT_KEY_ID
  if (signature === '' || !base64Pattern.test(signature))
    throw new InvalidProof('The signature is not base64.')
  if (!keyIdPattern.test(keyId)) throw new InvalidProof('The key id is malformed.')
  const pem = await publicKeys(keyId)
  if (pem === null) throw new InvalidProof('The key of the signature is unknown.')
  const signed = signedText(callbackUrl, inbound.query)
  if (!isSigned(pem, signed, Buffer.from(signature, 'base64')))
    throw new InvalidProof('The signature is wrong.')
  return keyId
}

/** The registered URL without its query, then the query as it arrived: nothing is encoded again. */
const signedText = (callbackUrl: string, query: string): string =>
  callbackUrl.replace(/[?#].*$/s, '') + (query && `?${query}`)

function isSigned(pem: string, text: string, signature: Buffer): boolean {
  try {
    const key = createPublicKey(pem)
    const isStrong = (key.asymmetricKeyDetails?.modulusLength ?? 0) >= KEY_BITS_MIN
    const padding = constants.RSA_PKCS1_PADDING
    return (
      key.asymmetricKeyType === 'rsa' &&
      isStrong &&
      verify('sha256', Buffer.from(text), { key, padding }, signature)
    )
  } catch {
    return false
  }
}
