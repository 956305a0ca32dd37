import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Script } from '../../src/domain/address-source.ts'
import { freePort } from '../support/free-port.ts'
import { deriveAddress } from '../support/known-coins.ts'
import { endProcesses, newFolder } from '../support/process.ts'
import { isMissing } from '../support/programs.ts'
import { publicVersions, withVersion, xpubOf } from '../unit/networks/keys/published.ts'
import { startNode } from './derivation-node.ts'

const LAST = 2 ** 31 - 1

/** The output descriptor of each of our script types. */
const descriptors: readonly (readonly [Script, (key: string) => string])[] = [
  ['p2wpkh', key => `wpkh(${key})`],
  ['p2sh-p2wpkh', key => `sh(wpkh(${key}))`],
  ['p2pkh', key => `pkh(${key})`],
]

type Node = Awaited<ReturnType<typeof startNode>>
let node: Node

const isSkipped = isMissing('Tests of Litecoin’s derivation', 'litecoind')

/** A node with the main chain's rules for addresses. It needs no blocks. */
beforeAll(async () => {
  if (isSkipped) return
  const port = freePort()
  node = await startNode(
    'litecoind',
    [`-datadir=${newFolder()}`, '-server', '-disablewallet', '-printtoconsole=0']
      .concat(['-listen=0', '-connect=0', '-dnsseed=0', '-rpcuser=u', '-rpcpassword=p'])
      .concat([`-rpcport=${port}`, '-rpcbind=127.0.0.1', '-rpcallowip=127.0.0.1']),
    `http://127.0.0.1:${port}/`,
    'getblockchaininfo',
    `Basic ${btoa('u:p')}`,
  )
}, 30_000)

afterAll(async () => {
  await node?.stop()
  await endProcesses()
})

test.skipIf(isSkipped)('the node accepts addresses of the main chain', async () => {
  expect(await node.rpc<object>('getblockchaininfo')).toMatchObject({ chain: 'main' })
})

describe.skipIf(isSkipped)('the derived addresses of an account are those of the node', () => {
  const key = xpubOf('ltc', 'p2wpkh')
  const ltub = withVersion(key, publicVersions.Ltub)

  test.each(descriptors)('%s', async (script, descriptorOf) => {
    const ranges: [number, number][] = [
      [0, 19],
      [1_000_000, 1_000_009],
      [LAST - 4, LAST],
    ]
    for (const [from, to] of ranges) {
      const { descriptor } = await node.rpc<{ descriptor: string }>('getdescriptorinfo', [
        descriptorOf(`${key}/0/*`),
      ])
      const theirs = await node.rpc<string[]>('deriveaddresses', [descriptor, [from, to]])
      const ours = (text: string) => theirs.map((_, at) => deriveAddress('ltc', text, script, from + at))
      expect(theirs).toHaveLength(to - from + 1)
      expect(ours(key)).toEqual(theirs)
      expect(ours(ltub)).toEqual(theirs)
    }
  })
})
