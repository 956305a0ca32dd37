import type { Script } from './address-source.ts'

/** The address or key in a pasted text, without the text that the wallet put around it. */
interface PastedWallet {
  /** an address, or an extended public key */
  text: string
  /** the type of addresses that was named beside the key; null if no type was named */
  script: Script | null
}

/**
 * A payment URI: `scheme:ADDRESS`, perhaps with a chain, a function and parameters, as QR codes contain it.
 */
const uri = new RegExp(
  '^(?:bitcoin|litecoin|dogecoin|ethereum|solana|tron|monero):(?://)?(?:pay-)?' +
    String.raw`([^@/?]+)(?:@\d+)?(/\w+)?(?:\?(.*))?$`,
  'i',
)

/** An output descriptor, or a key with its origin: `wpkh([73c5da0a/84h/0h/0h]xpub…/0/*)#checksum`. */
const descriptor = new RegExp(
  String.raw`^(wpkh\(|sh\(wpkh\(|pkh\(|tr\()?(?:\[[0-9a-f]{8}((?:/\d+['hH]?)*)\])?` +
    String.raw`([A-Za-z0-9]{90,130})(?:/(?:0|<0;1>))?(?:/\*)?\)*(?:#\w{8})?$`,
)

const wrappers: Readonly<Record<string, Script>> = {
  'pkh(': 'p2pkh',
  'sh(wpkh(': 'p2sh-p2wpkh',
  'wpkh(': 'p2wpkh',
  'tr(': 'p2tr',
}

/** Script types by the first step of an account's path, as BIP44, BIP49, BIP84 and BIP86 assign it. */
const purposes: Readonly<Record<string, Script>> = {
  44: 'p2pkh',
  49: 'p2sh-p2wpkh',
  84: 'p2wpkh',
  86: 'p2tr',
}

const upperCaseOnly = /^[A-Z0-9]+$/

function addressIn(text: string): string | null {
  const [, address, called, query] = uri.exec(text) ?? []
  if (address === undefined) return null
  // The URI of a token transfer begins with the token's contract, so the recipient is in a parameter.
  if (called !== undefined) return new URLSearchParams(query).get('address')
  // Wallets write addresses in upper case to make QR codes smaller. They may do so only if all letters of
  // such an address have one case.
  return upperCaseOnly.test(address) && /[A-Z]/.test(address) ? address.toLowerCase() : address
}

/** Takes an address or a key out of a payment URI, an output descriptor, or a key with its origin. */
export function readPasted(entered: string): PastedWallet {
  const text = entered.trim()
  const [, wrapper, path, key] = descriptor.exec(text.replaceAll(/\s/g, '')) ?? []
  if (key === undefined) return { text: addressIn(text) ?? text, script: null }
  const [, purpose = ''] = path?.split(/[/'hH]+/) ?? []
  return { text: key, script: wrappers[wrapper ?? ''] ?? purposes[purpose] ?? null }
}

/** Returns the kind of text that was pasted instead of an address; null if it is not known. */
export function readMistake(text: string): 'testAddress' | 'nameEntered' | 'linkEntered' | null {
  if (/^(?:tb1|bcrt1|tltc1|[mn2][1-9A-HJ-NP-Za-km-z]{25,34}$)/.test(text)) return 'testAddress'
  if (/^https?:\/\//i.test(text)) return 'linkEntered'
  return /^[^\s@]+\.[a-z]{2,}$/i.test(text) || /^[^\s@]+@[^\s@]+$/.test(text) ? 'nameEntered' : null
}
