import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { type Inbound, InvalidProof } from '../port.ts'

const KEY_BITS_MIN = 2048
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/

/** True if a text can be the ID of a key in a callback. */
export const isKeyId = (id: string): boolean => KEY_ID.test(id)

function readKey(pem: string): KeyObject | string {
  try {
    return createPublicKey(pem)
  } catch (error) {
    return `does not contain a PEM public key (${(error as Error).message})`
  }
}

/** The reason why a file cannot verify callbacks, such as "has …"; null if it can. Never contains the key. */
export function publicKeyProblem(pem: string): string | null {
  // OpenSSL would derive the public key, but nobody except the gateway should have its private key.
  if (pem.includes('PRIVATE KEY-----')) return 'contains a private key. Ask the gateway for its public key'
  const key = readKey(pem)
  if (typeof key === 'string') return key
  if (key.asymmetricKeyType !== 'rsa') return 'does not contain an RSA key'
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  return bits < KEY_BITS_MIN ? `has a key of ${bits} bits; at least ${KEY_BITS_MIN} are needed` : null
}

/** Finds a public key in PEM format by its ID; null for an unknown ID. */
export type PublicKeys = (keyId: string) => Promise<string | null>

const DEFAULT_KEY_ID = 'v1'
const base64Pattern = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * Returns the ID of the signing key; null if the callback has no signature. Throws InvalidProof if the
 * signature is wrong. If no keys are configured, the signature is ignored.
 */
export async function verifySignature(
  inbound: Inbound,
  callbackUrl: string,
  publicKeys: PublicKeys | null,
): Promise<string | null> {
  if (publicKeys === null) return null
  const signature = inbound.headers.get('X-PayGate-Signature')?.trim()
  if (signature === undefined) return null
  const keyId = inbound.headers.get('X-PayGate-Key-Id')?.trim() ?? DEFAULT_KEY_ID
  if (signature === '' || !base64Pattern.test(signature))
    throw new InvalidProof('The signature is not base64.')
  if (!isKeyId(keyId)) throw new InvalidProof('The key id is malformed.')
  const pem = await publicKeys(keyId)
  if (pem === null) throw new InvalidProof('The key of the signature is unknown.')
  const signed = signedText(callbackUrl, inbound.query)
  if (!isSigned(pem, signed, Buffer.from(signature, 'base64')))
    throw new InvalidProof('The signature is wrong.')
  return keyId
}

/** The signed text: the registered URL without its query, then the query as it arrived, never re-encoded. */
const signedText = (callbackUrl: string, query: string): string =>
  callbackUrl.replace(/[?#].*$/s, '') + (query && `?${query}`)

function isSigned(pem: string, text: string, signature: Buffer): boolean {
  if (publicKeyProblem(pem) !== null) return false
  try {
    const padding = constants.RSA_PKCS1_PADDING
    return verify('sha256', Buffer.from(text), { key: createPublicKey(pem), padding }, signature)
  } catch {
    return false
  }
}
