import http from 'node:http'
import https from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'
import type { HttpAnswer } from './port.ts'

const ANSWER_MAX_BYTES = 64 * 1024

export type Heard = Omit<HttpAnswer, 'durationMs'>

interface Sending {
  url: URL
  /** the only ones that are connected to, in this order */
  addresses: readonly string[]
  headers: Record<string, string>
  body: string
  /** certificates to trust in place of the system's; PEM */
  ca: string | undefined
}

/** Answers a socket's look-up with addresses that were checked, whatever the name means by now. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const known = addresses.map(address => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_host, options, answer) => {
    if (options.all) answer(null, known)
    else answer(null, known[0]!.address, known[0]!.family)
  }
}

function open({ url, addresses, headers, body, ca }: Sending): http.ClientRequest {
  const { request } = url.protocol === 'https:' ? https : http
  return request(url, {
    method: 'POST',
    agent: false,
    lookup: pinnedTo(addresses),
    rejectUnauthorized: true,
    headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
    ...(ca === undefined ? {} : { ca }),
  } as https.RequestOptions)
}

/** Sends once and listens to the end of the answer, to its limit, or to the signal. Follows no redirect. */
export function send(sending: Sending, signal: AbortSignal): Promise<Heard> {
  return new Promise(resolve => {
    const request = open(sending)
    let httpStatus: number | null = null

    const end = (outcome: Heard['outcome']): void => {
      resolve({ httpStatus, outcome })
      request.destroy()
    }
    const judge = (): void => end(httpStatus === 200 ? 'delivered' : 'refused')
    const hear = (answer: http.IncomingMessage): void => {
      httpStatus = answer.statusCode ?? null
    }
    const isTooLong = (): boolean => (request.socket?.bytesRead ?? 0) > ANSWER_MAX_BYTES

    signal.addEventListener('abort', () => end('timed_out'), { once: true })
    request.on('information', () => isTooLong() && end('bad_answer'))
    request.on('upgrade', answer => {
      hear(answer)
      judge()
    })
    request.on('response', answer => {
      hear(answer)
      answer.on('data', () => isTooLong() && judge())
      answer.on('end', judge)
      answer.on('error', () => end('bad_answer'))
    })
    request.on('error', error => end(outcomeOf(error, httpStatus)))
    request.on('close', () => end(httpStatus === null ? 'unreachable' : 'bad_answer'))
    request.end(sending.body)
  })
}

/** An answer that cannot be parsed, or breaks off, is another thing than a server that was not reached. */
function outcomeOf(error: NodeJS.ErrnoException, httpStatus: number | null): Heard['outcome'] {
  return httpStatus !== null || error.code?.startsWith('HPE_') ? 'bad_answer' : 'unreachable'
}
