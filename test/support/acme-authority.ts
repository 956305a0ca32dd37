import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'

/*
 * A certificate authority for the tests. It writes and reads DER by itself, so the dates of its certificates
 * are free, and a test can let months pass. It shares no code with the client.
 */

const tlv = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: Uint8Array[]) => tlv(0x30, ...parts)
const hex = (text: string) => Buffer.from(text, 'hex')

const ECDSA_SHA256 = sequence(hex('06082a8648ce3d040302'))
const COMMON_NAME = hex('0603550403')
const [SAN, BASIC, KEY_USAGE, SUBJECT_KEY, AUTHORITY_KEY, EXTENDED] = [
  ...['11', '13', '0f', '0e', '23', '25'],
].map(last => hex(`0603551d${last}`)) as [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer]

const nameOf = (text: string) => sequence(tlv(0x31, sequence(COMMON_NAME, tlv(0x0c, Buffer.from(text)))))
const timeOf = (at: number) =>
  tlv(0x18, Buffer.from(`${new Date(at).toISOString().replaceAll(/[-:T]|[.].*/g, '')}Z`))
const extension = (id: Buffer, value: Buffer, isCritical = false) =>
  sequence(id, ...(isCritical ? [hex('0101ff')] : []), tlv(0x04, value))

const pemOf = (der: Buffer) => {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

interface Node {
  tag: number
  content: Buffer
  whole: Buffer
}

function nodesOf(bytes: Buffer): Node[] {
  const nodes: Node[] = []
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at + 1]!
    const more = first < 128 ? 0 : first - 128
    const length = more === 0 ? first : bytes.readUIntBE(at + 2, more)
    const start = at + 2 + more
    nodes.push({
      tag: bytes[at]!,
      content: bytes.subarray(start, start + length),
      whole: bytes.subarray(at, start + length),
    })
    at = start + length
  }
  return nodes
}

/** Reads a certificate signing request and verifies its signature. */
function readRequest(der: Buffer): { names: string[]; key: KeyObject } {
  const [info, , signature] = nodesOf(nodesOf(der)[0]!.content) as [Node, Node, Node]
  const [version, subject, spki, attributes] = nodesOf(info.content) as [Node, Node, Node, Node]
  if (version.content[0] !== 0 || subject.tag !== 0x30 || attributes.tag !== 0xa0)
    throw new Error('no PKCS #10')
  const key = createPublicKey({ key: spki.whole, format: 'der', type: 'spki' })
  if (!verify('sha256', info.whole, key, signature.content.subarray(1))) throw new Error('bad signature')
  const [, values] = nodesOf(nodesOf(attributes.content)[0]!.content) as [Node, Node]
  const [san] = nodesOf(nodesOf(values.content)[0]!.content)
  const [id, octets] = nodesOf(san!.content) as [Node, Node]
  if (!id.whole.equals(SAN)) throw new Error('no alternative names')
  return { names: nodesOf(nodesOf(octets.content)[0]!.content).map(({ content }) => content.toString()), key }
}

let serials = 0

/** Makes a root and issues certificates. */
export function makeAuthority() {
  const root = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const keyId = hex('0102030405060708090a0b0c0d0e0f1011121314')
  const issuer = nameOf('Test CA of Florin')

  function certify(key: KeyObject, subject: Buffer, dates: [number, number], extensions: Buffer[]) {
    // The first bit is set, so DER needs a zero before it, which is part of the serial number.
    const serial = tlv(0x02, Buffer.from([0, 0x80 + (++serials % 100), serials & 255]))
    const body = sequence(
      hex('a003020102'),
      serial,
      ECDSA_SHA256,
      issuer,
      sequence(...dates.map(timeOf)),
      subject,
      key.export({ type: 'spki', format: 'der' }),
      tlv(0xa3, sequence(...extensions, extension(AUTHORITY_KEY, sequence(tlv(0x80, keyId))))),
    )
    const signature = sign('sha256', body, root.privateKey)
    const pem = pemOf(sequence(body, ECDSA_SHA256, tlv(0x03, Buffer.from([0]), signature)))
    const name = `${keyId.toString('base64url')}.${nodesOf(serial)[0]!.content.toString('base64url')}`
    return { pem, name }
  }

  const rootPem = certify(
    root.publicKey,
    issuer,
    [0, Date.UTC(2100, 0)],
    [
      extension(BASIC, sequence(hex('0101ff')), true),
      extension(KEY_USAGE, hex('03020106'), true),
      extension(SUBJECT_KEY, tlv(0x04, keyId)),
    ],
  ).pem

  const leaf = (key: KeyObject, names: readonly string[], dates: [number, number]) =>
    certify(key, sequence(), dates, [
      extension(KEY_USAGE, hex('03020780'), true),
      extension(EXTENDED, sequence(hex('06082b06010505070301'))),
      extension(SAN, sequence(...names.map(name => tlv(0x82, Buffer.from(name)))), true),
    ])

  return {
    rootPem,
    /** Issues a certificate for a signing request; throws if it is wrong. `name` is that of RFC 9773. */
    issue(request: Buffer, wanted: readonly string[], dates: [number, number]) {
      const { names, key } = readRequest(request)
      if (names.toSorted().join() !== wanted.toSorted().join()) throw new Error('other names than ordered')
      return leaf(key, names, dates)
    },
    /** A certificate for a test server with Bun.serve. */
    serverPair(name: string) {
      const pem = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
        type: 'pkcs8',
        format: 'pem',
      })
      const key = createPublicKey(createPrivateKey(pem))
      return { key: pem.toString(), cert: leaf(key, [name], [0, Date.UTC(2100, 0)]).pem }
    },
  }
}

export type Authority = ReturnType<typeof makeAuthority>
