import { isIP } from 'node:net'
import { invalid, Refusal } from '../domain/errors.ts'
import { isPublic } from './ip-addresses.ts'

const URL_MAX = 2048

/** A place that may be named although it is private, and over plain http. */
export interface Allowed {
  host: string
  port: number
}

const defaultPorts: Record<string, number> = { 'http:': 80, 'https:': 443 }

const internalNames =
  /(?:^|[.])(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|home[.]arpa)$/

const hostKey = (hostname: string): string => hostname.replace(/[.]+$/, '').toLowerCase()

/** A host without the brackets that a URL puts around an IPv6 address. */
export const bareHost = (url: URL): string => hostKey(url.hostname).replace(/^\[|\]$/g, '')

const isInternalName = (host: string): boolean => !host.includes('.') || internalNames.test(host)

const isPublicHost = (host: string): boolean => (isIP(host) === 0 ? !isInternalName(host) : isPublic(host))

export function isAllowed(url: URL, allow: readonly Allowed[]): boolean {
  const port = url.port === '' ? defaultPorts[url.protocol] : Number(url.port)
  return allow.some(place => place.host === hostKey(url.hostname) && place.port === port)
}

/** What of a URL's text is refused, before a parser gets to mend it; each with the rule that is told. */
const faults: readonly [isFaulty: (text: string) => boolean, rule: string][] = [
  [text => text.length > URL_MAX, `must be at most ${URL_MAX} characters long`],
  [text => !/^https?:\/\/[^/?#]/.test(text), 'must be a URL that begins with https://'],
  [text => /[\s\\\p{Cc}]/u.test(text), 'must hold no spaces, control characters or backslashes'],
  [text => /^https?:\/\/[^/?#]*@/.test(text), 'must hold no user name or password'],
  [text => text.includes('#'), 'must hold no fragment'],
  [text => !URL.canParse(text), 'must be a well-formed URL'],
]

/**
 * Reads the URL of a public destination. Throws validation_error where its form is wrong, and
 * destination_not_allowed where its host is private or internal by its name alone. No message holds the URL.
 */
export function checkUrl(text: string, at: string, allow: readonly Allowed[]): URL {
  const fault = faults.find(([isFaulty]) => isFaulty(text))
  if (fault) throw invalid(at, fault[1])
  const url = new URL(text)
  if (isAllowed(url, allow)) return url
  if (url.protocol !== 'https:') throw invalid(at, 'must be a URL that begins with https://')
  if (!isPublicHost(bareHost(url))) throw new Refusal('destination_not_allowed')
  return url
}
