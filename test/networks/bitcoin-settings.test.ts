import { expect, test } from 'bun:test'
import { startApp } from '../support/app.ts'
import { addressOfScript, type FrontCoin, startFront } from '../support/bitcoin-front.ts'
import { firstCursor } from '../support/first-cursor.ts'
import { startLitecoind } from '../support/litecoind.ts'
import { freshScript } from './bitcoin-scene.ts'

const settings = {
  btc: 'FLORIN_BITCOIN_URL',
  ltc: 'FLORIN_LITECOIN_URL',
  doge: 'FLORIN_DOGECOIN_URL',
  bitcoincash: 'FLORIN_BITCOINCASH_URL',
  zec: 'FLORIN_ZCASH_URL',
} as const satisfies Record<FrontCoin, string>

test('each coin like Bitcoin is watched by the endpoints of its setting', async () => {
  await using node = await startLitecoind()
  for (const [coin, setting] of Object.entries(settings) as [FrontCoin, string][]) {
    const front = startFront(node, { coin })
    const urls = [`esplora+${front.url}`, `blockbook+${front.url}`, `core+${node.url}`]
    for (const url of urls) {
      const app = await startApp({ FLORIN_SANDBOX: 'false', [setting]: url })
      // Sets the clock to the machine's time, which the chain uses.
      app.time.now = Date.now()
      const { networks } = app.context
      const [network, asset] = [networks.of(coin)!, networks.asset(coin)!]
      expect(await network.unavailableReason(asset)).toBeNull()
      const script = freshScript(coin)
      const own = { attemptId: 'a', address: addressOfScript(coin, script)!, source: { kind: 'shared' } }
      const cursor = await firstCursor(network, asset, own)
      await node.pay({ script, amount: 123_000n })
      await node.mine(asset.confirmations)
      const [result] = await network.scan([{ ...own, asset, cursor, requiredEndpoints: 1 }])
      expect(result!.detectedPayments.map(({ amountAtomic, final }) => [amountAtomic, final])).toEqual([
        [123_000n, true],
      ])
      await app.close()
    }
    await front.stop()
  }
})
