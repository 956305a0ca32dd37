import http from 'node:http'
import https from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'
import { asserted } from '../domain/errors.ts'
import { AnswerReader } from './answer.ts'
import type { PostResult } from './port.ts'

const RESPONSE_BYTES_MAX = 64 * 1024

export type SendResult = Omit<PostResult, 'durationMs'>

interface PostRequest {
  url: URL
  /** the only addresses to connect to, in this order */
  addresses: readonly string[]
  headers: Record<string, string>
  body: string
  /** trusted certificates instead of the system's; PEM */
  ca: string | undefined
}

/** Resolves every name to the checked addresses, even if DNS answers differently now. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const known = addresses.map(address => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_host, options, answer) => {
    if (options.all) return answer(null, known)
    const { address, family } = asserted(known[0], 'a request goes to a checked address')
    answer(null, address, family)
  }
}

function open({ url, addresses, headers, body, ca }: PostRequest): http.ClientRequest {
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

/**
 * Sends a request once, and reads the response up to its end, the size limit or the signal. Follows no
 * redirects.
 */
export function send(post: PostRequest, signal: AbortSignal): Promise<SendResult> {
  return new Promise(resolve => {
    const request = open(post)
    let httpStatus: number | null = null
    let reader: AnswerReader | null = null

    const end = (outcome: SendResult['outcome']): void => {
      const answer = reader?.read()
      const isSilent = !answer || (answer.type === null && answer.body === '')
      resolve({ httpStatus, outcome, ...(!isSilent && { answer }) })
      request.destroy()
    }
    const finish = (): void => end(httpStatus === 200 ? 'delivered' : 'refused')
    const readStatus = (response: http.IncomingMessage): void => {
      httpStatus = response.statusCode ?? null
    }
    const isTooLong = (): boolean => (request.socket?.bytesRead ?? 0) > RESPONSE_BYTES_MAX

    signal.addEventListener('abort', () => end('timed_out'), { once: true })
    request.on('information', () => isTooLong() && end('bad_answer'))
    request.on('upgrade', response => {
      readStatus(response)
      finish()
    })
    request.on('response', response => {
      readStatus(response)
      const answer = new AnswerReader(response.headers['content-type'])
      reader = answer
      response.on('data', chunk => {
        answer.add(chunk)
        if (isTooLong()) finish()
      })
      response.on('end', finish)
      response.on('error', () => end('bad_answer'))
    })
    request.on('error', error => end(outcomeOf(error, httpStatus)))
    request.on('close', () => end(httpStatus === null ? 'unreachable' : 'bad_answer'))
    request.end(post.body)
  })
}

/** Distinguishes a malformed or interrupted response from an unreachable server. */
function outcomeOf(error: NodeJS.ErrnoException, httpStatus: number | null): SendResult['outcome'] {
  return httpStatus !== null || error.code?.startsWith('HPE_') ? 'bad_answer' : 'unreachable'
}
