import { assert } from '../../domain/errors.ts'
import { paymentUri } from '../../networks/payment-uri.ts'
import {
  type DetectedPayment,
  type Fetch,
  type Network,
  StatusError,
  type WatchResult,
} from '../../networks/port.ts'
import type { ChainPayment } from './ledger.ts'

interface ChainResponse {
  height: number
  payments: ChainPayment[]
}

const toDetectedPayment = (
  { txId, assetId, amount, state, height, at, input }: ChainPayment,
  confirmations: number,
): DetectedPayment => ({
  txId,
  txIndex: '0',
  assetId,
  amountAtomic: BigInt(amount),
  confirmations: state === 'confirmed' ? confirmations : 0,
  final: state === 'confirmed',
  height,
  txIn: txId,
  paidAt: at,
  ...(input !== undefined && { inputs: [input] }),
  evidence: { txId, amount, height },
})

/** Watches one simulated chain over HTTP, like a real chain. */
export function sandboxNetwork(chain: string, baseUrl: () => string, fetch: Fetch): Network {
  async function ask<T>(path: string, body: unknown): Promise<T> {
    const url = `${baseUrl()}/sandbox/chain/${chain}/${path}`
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }).catch(
      () => null,
    )
    if (!response?.ok) {
      const { status = 503 } = response ?? {}
      throw new StatusError(
        `the sandbox chain ${chain} answered with ${response?.status ?? 'nothing'}`,
        status,
      )
    }
    return (await response.json()) as T
  }

  /** The request that attempts opened at the same time share. */
  let begun: Promise<{ height: number }> | null = null
  const begin = (): Promise<{ height: number }> => {
    begun ??= ask<{ height: number }>('begin', {}).finally(() => {
      begun = null
    })
    return begun
  }

  return {
    chain,
    unavailableReason: async () => null,
    async open({ asset, own, dueAtomic, label }) {
      assert(own, 'a chain of the sandbox is paid at an address')
      const { height } = await begin()
      return { ...own, cursor: { height }, uri: paymentUri(asset, own.address, dueAtomic, label) }
    },
    async scan(watches) {
      const addresses = watches.map(({ address }) => address)
      const { height, payments } = await ask<ChainResponse>('payments', { addresses })
      return watches.map(
        ({ attemptId, address, asset }): WatchResult => ({
          attemptId,
          detectedPayments: payments
            .filter(payment => payment.address === address)
            .map(payment => toDetectedPayment(payment, asset.confirmations)),
          completeFrom: 0,
          cursor: { height },
        }),
      )
    },
    sameAddresses: {
      async balances(addresses) {
        const { payments } = await ask<ChainResponse>('payments', { addresses })
        const arrived = payments.filter(({ state }) => state === 'confirmed')
        return new Map(
          [...Map.groupBy(arrived, ({ address }) => address)].map(([address, own]) => [
            address,
            own.map(({ assetId, amount }) => ({ assetId, amountAtomic: BigInt(amount) })),
          ]),
        )
      },
      cursorSince: begin,
    },
  }
}
