import { describe, expect, test } from 'bun:test'
import type { Asset } from '../../../src/domain/asset.ts'
import { type AssetGroup, makeNetwork } from '../../../src/networks/make-network.ts'
import {
  type DetectedPayment,
  NetworkError,
  Undecided,
  type Watch,
  type WatchResult,
} from '../../../src/networks/port.ts'
import { Endpoints } from '../../../src/networks/rpc/failover.ts'
import { Reorganised } from '../../../src/networks/rpc/reorg.ts'
import { firstCursor } from '../../support/first-cursor.ts'

const assetOf = (name: string): Asset =>
  ({ id: `chain/${name}`, chain: 'chain', network: 'btc', contract: name, decimals: 8 }) as Asset
const coin = assetOf('coin')
const token = assetOf('token')
const own = { attemptId: 'attempt', address: 'address', source: null }

const watchOf = (asset: Asset): Watch => ({ ...own, asset, cursor: 'old', requiredEndpoints: 1 })

const resultOf = ({ attemptId }: Watch): WatchResult => ({
  attemptId,
  detectedPayments: [],
  completeFrom: 1,
  cursor: 'new',
})

/** A group over endpoints that consist of their names only. */
const groupOf = (parts: Partial<AssetGroup<string>> = {}, hosts = ['a.example']): AssetGroup<string> => ({
  endpoints: new Endpoints<string>({
    chain: 'chain',
    members: hosts.map(host => ({ host, node: host })),
    verifyChain: async () => {},
    clock: () => 0,
  }),
  startWatch: async () => 'new',
  scan: async (_node, watches) => watches.map(resultOf),
  ...parts,
})

const networkOf = (coins: AssetGroup<string>, tokens: AssetGroup<string> | undefined = coins) =>
  makeNetwork({
    chain: 'chain',
    assets: [coin, token],
    clock: () => 0,
    groupOf: ({ id }) => (id === coin.id ? coins : tokens),
  })

const unreachable = async (): Promise<never> => {
  throw new NetworkError('cannot be reached')
}

test('an asset that is not of the network is refused by each method', async () => {
  const network = networkOf(groupOf())
  const other = assetOf('other')
  const words = 'chain/other is not an asset of chain'
  expect(await network.unavailableReason(other)).toBe(words)
  await expect(firstCursor(network, other, own)).rejects.toThrow(words)
  await expect(network.scan([watchOf(coin), watchOf(other)])).rejects.toThrow(words)
})

describe('an asset of a network', () => {
  test('is unavailable without an endpoint, and where its check finds a problem', async () => {
    const checked: string[] = []
    const group = groupOf({
      async checkAsset(node, asset) {
        checked.push(`${node} ${asset.id}`)
        return asset.id === token.id ? 'no contract' : null
      },
    })
    const network = networkOf(group)
    expect(await network.unavailableReason(coin)).toBeNull()
    expect(await network.unavailableReason(coin)).toBeNull()
    expect(await network.unavailableReason(token)).toBe('no contract')
    expect(checked).toEqual(['a.example chain/coin', 'a.example chain/token'])
    expect(await networkOf(groupOf({}, [])).unavailableReason(coin)).toMatch(/no endpoint is configured/)
  })

  test('is unavailable, and no error is thrown, where the check itself fails', async () => {
    expect(await networkOf(groupOf({ checkAsset: unreachable })).unavailableReason(coin)).toMatch(
      /a\.example cannot be reached/,
    )
    const bug = () => Promise.reject(new TypeError('a bug'))
    expect(await networkOf(groupOf({ checkAsset: bug })).unavailableReason(coin)).toBe('a bug')
  })
})

describe('a scan', () => {
  test('leaves out a group of assets that cannot be scanned', async () => {
    const network = networkOf(groupOf({ scan: unreachable }), groupOf())
    const results = await network.scan([watchOf(coin), { ...watchOf(token), attemptId: 'second' }])
    expect(results.map(({ attemptId }) => attemptId)).toEqual(['second'])
    await expect(network.scan([watchOf(coin)])).rejects.toThrow(NetworkError)
  })

  test('fails if a group has a bug, whatever the others report', async () => {
    const network = networkOf(groupOf({ scan: () => Promise.reject(new TypeError('a bug')) }), groupOf())
    await expect(network.scan([watchOf(coin), watchOf(token)])).rejects.toThrow(TypeError)
  })

  test('reports whether any endpoint could read the chain, if none gives a result', async () => {
    const hosts = ['a.example', 'b.example']
    const scanOf = (undecided: string[]) =>
      networkOf(
        groupOf(
          {
            async scan(node) {
              throw undecided.includes(node)
                ? new Undecided('contradicts itself')
                : new NetworkError('is behind')
            },
          },
          hosts,
        ),
      ).scan([watchOf(coin)])
    await expect(scanOf(['b.example'])).rejects.toBeInstanceOf(Undecided)
    await expect(scanOf([])).rejects.not.toBeInstanceOf(Undecided)
  })

  test('dates a payment by the present if its block is later, because a clock is wrong', async () => {
    const payment = (paidAt: number) => ({ txId: `${paidAt}`, paidAt }) as DetectedPayment
    const group = groupOf({
      scan: async (_node, watches) =>
        watches.map(watch => ({ ...resultOf(watch), detectedPayments: [payment(-1), payment(1)] })),
    })
    const [result] = await networkOf(group).scan([watchOf(coin)])
    expect(result?.detectedPayments.map(({ paidAt }) => paidAt)).toEqual([-1, 0])
  })

  test('without watches queries no endpoint', async () => {
    expect(await networkOf(groupOf({ scan: unreachable })).scan([])).toEqual([])
  })

  test('is repeated on a reorganised chain, after remembered data is dropped', async () => {
    const events: string[] = []
    const group = groupOf({
      async scan(_node, watches) {
        events.push('scan')
        if (events.length === 1) throw new Reorganised()
        return watches.map(resultOf)
      },
      forget: node => {
        events.push(`forget ${node}`)
      },
    })
    expect(await networkOf(group).scan([watchOf(coin)])).toHaveLength(1)
    expect(events).toEqual(['scan', 'forget a.example', 'scan'])
  })
})

describe('a first cursor', () => {
  const checkedBy = (contradicts: (node: string) => Promise<boolean>, hosts = ['a.example', 'b.example']) =>
    firstCursor(networkOf(groupOf({ crossCheck: () => contradicts }, hosts)), coin, own)

  test('is refused when a second endpoint contradicts it', async () => {
    const asked: string[] = []
    const contradicts = async (node: string) => {
      asked.push(node)
      return true
    }
    await expect(checkedBy(contradicts)).rejects.toThrow('two endpoints report different balances of address')
    expect(asked).toEqual(['b.example', 'a.example'])
  })

  test('is accepted when the second agrees, is unreachable, or does not exist', async () => {
    expect(await checkedBy(async () => false)).toBe('new')
    expect(await checkedBy(unreachable)).toBe('new')
    expect(await checkedBy(async () => true, ['a.example'])).toBe('new')
  })

  test('needs no second endpoint if there is nothing to check', async () => {
    const network = networkOf(groupOf({ crossCheck: () => null }))
    expect(await firstCursor(network, coin, own)).toBe('new')
  })
})
