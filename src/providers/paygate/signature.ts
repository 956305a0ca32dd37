import { constants, createPublicKey, verify } from 'node:crypto'
import { type Inbound, InvalidProof } from '../port.ts'

export type PublicKeys = (keyId: string) => Promise<string | null>

const DEFAULT_KEY_ID = 'v1'
const keyIdPattern = /^[A-Za-z0-9_-]{1,32}$/
const base64Pattern = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const KEY_BITS_MIN = 2048

/** The id of the key that signed; null where no signature came. Throws InvalidProof for one that is wrong. */
export async function signerOf(
  inbound: Inbound,
  callbackUrl: string,
  publicKeys: PublicKeys,
): Promise<string | null> {
  const signature = inbound.header('X-PayGate-Signature')?.trim()
  if (signature === undefined) return null
  const keyId = inbound.header('X-PayGate-Key-Id')?.trim() ?? DEFAULT_KEY_ID
  if (signature === '' || !base64Pattern.test(signature))
    throw new InvalidProof('The signature is no base64.')
  if (!keyIdPattern.test(keyId)) throw new InvalidProof('The key id is malformed.')
  const pem = await publicKeys(keyId)
  if (pem === null) throw new InvalidProof('The key of the signature is unknown.')
  const signed = signedText(callbackUrl, inbound.rawQuery)
  if (!holds(pem, signed, Buffer.from(signature, 'base64'))) throw new InvalidProof('The signature is wrong.')
  return keyId
}

/** What we registered, up to its query, and then the query as it came: nothing is encoded again. */
const signedText = (callbackUrl: string, rawQuery: string): string =>
  callbackUrl.replace(/[?#].*$/s, '') + (rawQuery && `?${rawQuery}`)

function holds(pem: string, text: string, signature: Buffer): boolean {
  try {
    const key = createPublicKey(pem)
    const strong = (key.asymmetricKeyDetails?.modulusLength ?? 0) >= KEY_BITS_MIN
    const padding = constants.RSA_PKCS1_PADDING
    return (
      key.asymmetricKeyType === 'rsa' &&
      strong &&
      verify('sha256', Buffer.from(text), { key, padding }, signature)
    )
  } catch {
    return false
  }
}
