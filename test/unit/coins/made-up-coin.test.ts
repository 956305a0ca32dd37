import { expect, test } from 'bun:test'
import { chains } from '../../../src/coins/chains.ts'
import { makeRegistry, registry } from '../../../src/coins/registry.ts'
import { madeUp } from '../../support/made-up-coin.ts'

/** What the registry is after one descriptor file and one line in `chains.ts`. */
const extended = makeRegistry([...chains, madeUp])
const { network } = madeUp.wallet

test('a made-up coin has an asset', () => {
  expect(extended.assets.filter(({ id }) => !registry.assets.some(known => known.id === id))).toEqual([
    {
      id: 'feather',
      chain: 'feather',
      network,
      ticker: 'FTH',
      name: 'Feather',
      decimals: 8,
      quoteDecimals: 6,
      minimum: 5460n,
      confirmations: 5,
      finality: false,
      chainId: null,
      contract: null,
    },
  ])
})
