import { isIP } from 'node:net'
import { invalid, Refusal } from '../domain/errors.ts'
import type { AllowedHost } from '../domain/outbound-purpose.ts'
import { isPublic } from './ip-addresses.ts'

const URL_MAX = 2048

/** A host that may be private and may use plain http. */
export type ReachableHost = Pick<AllowedHost, 'host' | 'port'>

const defaultPorts: Record<string, number> = { 'http:': 80, 'https:': 443 }

const internalNames =
  /(?:^|[.])(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|home[.]arpa)$/

const hostKey = (hostname: string): string => hostname.replace(/[.]+$/, '').toLowerCase()

/** The host, without the brackets around an IPv6 address. */
export const bareHost = (url: URL): string => hostKey(url.hostname).replace(/^\[|\]$/g, '')

const isInternalName = (host: string): boolean => !host.includes('.') || internalNames.test(host)

const isPublicHost = (host: string): boolean => (isIP(host) === 0 ? !isInternalName(host) : isPublic(host))

export function isAllowed(url: URL, allow: readonly ReachableHost[]): boolean {
  const port = url.port === '' ? defaultPorts[url.protocol] : Number(url.port)
  return allow.some(allowed => allowed.host === hostKey(url.hostname) && allowed.port === port)
}

/**
 * The host names that are accepted. The URL parser also accepts ";" and ",", which would end a directive of a
 * content security policy.
 */
const hostName = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/

const NEEDS_HTTPS =
  'must be a URL that begins with https://; only hosts that FLORIN_OUTBOUND_ALLOW names, such as ' +
  'localhost:8080, may use http://'

/** The refusal of a URL that leads to a private or internal place. `at` is the field of the URL. */
export function notAllowed(at: string): Refusal {
  const rule = 'must lead to a public address, or to a host and port that FLORIN_OUTBOUND_ALLOW names'
  return new Refusal('destination_not_allowed', `${at}: ${rule}`, { details: [{ path: at, rule }] })
}

/** Checks of the raw string, because the URL parser silently corrects it. Each check has an error message. */
const rules: readonly [isBroken: (url: string) => boolean, message: string][] = [
  [url => url.length > URL_MAX, `must be at most ${URL_MAX} characters long`],
  [url => !/^https?:\/\/[^/?#]/.test(url), NEEDS_HTTPS],
  [url => /[\s\\\p{Cc}]/u.test(url), 'must not contain spaces, control characters or backslashes'],
  [url => /^https?:\/\/[^/?#]*@/.test(url), 'must not contain a user name or password'],
  [url => !URL.canParse(url), 'must be a well-formed URL'],
  [url => !hostName.test(new URL(url).hostname), 'must have a valid host name'],
]

interface UrlRules {
  allow: readonly ReachableHost[]
  /** true for the URL of an image, which may use plain http */
  isImage?: boolean
}

/**
 * Parses the URL of a public destination. Throws validation_error for a malformed URL, and
 * destination_not_allowed for a private or internal host name. No message contains the URL.
 */
export function checkUrl(text: string, at: string, { allow, isImage = false }: UrlRules): URL {
  const broken = rules.find(([isBroken]) => isBroken(text))
  if (broken) throw invalid(at, broken[1])
  if (text.includes('#')) throw invalid(at, 'must not contain a fragment')
  const url = new URL(text)
  if (isAllowed(url, allow)) return url
  if (url.protocol !== 'https:' && !isImage) throw invalid(at, NEEDS_HTTPS)
  if (!isPublicHost(bareHost(url))) throw notAllowed(at)
  return url
}
