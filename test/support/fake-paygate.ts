import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Elysia } from 'elysia'
import { gatewayStandIn } from '../../src/sandbox/paygate/paygate.ts'
import { openState } from '../../src/sandbox/state.ts'
import { newFolder } from './process.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

const rates = {
  btc: '60000',
  ltc: '80',
  doge: '0.16',
  bitcoincash: '400',
  zec: '40',
  'trc20/trx': '0.2',
  'trc20/usdt': '1',
  'solana/sol': '150',
  'solana/usdc': '1',
  'ethereum/eth': '2500',
  'ethereum/usdc': '1',
  'ethereum/usdt': '1',
  'polygon/pol': '0.5',
  'polygon/usdc': '1',
  'bsc/bnb': '600',
  'bsc/usdt': '1',
}

/** The path and query of a URL, spelled as in the URL. */
const pathOf = (url: string): string => url.slice(new URL(url).origin.length)

type Answer = (query: URLSearchParams) => Response | undefined
type Deliver = (path: string, headers: Record<string, string>) => Promise<number>

/** The sandbox's gateway on its own port, its settings, and answers that tests can replace. */
export function startGatewayStand() {
  const folder = newFolder()
  const state = openState(':memory:')
  state.put('gateway.key', 'v1', pem)
  const asked: string[] = []
  const wire = {
    isDown: false,
    /** the gateway does not sign, as before 2026 */
    isUnsigned: false,
    isLost: false,
    answers: new Map<string, Answer>(),
    deliver: (async () => 0) as Deliver,
  }
  const standIn = gatewayStandIn({
    state,
    clock: Date.now,
    random: bytes => crypto.getRandomValues(new Uint8Array(bytes)),
    isDown: () => wire.isDown,
    deliver: async (url, headers) =>
      wire.isLost ? 0 : wire.deliver(pathOf(url), wire.isUnsigned ? {} : headers),
    pageOf: ({ title }) => title,
  })
  const routes = new Elysia().use(standIn.routes)
  let open = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      const path = pathname.replace('/gateway/api', '')
      asked.push(path)
      open++
      try {
        return wire.answers.get(path)?.(searchParams) ?? (await routes.handle(request))
      } finally {
        open--
      }
    },
  })
  const base = `http://127.0.0.1:${server.port}/gateway`
  const keyFile = join(folder, 'v1.pem')
  writeFileSync(keyFile, publicKey.export({ type: 'spki', format: 'pem' }).toString())
  const ratesFile = join(folder, 'rates.json')
  const prices = Object.entries(rates).map(([coin, USD]) => [coin, { USD }])
  writeFileSync(ratesFile, JSON.stringify(Object.fromEntries(prices)))
  return {
    wire,
    asked,
    payments: standIn.payments,
    environment: {
      FLORIN_SANDBOX: 'false',
      FLORIN_GATEWAY_URL: `${base}/api`,
      FLORIN_GATEWAY_CHECKOUT_URL: `${base}/checkout`,
      FLORIN_GATEWAY_PUBLIC_KEYS: `v1=${keyFile}`,
      FLORIN_RATES: `file:${ratesFile}`,
    } as Record<string, string>,
    /** Waits for the look-ups that pages started in the background. */
    async idle() {
      do await Bun.sleep(20)
      while (open > 0)
    },
    stop: async () => {
      await server.stop(true)
      state.close()
    },
  }
}
