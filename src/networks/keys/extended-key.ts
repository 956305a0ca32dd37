import { sha256 } from '@noble/hashes/sha2.js'
import { createView } from '@noble/hashes/utils.js'
import { createBase58check } from '@scure/base'
import { HARDENED_OFFSET, HDKey } from '@scure/bip32'
import type { Script } from '../../domain/address-source.ts'
import type { WalletNetwork } from '../../domain/asset.ts'
import { decoded } from '../addresses/decoded.ts'
import { type AddressForm, forms } from './address-forms.ts'
import { type KeyPrefix, prefixNames, prefixOf } from './key-prefixes.ts'
import { EXPOSED, isPrivateKey, KeyError, PrivateKeyError } from './private-key-check.ts'

/** An extended public key that was found fit to derive a network's addresses from. */
interface ExtendedKey {
  /** as it was given, without the space around it: to be kept */
  key: string
  /** to be kept with the key; null where the network has no scripts */
  script: Script | null
  /** 8 hexadecimal digits to tell keys apart by; too short to prove that two are the same */
  fingerprint: string
  /** sentences for whoever gave the key, where it does not tell all that it should; mostly none */
  warnings: string[]
}

/** The same key, opened. */
interface OpenedKey {
  account: HDKey
  form: AddressForm
  prefix: KeyPrefix
  isScriptNamed: boolean
}

const ACCOUNT_DEPTH = 3
const bytes = { all: 78, depth: 4, parent: 5, index: 9, chainCode: 13, key: 45 } as const

/** Where wallets keep the first account of each network. */
const accountPaths: Partial<Record<WalletNetwork, string>> = {
  btc: "m/84'/0'/0'",
  bitcoincash: "m/44'/145'/0'",
  ltc: "m/84'/2'/0'",
  doge: "m/44'/3'/0'",
  zec: "m/44'/133'/0'",
  evm: "m/44'/60'/0'",
  trc20: "m/44'/195'/0'",
}

/** Electrum and its kin have wallets whose addresses stand right below the root, or below its first child. */
const electrum: readonly WalletNetwork[] = ['btc', 'bitcoincash', 'ltc', 'doge', 'zec']

const instead: Partial<Record<WalletNetwork, string>> = {
  solana:
    'Solana wallets have no extended public key, and need none: addresses are made of the payout wallet ' +
    'alone. Leave the key out.',
  xmr:
    'Monero wallets have no extended public key. Give the primary address of the wallet and its private ' +
    'view key, which can see payments but not spend them.',
}

const base58Check = createBase58check(sha256)

/**
 * BIP44, 49 and 84 wallets look for payments below an account, at depth 3, which only a hardened step leads
 * to. What is derived from a key of an account's chain, at depth 4, no wallet ever finds.
 */
function checkDepth(network: WalletNetwork, { depth, index }: HDKey): void {
  const isHardened = depth === 0 || index >= HARDENED_OFFSET
  const isRoot = depth < 2 && electrum.includes(network)
  if (isHardened && (depth === ACCOUNT_DEPTH || isRoot)) return
  const found =
    depth > ACCOUNT_DEPTH || !isHardened
      ? 'of a chain or an address inside of an account, or of a multisig wallet'
      : 'above the accounts of its wallet'
  throw new KeyError(
    `This key is ${found} (depth ${depth}): the wallet would not see what is paid to its addresses. Export ` +
      `the extended public key of the account itself, such as ${accountPaths[network]}.`,
  )
}

const scriptNames = (network: WalletNetwork): string =>
  forms[network].flatMap(({ script }) => script ?? []).join(', ')

/** What a key of the prefix may be used for, the usual first. */
const formsFor = (network: WalletNetwork, prefix: KeyPrefix): AddressForm[] =>
  forms[network].filter(({ script }) => prefix.script === null || prefix.script === script)

function formFor(network: WalletNetwork, prefix: KeyPrefix, script: Script | null): AddressForm {
  const fitting = formsFor(network, prefix)
  const form = script === null ? fitting[0] : fitting.find(candidate => candidate.script === script)
  if (form !== undefined) return form
  const known = scriptNames(network)
  if (known === '') throw new KeyError(`Addresses of ${network} have no script. Leave it out.`)
  if (forms[network].every(candidate => candidate.script !== script))
    throw new KeyError(`Addresses of ${network} are ${known} only. Leave the script out.`)
  throw new KeyError(
    `A ${prefix.name} is for ${prefix.script} addresses. Leave the script out, or export the key of an ` +
      `account that has ${script} addresses.`,
  )
}

function accountOf(payload: Uint8Array): HDKey | null {
  const view = createView(payload)
  return decoded(
    () =>
      new HDKey({
        depth: payload[bytes.depth]!,
        parentFingerprint: view.getUint32(bytes.parent),
        index: view.getUint32(bytes.index),
        chainCode: payload.slice(bytes.chainCode, bytes.key),
        publicKey: payload.slice(bytes.key),
      }),
  )
}

/** As `readExtendedKey`, for who derives from the key. */
export function openKey(network: WalletNetwork, key: string, script: Script | null): OpenedKey {
  if (isPrivateKey(network, key)) throw new PrivateKeyError(EXPOSED)
  const other = instead[network]
  if (other) throw new KeyError(other)
  const payload = decoded(() => base58Check.decode(key))
  const malformed =
    'This is no extended public key. Copy the whole text that the wallet exports and nothing else: it ' +
    `begins with ${prefixNames(network)} and has some 111 letters and digits, each of which counts.`
  if (payload?.length !== bytes.all) throw new KeyError(malformed)
  if (payload[bytes.key] === 0) throw new PrivateKeyError(EXPOSED)
  const prefix = prefixOf(network, createView(payload).getUint32(0))
  const account = accountOf(payload)
  if (account === null) throw new KeyError(malformed)
  checkDepth(network, account)
  const isScriptNamed = script !== null || formsFor(network, prefix).length === 1
  if (!isScriptNamed && account.depth !== ACCOUNT_DEPTH)
    throw new KeyError(
      `This ${prefix.name} is of depth ${account.depth}, as Electrum exports it of its own seeds, and ` +
        `may be for any addresses. Name the script: ${scriptNames(network)}.`,
    )
  return { account, form: formFor(network, prefix, script), prefix, isScriptNamed }
}

/** The other scripts that could be named with the key instead. */
export const otherForms = (network: WalletNetwork, { prefix, form }: OpenedKey): AddressForm[] =>
  formsFor(network, prefix).filter(other => other !== form)

function warningsOf({ account, form, isScriptNamed }: OpenedKey): string[] {
  const warnings: string[] = []
  if (!isScriptNamed)
    warnings.push(
      `The key does not tell which addresses its wallet uses; ${form.script} is assumed. Compare the first ` +
        'address with the first that the wallet shows.',
    )
  if (account.depth !== ACCOUNT_DEPTH)
    warnings.push(
      `The key is of depth ${account.depth}, as Electrum exports it of its own seeds. A wallet of another ` +
        'make does not see what is paid to such addresses: compare the first with the first that it shows.',
    )
  return warnings
}

/**
 * Reads what a merchant exported from his wallet; with null for the script, the key's prefix decides it, or
 * the usual script of the network, which then is among the doubts.
 *
 * Throws a PrivateKeyFault for what can spend money, and a KeyFault for all else that is not the key of one
 * account of the network's main chain; their sentences can be shown. It cannot see that an xpub is of a
 * wallet of another coin, since most coins share that prefix.
 */
export function readExtendedKey(network: WalletNetwork, text: string, script: Script | null): ExtendedKey {
  const key = text.trim()
  const opened = openKey(network, key, script)
  const fingerprint = opened.account.fingerprint.toString(16).padStart(8, '0')
  return { key, script: opened.form.script, fingerprint, warnings: warningsOf(opened) }
}
