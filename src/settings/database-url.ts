import type { Read } from './parsers.ts'

/** A database on a server, parsed from its URL. */
interface DatabaseServer {
  /** hosts, which are tried in this order; one that begins with a slash is the directory of a socket */
  hosts: { host: string; port: number }[]
  user: string
  password: string
  database: string
  /** `require` encrypts without verifying the server */
  tls: 'disable' | 'require' | 'verify-full'
  /** file with the trusted certificates; empty for the system's certificates */
  rootCertificate: string
}

const PORT = 5432
const tlsModes = ['disable', 'require', 'verify-full'] as const
const parameters = ['host', 'sslmode', 'sslrootcert', 'target_session_attrs']
/** Values that are accepted and ignored: Florin uses the host that accepts writes in any case. */
const writable = ['read-write', 'primary']
const RULE =
  'must be postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters in the password as %XX; ' +
  'several hosts are separated by commas'

const problem = (rule = RULE): Error => new Error(rule)

/** True for a host on this machine: passwords and payments do not cross a network. */
const isHere = (host: string): boolean =>
  host.startsWith('/') || /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host)

function hostOf(text: string): { host: string; port: number } {
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i.exec(text)
  const port = Number(match?.[2] ?? PORT)
  if (!match?.[1] || port < 1 || port > 65535) throw problem()
  return { host: match[1].replace(/^\[(.*)\]$/, '$1'), port }
}

function decoded(text: string | undefined): string {
  try {
    return decodeURIComponent(text ?? '')
  } catch {
    throw problem()
  }
}

function tlsOf(asked: string | null, hosts: { host: string }[]): DatabaseServer['tls'] {
  if (asked === null) return hosts.every(({ host }) => isHere(host)) ? 'disable' : 'verify-full'
  const mode = tlsModes.find(one => one === asked)
  if (!mode) throw problem(`must have sslmode=${tlsModes.join(', ')} or none`)
  return mode
}

/** Parses the URL of a database server. Null if the database is a file. */
export const databaseUrl: Read<DatabaseServer | null> = value => {
  if (value === '') return null
  const match =
    /^postgres(?:ql)?:\/\/(?:([^:@/?#]+)(?::([^@/?#]*))?@)?([^@/?#]*)\/([^/?#]+)(?:\?([^#]*))?$/.exec(value)
  if (!match) throw problem()
  const [, user, password, named, database, query] = match
  const options = new URLSearchParams(query)
  for (const name of options.keys()) {
    if (!parameters.includes(name)) {
      throw problem('may only have the parameters host, sslmode, sslrootcert and target_session_attrs')
    }
  }
  const session = options.get('target_session_attrs')
  if (session !== null && !writable.includes(session)) {
    throw problem(
      `must have target_session_attrs=${writable.join(' or ')}, because Florin writes to its database`,
    )
  }
  const folder = options.get('host')
  const hosts = (folder ?? named ?? '').split(',').map(hostOf)
  return {
    hosts,
    user: decoded(user) || 'florin',
    password: decoded(password),
    database: decoded(database),
    tls: tlsOf(options.get('sslmode'), hosts),
    rootCertificate: options.get('sslrootcert') ?? '',
  }
}

/** Hosts and database of a URL, without the password. */
export function maskedDatabaseUrl(value: string): string {
  try {
    const server = databaseUrl(value)
    if (!server) return ''
    const hosts = server.hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`)
    return `postgres://***@${hosts.join()}/${server.database}`
  } catch {
    return '***'
  }
}
