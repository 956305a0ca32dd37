import { boundedFetch } from '../../boot/fetch.ts'
import { Refusal } from '../../domain/errors.ts'
import type { ShopServer } from './server.ts'

const NO_SANDBOX =
  'This server is no sandbox. Start one with FLORIN_SANDBOX=true, or with florin demo, and name it ' +
  'with --server.'

/** A coin of each network, as a buyer can choose it. */
const coins: Readonly<Record<string, string>> = {
  evm: 'ethereum/usdc',
  btc: 'btc',
  ltc: 'ltc',
  doge: 'doge',
  bitcoincash: 'bitcoincash',
  solana: 'solana/usdc',
  trc20: 'trc20/usdt',
}

const post = (url: string, body: unknown) =>
  boundedFetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function expectDone(response: Response, what: string): Promise<void> {
  if (response.status < 400) return void (await response.body?.cancel())
  const message = /"message":"((?:[^"\\]|\\.)*)"/.exec(await response.text())?.[1]
  throw new Refusal('conflict', `${what} did not work: ${message ?? `status ${response.status}`}`)
}

/** Throws unless the server is a sandbox. Changes nothing. */
export async function requireSandbox({ url }: ShopServer): Promise<void> {
  const response = await post(`${url}/sandbox/simulate`, {}).catch(() => null)
  if (response === null)
    throw new Refusal('conflict', `${url} cannot be reached. Start the server, or name it with --server.`)
  if (response.status !== 400) throw new Refusal('conflict', NO_SANDBOX)
}

/** Returns the first card or bank method that the shop offers. Throws a Refusal if it offers none. */
export async function providerMethodOf({ call }: ShopServer): Promise<string> {
  const { paymentMethodsKeys } = await call('listPaymentMethods', 'GET', '/v1/payment-methods')
  const method = paymentMethodsKeys.find(key => key !== 'crypto')
  if (method === undefined) throw new Refusal('conflict', 'The shop offers no card or bank payments.')
  return method
}

/** Simulates what a buyer, the shop and the outside world do with an order of a sandbox. */
export function sandboxOf(server: ShopServer) {
  const { url, call } = server
  const advance = async (seconds: number): Promise<void> => {
    const response = await post(`${url}/sandbox/clock`, { advanceSeconds: seconds })
    await expectDone(response, 'Moving the clock')
  }
  return {
    /** Chooses a coin that the shop offers. Throws a Refusal if it has no payout wallet. */
    async openCrypto(orderUUID: string): Promise<void> {
      const { configuredCryptoNetworks } = await call('readWallet', 'GET', '/v1/wallet')
      const asset = coins[configuredCryptoNetworks[0] ?? '']
      if (asset === undefined)
        throw new Refusal('conflict', 'The shop has no payout wallet. Set one with florin wallet set.')
      const body = new URLSearchParams({ asset })
      const opened = await boundedFetch(`${url}/pay/${orderUUID}/crypto`, {
        method: 'POST',
        body,
        redirect: 'manual',
      })
      await expectDone(opened, 'Opening a payment')
    },
    /** Opens the page of a card or bank provider. */
    async openProvider(orderUUID: string): Promise<void> {
      const process = `${url}/payment/process/${orderUUID}?method=${await providerMethodOf(server)}`
      await expectDone(await boundedFetch(process, { redirect: 'manual' }), 'Opening a payment')
    },
    async simulate(orderUUID: string, outcome: string): Promise<void> {
      const response = await post(`${url}/sandbox/simulate`, { orderUUID, outcome })
      await expectDone(response, `Simulating "${outcome}"`)
    },
    async check(orderUUID: string): Promise<void> {
      const response = await boundedFetch(`${url}/pay/${orderUUID}/check`, {
        method: 'POST',
        redirect: 'manual',
      })
      await expectDone(response, 'Checking the payment')
    },
    async cancel(orderUUID: string): Promise<void> {
      await call('cancelOrder', 'POST', `/v1/orders/${orderUUID}/cancel`, {})
    },
    async recordRefund(orderUUID: string): Promise<void> {
      await call('recordRefund', 'POST', `/v1/orders/${orderUUID}/refunds`, { reason: 'florin trigger' })
    },
    advance,
    async expire(orderUUID: string): Promise<void> {
      const order = await call('readOrder', 'GET', `/v1/orders/${orderUUID}`)
      const lifeMs = Date.parse(order.expiresAt ?? order.createdAt) - Date.parse(order.createdAt)
      await advance(Math.ceil(lifeMs / 1000))
    },
  }
}

export type Sandbox = ReturnType<typeof sandboxOf>
