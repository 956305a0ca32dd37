import type { HDKey } from '@scure/bip32'
import type { Registry } from '../../coins/registry.ts'
import type { Script } from '../../domain/address-source.ts'
import type { WalletNetwork } from '../../domain/asset.ts'
import { assert } from '../../domain/errors.ts'
import { LruCache } from '../../domain/lru-cache.ts'
import type { AddressForm } from './address-forms.ts'
import * as extendedKey from './extended-key.ts'
import { keyRules } from './key-rules.ts'

/** The branch of an account that receives payments. The account's other branch is for change. */
const EXTERNAL_CHAIN = 0
const INDEX_MAX = 2 ** 31 - 1
const CACHED_KEYS = 100

/** Another script for the same key, and the first address that a wallet would show with it. */
interface Alternative {
  script: Script
  address: string
}

interface Accounts {
  /** See `readExtendedKey` in extended-key.ts. */
  readExtendedKey(network: WalletNetwork, text: string, script: Script | null): extendedKey.ExtendedKey
  /** See `openKey` in extended-key.ts. */
  openKey(network: WalletNetwork, key: string, script: Script | null): extendedKey.OpenedKey
  /**
   * Derives the receiving address 0/index of an account, from the key and the script that `readExtendedKey`
   * returned. The index is an integer from 0 to 2^31 - 1. Wallets look only about 20 addresses past the last
   * paid one, so long gaps hide money from them.
   */
  deriveAddress(network: WalletNetwork, key: string, script: Script | null, index: number): string
  /** Returns the other scripts for the key; empty if the key's prefix or the network leaves no choice. */
  alternatives(network: WalletNetwork, key: string, script: Script | null): Alternative[]
}

/** One account, opened for derivation. */
interface Account {
  external: HDKey
  form: AddressForm
  others: AddressForm[]
}

function addressAt({ external }: Account, { encode }: AddressForm, index: number): string {
  const { publicKey } = external.deriveChild(index)
  assert(publicKey !== null, 'a child of a public key has one')
  return encode(publicKey)
}

export function makeAccounts(coins: Registry): Accounts {
  const rulesOf = keyRules(coins)
  const accounts = new LruCache<Account>(CACHED_KEYS)

  const accountOf = (network: WalletNetwork, key: string, script: Script | null): Account =>
    accounts.get(`${network} ${script} ${key}`, () => {
      const rules = rulesOf(network)
      const opened = extendedKey.openKey(rules, key, script)
      assert(opened.form.script === script, 'a key is stored with the script that it was read with')
      const external = opened.account.deriveChild(EXTERNAL_CHAIN)
      return { external, form: opened.form, others: extendedKey.otherForms(rules, opened) }
    })

  return {
    readExtendedKey: (network, text, script) => extendedKey.readExtendedKey(rulesOf(network), text, script),
    openKey: (network, key, script) => extendedKey.openKey(rulesOf(network), key, script),
    deriveAddress(network, key, script, index) {
      assert(Number.isInteger(index) && index >= 0 && index <= INDEX_MAX, 'an index is from 0 to 2^31 - 1')
      const account = accountOf(network, key, script)
      return addressAt(account, account.form, index)
    },
    alternatives(network, key, script) {
      const account = accountOf(network, key, script)
      return account.others.flatMap(form =>
        form.script === null ? [] : [{ script: form.script, address: addressAt(account, form, 0) }],
      )
    },
  }
}
