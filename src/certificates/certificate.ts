import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import { decode, type Encoded, objectId } from './der.ts'
import type { Certificate } from './port.ts'

const AUTHORITY_KEY_ID = objectId('2.5.29.35')
/** Context-specific tags, whose meaning depends on their position in a certificate. */
const VERSION = 0xa0
const EXTENSIONS = 0xa3
const KEY_ID = 0x80

/**
 * Parses a private key and its certificate chain. Throws an Error if the key does not match the certificate,
 * or the certificate has no valid dates.
 */
export function readCertificate(key: string, chain: string): Certificate {
  const leaf = new X509Certificate(chain)
  const own = createPublicKey(createPrivateKey(key)).export({ type: 'spki', format: 'pem' })
  if (leaf.publicKey.export({ type: 'spki', format: 'pem' }) !== own) {
    throw new Error('the certificate is for another key')
  }
  const names = (leaf.subjectAltName ?? '')
    .split(', ')
    .flatMap(name => (name.startsWith('DNS:') ? [name.slice(4).toLowerCase()] : []))
  const notBefore = Date.parse(leaf.validFrom)
  const notAfter = Date.parse(leaf.validTo)
  if (!(notBefore < notAfter)) throw new Error('the certificate has no valid dates')
  return { key, chain, names, notBefore, notAfter }
}

export const covers = ({ names }: Pick<Certificate, 'names'>, wanted: readonly string[]): boolean =>
  wanted.every(name => names.includes(name))

const within = (value: Encoded | undefined): Encoded[] => (value ? decode(value.content) : [])

/**
 * Returns the name of a certificate for renewal information (RFC 9773): the ID of the issuer's key and the
 * serial number. Null if the certificate does not name that key.
 */
export function renewalName({ chain }: Pick<Certificate, 'chain'>): string | null {
  const [certificate] = decode(new X509Certificate(chain).raw)
  const fields = within(within(certificate)[0])
  const serial = fields[fields[0]?.tag === VERSION ? 1 : 0]
  const [extensions] = within(fields.find(({ tag }) => tag === EXTENSIONS))
  const authority = within(extensions).find(one => within(one)[0]?.whole.equals(AUTHORITY_KEY_ID))
  const [value] = within(within(authority).at(-1))
  const keyId = within(value).find(({ tag }) => tag === KEY_ID)
  if (!serial || !keyId) return null
  return `${keyId.content.toString('base64url')}.${serial.content.toString('base64url')}`
}
