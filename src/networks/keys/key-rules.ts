import { prefixesOf, type Registry } from '../../coins/registry.ts'
import type { AccountKeys, KeyPrefix, WalletRules } from '../../coins/types.ts'
import type { WalletNetwork } from '../../domain/asset.ts'
import { assert } from '../../domain/errors.ts'
import { joinWithOr } from '../../domain/join-with-or.ts'
import { type AddressForm, formsOf } from './address-forms.ts'
import { KeyError } from './private-key-check.ts'

/** The rules for extended public keys of one network. */
export interface KeyRules {
  network: WalletNetwork
  accountKeys: WalletRules['accountKeys']
  /** the forms of addresses that can be derived, the default first */
  forms: readonly AddressForm[]
  /** Returns all networks that use a prefix. */
  networksOf(prefix: KeyPrefix): WalletNetwork[]
  /** Returns the prefix with these four bytes, of any network. */
  prefix(version: number): KeyPrefix | undefined
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

/** The rules of each network of a registry. */
export function keyRules({ wallets }: Registry): (network: WalletNetwork) => KeyRules {
  const prefixes = new Map(wallets.flatMap(prefixesOf).map(prefix => [prefix.version, prefix]))
  const rules = new Map(
    wallets.map(({ network, accountKeys, address }): [WalletNetwork, KeyRules] => [
      network,
      {
        network,
        accountKeys,
        forms: formsOf(address),
        networksOf: ({ version }) =>
          wallets
            .filter(wallet => prefixesOf(wallet).some(prefix => prefix.version === version))
            .map(wallet => wallet.network),
        prefix: version => prefixes.get(version),
      },
    ]),
  )
  return network => {
    const found = rules.get(network)
    assert(found, `${network} is the network of a chain`)
    return found
  }
}

export const prefixNames = ({ prefixes }: AccountKeys): string => joinWithOr(prefixes.map(({ name }) => name))

/**
 * Returns the prefix of a key. Throws a KeyError unless the prefix is of a single-key wallet on the main
 * chain.
 */
export function checkPrefix(rules: KeyRules, accountKeys: AccountKeys, version: number): KeyPrefix {
  const { network } = rules
  const prefixes = prefixNames(accountKeys)
  const test = testChains.get(version)
  if (test) throw new KeyError({ kind: 'testKey', prefix: test, prefixes, network })
  const shared = multisig.get(version)
  if (shared) throw new KeyError({ kind: 'multisigKey', prefix: shared, prefixes, network })
  const prefix = rules.prefix(version)
  if (!prefix) throw new KeyError({ kind: 'unsupportedKey', prefixes, network })
  const networks = rules.networksOf(prefix)
  if (!networks.includes(network))
    throw new KeyError({ kind: 'otherNetworkKey', prefix: prefix.name, networks, prefixes, network })
  return prefix
}
