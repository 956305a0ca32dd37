import { sha256 } from '@noble/hashes/sha2.js'
import { createView } from '@noble/hashes/utils.js'
import { createBase58check } from '@scure/base'
import type { HDKey } from '@scure/bip32'
import type { AccountKeys, KeyPrefix } from '../../coins/types.ts'
import type { Script } from '../../domain/address-source.ts'
import type { WalletFault } from '../../domain/wallet-fault.ts'
import { decoded } from '../addresses/decoded.ts'
import type { AddressForm } from './address-forms.ts'
import { curves } from './curves.ts'
import { checkPrefix, type KeyRules, prefixNames } from './key-rules.ts'
import { isPrivateKey, KeyError, PrivateKeyError } from './private-key-check.ts'

/** An extended public key that a network's addresses can be derived from. */
export interface ExtendedKey {
  /** the trimmed text of the key, which is stored */
  key: string
  /** the script, which is stored with the key; null where the network has no scripts */
  script: Script | null
  /** 8 hexadecimal digits that tell keys apart; too short to prove that two keys are the same */
  fingerprint: string
  /** questions that the key leaves open; usually none */
  warnings: WalletFault[]
}

/** An extended public key, decoded. */
export interface OpenedKey {
  account: HDKey
  form: AddressForm
  prefix: KeyPrefix
  isScriptNamed: boolean
}

const ACCOUNT_DEPTH = 3
const bytes = { all: 78, depth: 4, parent: 5, index: 9, chainCode: 13, key: 45 } as const

const base58Check = createBase58check(sha256)

/**
 * Throws a KeyError unless wallets would find addresses below the key. BIP44, BIP49 and BIP84 wallets look
 * below an account at depth 3, after hardened steps only, and some wallets, such as Electrum, below the root.
 */
function checkDepth({ path, hasRootWallets }: AccountKeys, { depth, index }: HDKey): void {
  const isHardened = depth === 0 || index >= curves.bip32.HARDENED_OFFSET
  const isRoot = depth < 2 && hasRootWallets
  if (isHardened && (depth === ACCOUNT_DEPTH || isRoot)) return
  const isBelow = depth > ACCOUNT_DEPTH || !isHardened
  throw new KeyError({ kind: isBelow ? 'keyBelowAccount' : 'keyAboveAccount', depth, path })
}

const scriptNames = ({ forms }: KeyRules): string => forms.flatMap(({ script }) => script ?? []).join(', ')

/** The forms of addresses for a key with the prefix, the default first. */
const formsFor = ({ forms }: KeyRules, prefix: KeyPrefix): AddressForm[] =>
  forms.filter(({ script }) => prefix.script === null || prefix.script === script)

function formFor(rules: KeyRules, prefix: KeyPrefix, script: Script | null): AddressForm {
  const fitting = formsFor(rules, prefix)
  const form = script === null ? fitting[0] : fitting.find(candidate => candidate.script === script)
  if (form !== undefined) return form
  const { network } = rules
  const known = scriptNames(rules)
  if (known === '') throw new KeyError({ kind: 'noScripts', network })
  if (rules.forms.every(candidate => candidate.script !== script))
    throw new KeyError({ kind: 'otherScripts', network, scripts: known })
  const [own, given] = [String(prefix.script), String(script)]
  throw new KeyError({ kind: 'scriptOfKey', prefix: prefix.name, script: own, given })
}

function accountOf(payload: Uint8Array): HDKey | null {
  const view = createView(payload)
  return decoded(
    () =>
      new curves.bip32.HDKey({
        depth: payload[bytes.depth]!,
        parentFingerprint: view.getUint32(bytes.parent),
        index: view.getUint32(bytes.index),
        chainCode: payload.slice(bytes.chainCode, bytes.key),
        publicKey: payload.slice(bytes.key),
      }),
  )
}

/** Decodes a key to derive addresses from. Throws the errors of `readExtendedKey`. */
export function openKey(rules: KeyRules, key: string, script: Script | null): OpenedKey {
  if (isPrivateKey(rules.network, key)) throw new PrivateKeyError()
  const { accountKeys } = rules
  if ('instead' in accountKeys) throw new KeyError({ kind: 'noAccountKeys', instead: accountKeys.instead })
  const payload = decoded(() => base58Check.decode(key))
  const malformed: WalletFault = { kind: 'malformedKey', prefixes: prefixNames(accountKeys) }
  if (payload?.length !== bytes.all) throw new KeyError(malformed)
  if (payload[bytes.key] === 0) throw new PrivateKeyError()
  const prefix = checkPrefix(rules, accountKeys, createView(payload).getUint32(0))
  const account = accountOf(payload)
  if (account === null) throw new KeyError(malformed)
  checkDepth(accountKeys, account)
  const isScriptNamed = script !== null || formsFor(rules, prefix).length === 1
  if (!isScriptNamed && account.depth !== ACCOUNT_DEPTH)
    throw new KeyError({
      kind: 'scriptUnknown',
      prefix: prefix.name,
      depth: account.depth,
      scripts: scriptNames(rules),
    })
  return { account, form: formFor(rules, prefix, script), prefix, isScriptNamed }
}

/** The other forms of addresses for the same key. */
export const otherForms = (rules: KeyRules, { prefix, form }: OpenedKey): AddressForm[] =>
  formsFor(rules, prefix).filter(other => other !== form)

function warningsOf({ account: { depth }, form, isScriptNamed }: OpenedKey): WalletFault[] {
  const warnings: WalletFault[] = []
  if (!isScriptNamed) warnings.push({ kind: 'scriptAssumed', script: String(form.script) })
  if (depth !== ACCOUNT_DEPTH) warnings.push({ kind: 'electrumKey', depth })
  return warnings
}

/**
 * Reads the key that a merchant exported from a wallet. If no script is given, the key's prefix decides, or
 * the default of the network, with a warning.
 *
 * Throws a PrivateKeyError for anything that can spend money, and a KeyError unless it is the key of one
 * account on the network's main chain. Both messages can be shown. The key of another coin's wallet is not
 * recognized if its prefix is xpub, which most coins share.
 */
export function readExtendedKey(rules: KeyRules, text: string, script: Script | null): ExtendedKey {
  const key = text.trim()
  const opened = openKey(rules, key, script)
  const fingerprint = opened.account.fingerprint.toString(16).padStart(8, '0')
  return { key, script: opened.form.script, fingerprint, warnings: warningsOf(opened) }
}
