import { assert } from '../../domain/errors.ts'
import { paymentUri } from '../../networks/payment-uri.ts'
import {
  type DetectedPayment,
  type Fetch,
  type Network,
  NetworkError,
  type WatchResult,
} from '../../networks/port.ts'
import type { Coins } from './coins.ts'

interface ChainAnswer {
  height: number
  payments: Coins[]
}

const toDetectedPayment = (
  { txId, assetId, amount, state, height, at }: Coins,
  deep: number,
): DetectedPayment => ({
  txId,
  txIndex: '0',
  assetId,
  amount: BigInt(amount),
  confirmations: state === 'confirmed' ? deep : 0,
  final: state === 'confirmed',
  height,
  txIn: txId,
  paidAt: at,
  evidence: { txId, amount, height },
})

/** Watches one chain of the sandbox, over HTTP as any chain is watched. */
export function sandboxNetwork(chain: string, baseUrl: () => string, fetch: Fetch): Network {
  async function ask<T>(path: string, body: unknown): Promise<T> {
    const url = `${baseUrl()}/sandbox/chain/${chain}/${path}`
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }).catch(
      () => null,
    )
    if (!response?.ok)
      throw new NetworkError(`the sandbox chain ${chain} answers ${response?.status ?? 'nothing'}`)
    return (await response.json()) as T
  }

  return {
    chain,
    unavailableReason: async () => null,
    async open({ asset, own, dueAtomic, label }) {
      assert(own, 'a chain of the sandbox is paid at an address')
      const { height } = await ask<{ height: number }>('begin', {})
      return { ...own, cursor: { height }, uri: paymentUri(asset, own.address, dueAtomic, label) }
    },
    async scan(watches) {
      const addresses = watches.map(({ address }) => address)
      const { height, payments } = await ask<ChainAnswer>('payments', { addresses })
      return watches.map(
        ({ attemptId, address, asset }): WatchResult => ({
          attemptId,
          detectedPayments: payments
            .filter(coins => coins.address === address)
            .map(coins => toDetectedPayment(coins, asset.confirmations)),
          completeFrom: 0,
          cursor: { height },
        }),
      )
    },
  }
}
