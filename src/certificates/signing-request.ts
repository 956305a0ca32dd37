import { type KeyObject, sign } from 'node:crypto'
import { BIT_STRING, encode, INTEGER, OCTET_STRING, objectId, SEQUENCE, SET } from './der.ts'

const ECDSA_WITH_SHA256 = objectId('1.2.840.10045.4.3.2')
const EXTENSION_REQUEST = objectId('1.2.840.113549.1.9.14')
const SUBJECT_ALTERNATIVE_NAME = objectId('2.5.29.17')

/** Context-specific tags, whose meaning depends on their position in PKCS #10 or GeneralName. */
const ATTRIBUTES = 0xa0
const DNS_NAME = 0x82

const none = new Uint8Array()
const bits = (bytes: Uint8Array): Buffer => encode(BIT_STRING, Uint8Array.of(0), bytes)

/**
 * Makes a certificate signing request (PKCS #10, RFC 2986) for host names, in DER. The subject is empty:
 * certificate authorities read the names only from the extension.
 */
export function signingRequest(
  names: readonly string[],
  key: { publicKey: KeyObject; privateKey: KeyObject },
) {
  const dnsNames = names.map(name => encode(DNS_NAME, Buffer.from(name, 'ascii')))
  const extension = encode(
    SEQUENCE,
    SUBJECT_ALTERNATIVE_NAME,
    encode(OCTET_STRING, encode(SEQUENCE, ...dnsNames)),
  )
  const attribute = encode(SEQUENCE, EXTENSION_REQUEST, encode(SET, encode(SEQUENCE, extension)))
  const info = encode(
    SEQUENCE,
    encode(INTEGER, Uint8Array.of(0)),
    encode(SEQUENCE, none),
    key.publicKey.export({ type: 'spki', format: 'der' }),
    encode(ATTRIBUTES, attribute),
  )
  const signature = sign('sha256', info, key.privateKey)
  return encode(SEQUENCE, info, encode(SEQUENCE, ECDSA_WITH_SHA256), bits(signature))
}
