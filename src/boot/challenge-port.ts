import { randomUUID } from 'node:crypto'
import type { CertificateKeeper } from '../certificates/keeper.ts'
import type { CertificateState } from '../certificates/port.ts'
import { Refusal } from '../domain/errors.ts'
import { failureResponse } from '../http/envelope.ts'

const CHALLENGE = '/.well-known/acme-challenge/'
const AGAIN_SECONDS = 10

const NOT_HERE =
  'Send requests to this server over HTTPS. This one came over HTTP, where others can read it: '
const REPLACE = 'if it had an API key, replace it with florin key rotate.'

const plain = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }

/** A page that explains why there is no HTTPS yet. */
function waitingPage({ names, problem, retryAt }: CertificateState): Response {
  const lines = [
    `The certificate of ${names.join(', ')} is being fetched. HTTPS works as soon as it is here.`,
    ...(problem === null ? [] : ['', `Not yet: ${problem}`]),
    ...(retryAt === null ? [] : ['', `Next try: ${new Date(retryAt).toISOString()}`]),
    '',
    'This page loads itself again.',
    '',
  ]
  const again = String(AGAIN_SECONDS)
  return new Response(lines.join('\n'), {
    status: 503,
    headers: { ...plain, 'retry-after': again, refresh: again },
  })
}

/** True for a request that can be redirected without harm: a visit to a page that was typed without https. */
const isPageVisit = ({ method, headers }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') && !headers.has('x-api-key')

/**
 * Answers requests on the port of HTTP: serves challenges of the certificate authority, and redirects other
 * requests to HTTPS. `publicUrls` has the address of each name; other hosts are redirected to the first one.
 */
export const plainAnswer = (keeper: CertificateKeeper, publicUrls: ReadonlyMap<string, string>) => {
  const [first = ''] = publicUrls.values()
  return (request: Request): Response => {
    const { pathname, search, hostname } = new URL(request.url)
    if (pathname.startsWith(CHALLENGE)) {
      const answer = keeper.answer(pathname.slice(CHALLENGE.length))
      return answer === null
        ? new Response('There is no such challenge.\n', { status: 404, headers: plain })
        : new Response(answer, { headers: { ...plain, 'content-type': 'application/octet-stream' } })
    }
    if (keeper.certificate === null) return waitingPage(keeper.state())
    if (!isPageVisit(request)) {
      return failureResponse(new Refusal('validation_error', NOT_HERE + REPLACE), randomUUID())
    }
    const location = `${publicUrls.get(hostname) ?? first}${pathname}${search}`
    return new Response(null, { status: 308, headers: { location } })
  }
}
