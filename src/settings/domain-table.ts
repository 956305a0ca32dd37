import { isEmail } from '../domain/merchant.ts'
import { list, port, type Read, text, url } from './parsers.ts'
import { setting } from './setting.ts'

/**
 * The directories of Let's Encrypt, which issues certificates without charge: the real one, and one for
 * tests.
 */
const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory'
const LETS_ENCRYPT_STAGING = 'https://acme-staging-v02.api.letsencrypt.org/directory'

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** A host name of several parts. The last part is not a number, as it would be in an IP address. */
const hostName = new RegExp(`^(?:${label}[.])+(?!\\d+$)${label}$`)

/** Host names as they are in certificates: in lower case and in ASCII, each once. */
const hostNames: Read<string[]> = value => {
  const names = list(value).map(item => {
    const name =
      /[/:@?#*]/.test(item) || !URL.canParse(`http://${item}`) ? '' : new URL(`http://${item}`).hostname
    if (!hostName.test(name) || name.length > 253) {
      throw new Error(`lists "${item}", which is not a host name such as pay.shop.example`)
    }
    return name
  })
  return [...new Set(names)]
}

const directory: Read<string> = value => {
  if (value === 'staging') return LETS_ENCRYPT_STAGING
  const read = url(value)
  if (!read.startsWith('https:')) throw new Error('must be an https:// URL, or staging')
  return read
}

const email: Read<string> = value => {
  if (value !== '' && !isEmail(value)) throw new Error('must be an email address')
  return value
}

const publicPort: Read<number> = value => {
  if (port(value) === 0) throw new Error('must be a port from 1 to 65535')
  return port(value)
}

/** Settings of a server that has HTTPS without a reverse proxy. */
export const domainTable = {
  domains: setting(
    'FLORIN_DOMAIN',
    '',
    'Comma-separated host names of this server: Florin serves HTTPS with a certificate of its own, which ' +
      'it gets and renews. If empty, HTTPS is left to a reverse proxy. florin serve --domain takes ' +
      'precedence.',
    hostNames,
  ),
  httpPort: setting(
    'FLORIN_HTTP_PORT',
    '80',
    'With FLORIN_DOMAIN: port for HTTP, which the certificate authority must reach as port 80.',
    publicPort,
  ),
  httpsPort: setting('FLORIN_HTTPS_PORT', '443', 'With FLORIN_DOMAIN: port for HTTPS.', publicPort),
  acmeUrl: setting(
    'FLORIN_ACME_URL',
    LETS_ENCRYPT,
    'Directory of the certificate authority (ACME). staging: the one of Let’s Encrypt for trials, whose ' +
      'certificates no browser trusts.',
    directory,
  ),
  acmeEmail: setting(
    'FLORIN_ACME_EMAIL',
    '',
    'Email address that the certificate authority gets for its notices; if empty, none.',
    email,
  ),
  acmeCaFile: setting(
    'FLORIN_ACME_CA_FILE',
    '',
    'PEM file with the CA certificates to trust for FLORIN_ACME_URL, instead of those of the system.',
    text,
  ),
}

/** URL of the first name; empty without a domain. */
export function domainUrl({ domains, httpsPort }: { domains: string[]; httpsPort: number }): string {
  const [first] = domains
  return first === undefined ? '' : new URL(`https://${first}:${httpsPort}`).origin
}
