import { expect, test } from 'bun:test'
import { areBeside, LIGHTNING, ON_CHAIN, placesOf } from '../../../src/domain/lightning.ts'

const OTHER = 'ethereum/eth'

test.each<[one: string, other: string, isOffered: boolean]>([
  [LIGHTNING, ON_CHAIN, true],
  [ON_CHAIN, LIGHTNING, true],
  [LIGHTNING, LIGHTNING, false],
  [ON_CHAIN, ON_CHAIN, false],
  [LIGHTNING, OTHER, false],
  [OTHER, LIGHTNING, false],
  [ON_CHAIN, OTHER, false],
  [OTHER, ON_CHAIN, false],
])('one QR code can offer %s and %s together: %p', (one, other, isOffered) => {
  expect(areBeside(one, other)).toBe(isOffered)
})

test.each<[assets: (string | null)[], places: number]>([
  [[], 0],
  [[LIGHTNING], 1],
  [[ON_CHAIN], 1],
  [[LIGHTNING, ON_CHAIN], 1],
  [[LIGHTNING, OTHER], 2],
  [[LIGHTNING, ON_CHAIN, OTHER, null], 3],
])('attempts of %p hold %d prices', (assets, places) => {
  expect(placesOf(assets.map(assetId => ({ assetId })))).toBe(places)
})
