import { isIP } from 'node:net'
import { addressesOf, type Lookup } from '../outbound/dns.ts'
import { SettingsError } from '../settings/read.ts'

const LOOKUP_MS = 5_000

type Handler<R extends Request> = (request: R, server: Bun.Server<undefined>) => Response | Promise<Response>

export type ServeOptions = Bun.Serve.HostnamePortServeOptions<undefined> & {
  routes?: Record<string, Handler<Bun.BunRequest>>
  fetch: Handler<Request>
  tls?: { key: string; cert: string }
}

/** Bun.serve, or a test's replacement. */
export type Serve = (options: ServeOptions) => Bun.Server<undefined>

const CHECK = 'Check FLORIN_HOST and FLORIN_PORT.'
const IN_USE = 'the port is already in use. Set FLORIN_PORT to another port.'
const DENIED = 'permission denied. Choose a port above 1023 or give the program permission.'
const NOT_HERE = 'this machine does not have that address. Set FLORIN_HOST to an address of this machine.'
const UNRESOLVED = 'the host name cannot be resolved. Set FLORIN_HOST to an address of this machine.'

const reasons: Record<string, string> = {
  EADDRINUSE: IN_USE,
  EACCES: DENIED,
  EPERM: DENIED,
  EADDRNOTAVAIL: NOT_HERE,
  ENOTFOUND: UNRESOLVED,
  EAI_AGAIN: UNRESOLVED,
  EINVAL: `the address is not valid. ${CHECK}`,
  EAFNOSUPPORT: `this machine does not support that kind of address. ${CHECK}`,
  EMFILE: 'too many files are open. Raise the limit on open files.',
}

/** Listens on the host and port of the options. Throws a SettingsError that says why it cannot. */
export async function listen(
  options: ServeOptions & { hostname: string; port: number },
  { lookup, serve = Bun.serve }: { lookup: Lookup; serve?: Serve },
): Promise<Bun.Server<undefined>> {
  try {
    return serve(options)
  } catch (error) {
    const { port } = options
    const hostname = options.hostname.replace(/^\[(.*)\]$/, '$1')
    const place = `${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${port}`
    // For a name that cannot be resolved, Bun reports the code of an earlier failure, so it is resolved here
    // again.
    const known = await addressesOf(hostname, lookup, AbortSignal.timeout(LOOKUP_MS))
    const reason = known.length === 0 ? UNRESOLVED : reasonOf(error, port)
    throw new SettingsError(`Cannot listen on ${place}: ${reason}`)
  }
}

function reasonOf(error: unknown, port: number): string {
  const { code, message } = messageOf(error)
  const reason = reasons[code] ?? (/\bin use\b/.test(message) ? IN_USE : null)
  // For port 0 the system chooses a free port, so only the address can be wrong.
  if (reason === IN_USE && port === 0) return NOT_HERE
  return reason ?? `${message || 'the system gave no reason'}. ${CHECK}`
}

/** Returns an error's code, and the first line of its message without a full stop. */
function messageOf(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: '', message: '' }
  const { code } = error as { code?: unknown }
  const [line = ''] = error.message.split('\n')
  return { code: typeof code === 'string' ? code : '', message: line.trim().replace(/\.$/, '') }
}
