import { expect, test } from 'bun:test'
import { listedIn, listedNetworks, walletNetworks } from '../../../src/domain/asset.ts'

const wallets = ['evm', 'btc', 'bitcoincash', 'ltc', 'doge', 'solana', 'trc20', 'zec', 'xmr'] as const
const listed = ['evm', 'btc', 'bitcoincash', 'ltc', 'doge', 'solana', 'trc20'] as const

test('the API lists the documented networks in their order', () => {
  expect([...walletNetworks]).toEqual([...wallets])
  expect([...listedNetworks]).toEqual([...listed])
})

test('a network at any position neither drops nor adds another network to the list', () => {
  for (let position = 0; position <= wallets.length; position++) {
    const names: string[] = wallets.toSpliced(position, 0, 'ton' as never)
    const table = (ton: boolean) =>
      Object.fromEntries(
        names.map(name => [name, { listed: name === 'ton' ? ton : listed.some(one => one === name) }]),
      )
    expect(listedIn(table(false))).toEqual([...listed])
    expect(listedIn(table(true)).filter(name => name !== 'ton')).toEqual([...listed])
    expect(listedIn(table(true))).toContain('ton')
  }
})
