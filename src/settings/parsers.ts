import ipaddr from 'ipaddr.js'
import { currencyDecimals } from '../domain/currency.ts'
import { type EndpointHeader, type EndpointText, parseEndpoint } from '../domain/endpoint.ts'
import { isEmail } from '../domain/merchant.ts'
import { type Amount, parseAmount } from '../domain/money.ts'
import { type NotifyTarget, parseNotifyTarget } from '../domain/notify-target.ts'
import { type AllowedHost, impliedPurposes, outboundPurposes } from '../domain/outbound-purpose.ts'
import { type SecondFactorPolicy, secondFactorPolicies } from '../domain/user.ts'

/** Parses a setting. Throws an Error whose message says what the value must be. */
export type Read<T> = (text: string) => T

const problem = (rule: string): Error => new Error(rule)

export const text: Read<string> = value => value

export const port: Read<number> = value => {
  const number = Number(value)
  if (!/^\d{1,5}$/.test(value) || number > 65535) throw problem('must be a port from 0 to 65535')
  return number
}

export const count =
  (max: number): Read<number> =>
  value => {
    if (!/^\d{1,9}$/.test(value) || Number(value) > max)
      throw problem(`must be a whole number from 0 to ${max}`)
    return Number(value)
  }

export const truth: Read<boolean> = value => {
  if (value !== 'true' && value !== 'false') throw problem('must be true or false')
  return value === 'true'
}

/** False, or from where the server may be reached while it simulates the upstreams. */
export const sandbox: Read<false | 'loopback' | 'public'> = value => {
  if (value === 'public') return 'public'
  if (value !== 'true' && value !== 'false') throw problem('must be true, false or public')
  return value === 'true' ? 'loopback' : false
}

const unitsMs = { s: 1000, m: 60_000, h: 3600_000, d: 24 * 3600_000 }

export const duration =
  (minMs: number, maxMs: number, bounds: string): Read<number> =>
  value => {
    const match = /^(\d{1,9})([smhd])$/.exec(value)
    const ms = match ? Number(match[1]) * unitsMs[match[2] as keyof typeof unitsMs] : Number.NaN
    if (!(ms >= minMs && ms <= maxMs))
      throw problem(`must be a duration such as 90s, 30m, 24h or 7d, ${bounds}`)
    return ms
  }

export const list: Read<string[]> = value =>
  value
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')

/** The origin of a site: scheme, host and port only. */
export const origin: Read<string> = value => {
  if (value === '') return ''
  const url = URL.canParse(value) ? new URL(value) : null
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== '/' ||
    url.search ||
    url.hash ||
    url.username
  ) {
    throw problem('must be http(s)://HOST or http(s)://HOST:PORT, without a path')
  }
  return url.origin
}

export const url: Read<string> = value => {
  if (value === '') return ''
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw problem('must be an http(s) URL')
  return value.replace(/\/+$/, '')
}

export interface Endpoint extends EndpointText {
  /** set for an endpoint that was chosen in the dashboard, which may reach only public servers */
  chosen?: { header: EndpointHeader | null }
}

/**
 * URLs prefixed with the endpoint's protocol: "esplora+https://…". The prefix is optional if there is only
 * one protocol.
 */
export const endpoints =
  (...protocols: [string, ...string[]]): Read<Endpoint[]> =>
  value =>
    list(value).map(item => {
      const endpoint = parseEndpoint(item, protocols)
      if (endpoint) return endpoint
      const forms = protocols.map(name => (protocols.length === 1 ? 'an http(s) URL' : `${name}+URL`))
      throw problem(`must be a comma-separated list of ${forms.join(', ')}`)
    })

/** Addresses and ranges in CIDR notation. */
export const addresses: Read<string[]> = value => {
  const parts = list(value)
  const bad = parts.find(part => !(part.includes('/') ? ipaddr.isValidCIDR(part) : ipaddr.isValid(part)))
  if (bad !== undefined) throw problem('must be a comma-separated list of IP addresses or CIDR ranges')
  return parts
}

/** A share from 0 to 1, in millionths. */
export const share: Read<bigint> = value => {
  const match = /^(0|1)(?:[.](\d{1,6}))?$/.exec(value)
  const millionths = match ? BigInt(match[1] + (match[2] ?? '').padEnd(6, '0')) : -1n
  if (millionths <= 0n || millionths > 1_000_000n)
    throw problem('must be a share above 0 and up to 1, such as 0.85')
  return millionths
}

/** An amount of money: "500 USD". */
export const price: Read<{ amount: Amount; currency: string } | null> = value => {
  if (value === '') return null
  const [text = '', currency = '', ...rest] = value.split(' ')
  const rule = 'must be an amount and its currency, such as 500 USD'
  if (rest.length > 0 || currencyDecimals(currency) === undefined) throw problem(rule)
  try {
    return { amount: parseAmount(text, currency), currency }
  } catch {
    throw problem(rule)
  }
}

export const evmAddress: Read<string> = value => {
  if (value !== '' && !/^0x[0-9a-fA-F]{40}$/.test(value)) throw problem('must be an EVM address')
  return value
}

export const secondFactor: Read<SecondFactorPolicy> = value => {
  const policy = secondFactorPolicies.find(one => one === value)
  if (policy === undefined) throw problem(`must be ${secondFactorPolicies.join(' or ')}`)
  return policy
}

export const logLevel: Read<'debug' | 'info' | 'warn' | 'error' | 'silent'> = value => {
  const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const
  const level = levels.find(name => name === value)
  if (!level) throw problem(`must be one of ${levels.join(', ')}`)
  return level
}

interface HostPort {
  host: string
  port: number
}

const purposePattern = new RegExp(`^(?:(${outboundPurposes.join('|')}):)?(.+:.+)$`)

/** Hosts and ports, with each host spelled like a URL's `hostname`, and what they are allowed for. */
export const allowedHosts: Read<AllowedHost[]> = value =>
  list(value).map(item => {
    const [, named, rest = item] = purposePattern.exec(item) ?? []
    const purposes = outboundPurposes.filter(one => one === named)
    return { ...hostPort(rest, item), purposes: purposes.length > 0 ? purposes : impliedPurposes }
  })

export const optionalHostPort: Read<HostPort | null> = value => {
  const [first = null, ...more] = list(value).map(item => hostPort(item))
  if (more.length > 0) throw problem('must be one host:port')
  return first
}

function hostPort(item: string, whole = item): HostPort {
  const [, name, digits] = /^([\p{L}\p{N}._-]+|\[[0-9a-f:.]+\]):([0-9]{1,5})$/iu.exec(item) ?? []
  const number = Number(digits)
  if (name === undefined || number < 1 || number > 65535 || !URL.canParse(`http://${name}/`)) {
    throw problem(`lists "${whole}", which is not host:port`)
  }
  const { hostname } = new URL(`http://${name}/`)
  return { host: hostname.replace(/[.]+$/, '').toLowerCase(), port: number }
}

export const smtpUrl: Read<string> = value => {
  if (value === '') return ''
  const parsed = URL.canParse(value) ? new URL(value) : null
  const isPlain = parsed !== null && /^\/?$/.test(parsed.pathname) && !parsed.search && !parsed.hash
  if (!isPlain || !/^smtps?:$/.test(parsed.protocol) || parsed.hostname === '') {
    throw problem(
      'must be smtp://HOST:PORT or smtps://HOST:PORT, with USER:PASSWORD@ before the host if needed',
    )
  }
  return value
}

/** A contact for security.txt. */
export const securityContact: Read<string> = value => {
  const address = /^mailto:(.*)$/s.exec(value)?.[1]
  const isUrl = /^https:\/\/[^\s]+$/.test(value) && URL.canParse(value)
  if (value === '' || isUrl || (address !== undefined && isEmail(address))) return value
  throw problem('must be mailto:ADDRESS or an https:// URL')
}

/** The sender of mails: "florin@shop.example" or "Florin <florin@shop.example>". */
export const mailFrom: Read<string> = value => {
  const address = /^[^<>\r\n]*<([^<>\s]+)>$/.exec(value)?.[1] ?? value
  if (value !== '' && !isEmail(address)) throw problem('must be an email address')
  return value
}

const RULE =
  'must be https://HOST/PATH, ntfy+https://HOST/TOPIC, telegram://CHAT or telegram+https://HOST/CHAT'

/**
 * The URL of notifications. Plain http works only for hosts that FLORIN_OUTBOUND_ALLOW names, as for
 * webhooks.
 */
export const notifyUrl: Read<NotifyTarget | null> = value => {
  if (value === '') return null
  const chat = /^telegram:\/\/([^/]*)$/.exec(value)?.[1]
  const [, service = 'https', text = value] = /^(ntfy|telegram)[+](https?:.*)$/.exec(value) ?? []
  const target =
    chat === undefined
      ? parseNotifyTarget(service as NotifyTarget['name'], text)
      : parseNotifyTarget('telegram', chat)
  if (!target) throw new Error(RULE)
  return target
}

export const onOrOff: Read<boolean> = value => {
  if (value !== 'on' && value !== 'off') throw new Error('must be on or off')
  return value === 'on'
}
