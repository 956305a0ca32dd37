import { readFileSync } from 'node:fs'
import { isIP, Socket } from 'node:net'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { DatabaseError } from '../engine.ts'

/** A server and its database, from the settings. */
export interface Target {
  hosts: readonly { host: string; port: number }[]
  user: string
  password: string
  database: string
  tls: 'disable' | 'require' | 'verify-full'
  /** file of root certificates; empty for the certificates of the system */
  rootCertificate: string
}

/** Connects to a host, or to a Unix socket in a directory. */
export function openSocket(host: string, port: number, ms: number): Promise<Socket> {
  const socket = new Socket()
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.destroy()
      reject(Object.assign(new Error(`no answer within ${ms / 1000} seconds`), { code: 'ETIMEDOUT' }))
    }, ms)
    const end = () => {
      clearTimeout(timer)
      socket.removeListener('error', fail)
    }
    const fail = (error: Error) => {
      end()
      reject(error)
    }
    socket.once('error', fail)
    socket.once('connect', () => {
      end()
      socket.setKeepAlive(true, 10_000)
      socket.setNoDelay(true)
      resolve(socket)
    })
    if (host.startsWith('/')) socket.connect(`${host}/.s.PGSQL.${port}`)
    else socket.connect(port, host)
  })
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new DatabaseError(`Cannot read the file of sslrootcert (${(error as Error).message}).`)
  }
}

/** Returns the TLS options of a connection, with the accepted certificates. */
export function tlsOf({ tls, rootCertificate }: Target, host: string) {
  if (tls === 'disable') return false
  const ca = rootCertificate === '' ? {} : { ca: contentOf(rootCertificate) }
  return {
    rejectUnauthorized: tls === 'verify-full',
    // An IP address is not sent as a server name. Without the name, postgres.js would expect a certificate
    // for localhost.
    ...(isIP(host) === 0 && { servername: host }),
    checkServerIdentity: (_: string, certificate: PeerCertificate) => checkServerIdentity(host, certificate),
    ...ca,
  }
}
