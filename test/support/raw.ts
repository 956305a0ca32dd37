import { connect } from 'node:net'

/** A server's answer to raw bytes. */
export interface RawAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

const DEADLINE_MS = 10_000

/** Sends text over a socket, encoded as Latin-1, and reads until the server closes the connection. */
export function sendRaw(url: string, text: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(Number(port), hostname, () => socket.write(text, 'latin1'))
    socket.setTimeout(DEADLINE_MS, () => socket.destroy(new Error(`no answer to ${JSON.stringify(text)}`)))
    socket.on('data', part => {
      received += part.toString('latin1')
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(parse(received)))
  })
}

function parse(received: string): RawAnswer {
  const end = received.indexOf('\r\n\r\n')
  const [first = '', ...lines] = received.slice(0, end).split('\r\n')
  const headers = lines.map(line => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: received.slice(end + 4),
  }
}

interface RawRequest {
  method?: string
  path: string
  /** null leaves the header out */
  host?: string | null
  version?: '1.0' | '1.1'
  headers?: Record<string, string>
}

/** The text of a request without a body, exactly as given. */
export function rawRequest({ method = 'GET', path, host = 'x', version = '1.1', headers }: RawRequest) {
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  if (host !== null) lines.unshift(`Host: ${host}`)
  return `${method} ${path} HTTP/${version}\r\n${lines.join('\r\n')}\r\n\r\n`
}
