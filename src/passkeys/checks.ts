import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { PasskeyAnswer, PasskeyChecks, PasskeyPlace } from './port.ts'

/** The ID of a passkey: long enough for every device, and short enough for an index. */
const idPattern = /^[A-Za-z0-9_-]{16,1364}$/
const challengePattern = /^[A-Za-z0-9_-]{43}$/

type Fields = Record<string, unknown>

function parse(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Fields) : {}
  } catch {
    return {}
  }
}

/** Parses the JSON of a browser's answer. Nothing in it is proven yet. */
function readAnswer(text: string): PasskeyAnswer | null {
  const json = parse(text)
  const { id } = json
  const response = (
    typeof json.response === 'object' && json.response !== null ? json.response : {}
  ) as Fields
  const { clientDataJSON, userHandle = null } = response
  if (typeof id !== 'string' || !idPattern.test(id) || typeof clientDataJSON !== 'string') return null
  if (userHandle !== null && typeof userHandle !== 'string') return null
  const { challenge } = parse(Buffer.from(clientDataJSON, 'base64url').toString())
  if (typeof challenge !== 'string' || !challengePattern.test(challenge)) return null
  return { id, challenge, userHandle, json }
}

/** The algorithms ES256, EdDSA and RS256: devices have them, and the runtime can check them. */
const ALGORITHMS = [-7, -8, -257]
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

/**
 * The library, loaded when it is first used: loading takes a while, and most servers start without passkeys.
 */
async function loaded() {
  // The library's certificate parser needs this module first, also in the executable.
  await import('reflect-metadata')
  const [server, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ])
  return { ...server, ...helpers }
}

const expected = ({ origin, host }: PasskeyPlace, { challenge }: PasskeyAnswer) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: host,
  requireUserVerification: true,
})

/** Keeps only the known names of transports, because they are later sent back to browsers. */
const knownTransports = (transports: unknown): string[] =>
  Array.isArray(transports) ? TRANSPORTS.filter(one => transports.includes(one)) : []

/**
 * True if an answer has no certificate of the device's maker. A certificate is not requested, and checking it
 * would make the server request URLs that it names.
 */
async function isPlain(answer: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await loaded()
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(answer.response.attestationObject))
  const format = attestation.get('fmt')
  return format === 'none' || (format === 'packed' && !attestation.get('attStmt').get('x5c'))
}

/** Returns null if the check throws: the library throws for everything that is wrong with an answer. */
async function nullIfRefused<T>(check: () => Promise<T | null>): Promise<T | null> {
  try {
    return await check()
  } catch {
    return null
  }
}

export const passkeyChecks = (dashboardUrl: string): PasskeyChecks => ({
  place: passkeyPlace(dashboardUrl),
  algorithms: ALGORITHMS,
  read: readAnswer,
  checkNew: (place, answer) =>
    nullIfRefused(async () => {
      const response = answer.json as unknown as RegistrationResponseJSON
      const { verifyRegistrationResponse, isoBase64URL } = await loaded()
      if (!(await isPlain(response))) return null
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response,
        ...expected(place, answer),
        supportedAlgorithmIDs: ALGORITHMS,
      })
      if (!verified || registrationInfo.credential.id !== answer.id) return null
      const { publicKey, counter, transports } = registrationInfo.credential
      return {
        id: answer.id,
        publicKey: isoBase64URL.fromBuffer(publicKey),
        signCount: counter,
        transports: knownTransports(transports),
      }
    }),
  checkUse: (place, answer, publicKey) =>
    nullIfRefused(async () => {
      const { verifyAuthenticationResponse, isoBase64URL } = await loaded()
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: answer.json as unknown as AuthenticationResponseJSON,
        ...expected(place, answer),
        // Counters are compared where they are stored, so that two simultaneous answers cannot both pass.
        credential: { id: answer.id, publicKey: isoBase64URL.toBuffer(publicKey), counter: 0 },
      })
      return verified ? authenticationInfo.newCounter : null
    }),
})

const isAddress = (host: string): boolean => host.startsWith('[') || /^[\d.]+$/.test(host)

/**
 * The place of a dashboard's passkeys; null if browsers make no passkeys there: on an IP address, or over
 * HTTP except on this machine.
 */
function passkeyPlace(dashboardUrl: string): PasskeyPlace | null {
  const { origin, hostname, protocol } = new URL(dashboardUrl)
  if (isAddress(hostname)) return null
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return protocol === 'https:' || isLocal ? { origin, host: hostname } : null
}
