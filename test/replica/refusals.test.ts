import { afterAll, expect, test } from 'bun:test'
import { storeOf } from './scene.ts'

const MINUTE_MS = 60_000
let answer: () => Response = () => new Response()
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => answer() })
afterAll(() => server.stop(true))
const store = storeOf({ url: () => `s3://shop/florin?endpoint=http://127.0.0.1:${server.port}` })

interface Refusal {
  status: number
  xml: string
  /** the time by which the store's clock is ahead of ours */
  aheadMs?: number
}

async function messageOf({ status, xml, aheadMs = 0 }: Refusal): Promise<string> {
  const date = new Date(Date.now() + aheadMs).toUTCString()
  answer = () => new Response(`<Error>${xml}</Error>`, { status, headers: { date } })
  return store.put('contents', new Uint8Array(3)).then(
    () => 'nothing was refused',
    error => error.message,
  )
}

const expired = '<Code>AccessDenied</Code><Message>Request has expired</Message>'

test.each<[string, Refusal, RegExp]>([
  [
    'another region, as AWS says it',
    {
      status: 400,
      xml: '<Code>AuthorizationQueryParametersError</Code><Region>eu-central-1</Region>',
    },
    /bucket shop is in another region than us-east-1: eu-central-1\. Correct the region in FLORIN_REPLICA_URL/,
  ],
  [
    'another region, as others say it',
    { status: 400, xml: '<Code>AuthorizationHeaderMalformed</Code>' },
    /bucket shop is in another region than us-east-1\. Correct the region in FLORIN_REPLICA_URL/,
  ],
  [
    'another endpoint',
    { status: 301, xml: '<Code>PermanentRedirect</Code><Endpoint>shop.s3.eu-west-1.example</Endpoint>' },
    /bucket shop is elsewhere: shop\.s3\.eu-west-1\.example\. Correct.*FLORIN_REPLICA_URL/,
  ],
  [
    'a clock that is behind',
    { status: 403, xml: '<Code>RequestTimeTooSkewed</Code>', aheadMs: 20 * MINUTE_MS },
    /clock of this machine is 20 minutes behind that of 127\.0\.0\.1.*Set the clock/,
  ],
  [
    'a clock that is behind, in other words',
    { status: 403, xml: expired, aheadMs: 7 * MINUTE_MS },
    /clock of this machine is 7 minutes behind/,
  ],
  [
    'a clock that is ahead',
    { status: 403, xml: '<Code>AccessDenied</Code>', aheadMs: -90 * MINUTE_MS },
    /clock of this machine is 90 minutes ahead of that of/,
  ],
  [
    'a clock that is wrong, though the store does not tell its own',
    { status: 403, xml: '<Code>RequestTimeTooSkewed</Code>' },
    /clock of this machine differs from that of.*Set the clock/,
  ],
  [
    'no permission',
    { status: 403, xml: '<Code>AccessDenied</Code>' },
    /refuses access.*FLORIN_REPLICA_SECRET/,
  ],
  ['no bucket', { status: 404, xml: '<Code>NoSuchBucket</Code>' }, /has no bucket shop\. Create it/],
  ['too much', { status: 503, xml: '<Code>SlowDown</Code>' }, /could not answer \(SlowDown\).*tries again/],
  ['another key', { status: 400, xml: '<Code>\n<b>evil</b></Code>' }, /could not answer \(status 400\)/],
])('an error of a store is explained: %s', async (_name, refusal, words) => {
  const message = await messageOf(refusal)
  expect(message).toMatch(words)
  expect(message).not.toMatch(/X-Amz|Signature=/)
})
