import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** Parts of an answer that a test can forge. */
interface Forgery {
  origin?: string
  challenge?: string
  /** the host for which the device signs */
  host?: string
  isVerified?: boolean
  signCount?: number
  userHandle?: string
  id?: string
  type?: string
  /** another device whose key signs */
  signedBy?: PasskeyDevice
  /** the device whose key signs the statement about the new passkey; without it there is no statement */
  attestedBy?: PasskeyDevice
  /** the certificate of the maker of that device */
  certificate?: Buffer
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()

/** The head of a CBOR item: a major type with a number below 65,536. */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}

const cborText = (text: string): Buffer => Buffer.concat([head(3, text.length), Buffer.from(text)])
const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([head(2, bytes.length), bytes])

/** A statement with ES256, without a certificate unless one is forged. */
const selfStatement = (signature: Buffer, certificate?: Buffer): Buffer =>
  Buffer.concat([
    head(5, certificate ? 3 : 2),
    ...[cborText('alg'), Buffer.from([0x26]), cborText('sig'), cborBytes(signature)],
    ...(certificate ? [cborText('x5c'), head(4, 1), cborBytes(certificate)] : []),
  ])

const USER_PRESENT = 1
const USER_VERIFIED = 4
const HAS_KEY = 64

/** A device that holds one passkey, written independently of the product: WebAuthn Level 3 with ES256. */
export class PasskeyDevice {
  readonly id: string = randomBytes(32).toString('base64url')
  signCount = 0
  /** devices without a counter always report 0 */
  readonly counts: boolean
  userHandle = ''
  readonly #key: { privateKey: KeyObject; publicKey: KeyObject }

  constructor({ counts = true } = {}) {
    this.counts = counts
    this.#key = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  }

  /** The public key in COSE: EC2, ES256, P-256. */
  get #publicKey(): Buffer {
    const { x = '', y = '' } = this.#key.publicKey.export({ format: 'jwk' })
    const start = Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21])
    const bytes = (text: string) => cborBytes(Buffer.from(text, 'base64url'))
    return Buffer.concat([start, bytes(x), Buffer.from([0x22]), bytes(y)])
  }

  #data(host: string, flags: number, signCount: number, rest: Buffer): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(signCount)
    return Buffer.concat([sha256(host), Buffer.from([flags]), count, rest])
  }

  #client(type: string, challenge: string, origin: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  sign(data: Buffer): Buffer {
    return sign('sha256', data, this.#key.privateKey)
  }

  #verified = (isVerified = true): number => USER_PRESENT | (isVerified ? USER_VERIFIED : 0)

  /** A browser's answer to the options of a new passkey. */
  create(
    options: { challenge: string; rp: { id: string }; user: { id: string } },
    origin: string,
    forged: Forgery = {},
  ): string {
    this.userHandle = options.user.id
    const id = Buffer.from(this.id, 'base64url')
    const key = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, this.#publicKey])
    const flags = this.#verified(forged.isVerified) | HAS_KEY
    const data = this.#data(forged.host ?? options.rp.id, flags, this.signCount, key)
    const client = this.#client(
      forged.type ?? 'webauthn.create',
      forged.challenge ?? options.challenge,
      forged.origin ?? origin,
    )
    const signature = forged.attestedBy?.sign(Buffer.concat([data, sha256(client)]))
    const attestation = Buffer.concat([
      head(5, 3),
      cborText('fmt'),
      cborText(signature ? 'packed' : 'none'),
      cborText('attStmt'),
      signature ? selfStatement(signature, forged.certificate) : head(5, 0),
      cborText('authData'),
      cborBytes(data),
    ])
    return JSON.stringify({
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response: {
        clientDataJSON: client.toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal', '<script>'],
      },
      clientExtensionResults: {},
    })
  }

  /** A browser's answer when a passkey is requested. */
  use(options: { challenge: string; rpId: string }, origin: string, forged: Forgery = {}): string {
    if (this.counts) this.signCount++
    const signCount = forged.signCount ?? this.signCount
    const data = this.#data(
      forged.host ?? options.rpId,
      this.#verified(forged.isVerified),
      signCount,
      Buffer.alloc(0),
    )
    const client = this.#client(
      forged.type ?? 'webauthn.get',
      forged.challenge ?? options.challenge,
      forged.origin ?? origin,
    )
    const signature = (forged.signedBy ?? this).sign(Buffer.concat([data, sha256(client)]))
    const id = forged.id ?? this.id
    return JSON.stringify({
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: forged.userHandle ?? this.userHandle,
      },
      clientExtensionResults: {},
    })
  }
}
