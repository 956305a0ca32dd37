import type { Script } from '../../domain/address-source.ts'
import type { WalletNetwork } from '../../domain/asset.ts'
import { KeyError } from './private-key-check.ts'

/** What the first four bytes of an extended public key tell. */
export interface KeyPrefix {
  name: string
  /** the only one that a key so marked is for; null where it may be for any */
  script: Script | null
  networks: readonly WalletNetwork[]
}

const anyCoin: readonly WalletNetwork[] = ['btc', 'bitcoincash', 'ltc', 'doge', 'zec', 'evm', 'trc20']

/** SLIP-132 and the coins' own. */
const prefixes: Readonly<Record<number, KeyPrefix>> = {
  76067358: { name: 'xpub', script: null, networks: anyCoin },
  77429938: { name: 'ypub', script: 'p2sh-p2wpkh', networks: ['btc', 'ltc'] },
  78792518: { name: 'zpub', script: 'p2wpkh', networks: ['btc', 'ltc'] },
  27108450: { name: 'Ltub', script: null, networks: ['ltc'] },
  28471030: { name: 'Mtub', script: 'p2sh-p2wpkh', networks: ['ltc'] },
  49990397: { name: 'dgub', script: null, networks: ['doge'] },
}

const multisig = new Map([
  [0x0295b43f, 'Ypub'],
  [0x02aa7ed3, 'Zpub'],
])

const testChains = new Map([
  [0x043587cf, 'tpub'],
  [0x044a5262, 'upub'],
  [0x045f1cf6, 'vpub'],
  [0x024289ef, 'Upub'],
  [0x02575483, 'Vpub'],
  [0x0436f6e1, 'ttub'],
  [0x0432a9a8, 'tgub'],
])

/** The prefixes of the keys that a network takes, as a sentence names them: "xpub, ypub or zpub". */
export function prefixNames(network: WalletNetwork): string {
  const names = Object.values(prefixes)
    .filter(({ networks }) => networks.includes(network))
    .map(({ name }) => name)
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names)
}

/** Throws a KeyFault for a key that is not one wallet's on the main chain of the network. */
export function prefixOf(network: WalletNetwork, version: number): KeyPrefix {
  const wanted = `the ${prefixNames(network)} of a wallet for ${network}`
  const test = testChains.get(version)
  if (test) throw new KeyError(`This ${test} is of a test network. Give ${wanted}, on the main network.`)
  const shared = multisig.get(version)
  if (shared)
    throw new KeyError(
      `This ${shared} is one of several keys of a multisig wallet, which no address follows from alone. ` +
        `Give ${wanted} that a single key can spend from.`,
    )
  const found = prefixes[version]
  if (found === undefined) throw new KeyError(`This key is of a coin that is not known here. Give ${wanted}.`)
  if (!found.networks.includes(network))
    throw new KeyError(`This ${found.name} is for ${found.networks.join(' or ')}. Give ${wanted}.`)
  return found
}
