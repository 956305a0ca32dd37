import type { HDKey } from '@scure/bip32'
import type { Script } from '../../domain/address-source.ts'
import type { WalletNetwork } from '../../domain/asset.ts'
import { assert } from '../../domain/errors.ts'
import { LruCache } from '../rpc/cache.ts'
import type { AddressForm } from './address-forms.ts'
import { openKey, otherForms } from './extended-key.ts'

/** Payments come in on an account's first chain; its second is for change. */
const EXTERNAL_CHAIN = 0
const INDEX_MAX = 2 ** 31 - 1
const KEYS_REMEMBERED = 100

interface Chain {
  external: HDKey
  form: AddressForm
  others: AddressForm[]
}

const chains = new LruCache<Chain>(KEYS_REMEMBERED)

const chainOf = (network: WalletNetwork, key: string, script: Script | null): Chain =>
  chains.get(`${network} ${script} ${key}`, () => {
    const opened = openKey(network, key, script)
    assert(opened.form.script === script, 'a key is kept with the script that it was read with')
    const external = opened.account.deriveChild(EXTERNAL_CHAIN)
    return { external, form: opened.form, others: otherForms(network, opened) }
  })

function addressAt({ external }: Chain, { encode }: AddressForm, index: number): string {
  const { publicKey } = external.deriveChild(index)
  assert(publicKey !== null, 'a child of a public key has one')
  return encode(publicKey)
}

/**
 * The receiving address 0/index of an account, by the key and the script that `readExtendedKey` gave. The
 * index is a whole number from 0 to 2^31 - 1. Wallets look some 20 addresses past the last that was paid, so
 * that long gaps hide money from them.
 */
export function deriveAddress(
  network: WalletNetwork,
  key: string,
  script: Script | null,
  index: number,
): string {
  assert(Number.isInteger(index) && index >= 0 && index <= INDEX_MAX, 'an index is from 0 to 2^31 - 1')
  const chain = chainOf(network, key, script)
  return addressAt(chain, chain.form, index)
}

/** A script that could have been named instead, and the first address that the wallet would then show. */
interface Alternative {
  script: Script
  address: string
}

/** None where the key's prefix, or the network, leaves no choice. */
export function alternatives(network: WalletNetwork, key: string, script: Script | null): Alternative[] {
  const chain = chainOf(network, key, script)
  return chain.others.flatMap(form =>
    form.script === null ? [] : [{ script: form.script, address: addressAt(chain, form, 0) }],
  )
}
