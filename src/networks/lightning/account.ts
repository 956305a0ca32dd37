import { bech32 } from '@scure/base'
import { type LightningKind, type NodeConnection, type NodeKind, nodeKinds } from '../../domain/lightning.ts'

/** Matches the names of LUD-16, with the tags that some servers allow after a plus sign. */
const addressForm = /^([a-z0-9._+-]{1,64})@([a-z0-9.-]{1,253}(?::[0-9]{1,5})?)$/
const webForm = /^(?:lnurlp|https):\/\//i
const nodeForm = new RegExp(`^(${nodeKinds.join('|')})[+]((?:https?|wss?)://[^#]+)(?:#(.*))?$`)
const LOOPBACK = /^(?:localhost|127(?:[.][0-9]{1,3}){3})(?::|$)/

/** A Lightning account, from whose server or node invoices are requested. */
export interface Account {
  kind: LightningKind
  /** the text that is stored and shown: `name@host`, a URL, or the kind and URL of a node */
  text: string
  /** the URL of LUD-06, of a node's API, or of a relay */
  url: string
  /** the server that learns of each payment's amount */
  host: string
  /** the merchant whose secret opens the node; empty for an account without a secret */
  owner: string
}

/**
 * Returns the scheme for a host. Servers on this machine, which the operator has to allow, need no
 * certificate.
 */
const schemeOf = (host: string): string => (LOOPBACK.test(host) ? 'http' : 'https')

/**
 * Reads a Lightning address (`name@host`), an LNURL (`lnurl1…`, also after `lightning:`), or a URL that
 * begins with `lnurlp://` or `https://`. Null for any other text.
 */
export function readAddress(entered: string): Account | null {
  const text = entered.trim().replace(/^lightning:/i, '')
  const address = addressForm.exec(text.toLowerCase())
  if (address) {
    const [whole, name = '', host = ''] = address
    const url = `${schemeOf(host)}://${host}/.well-known/lnurlp/${name}`
    return URL.canParse(url) ? { kind: 'address', text: whole, url, host, owner: '' } : null
  }
  const url = webForm.test(text) ? text.replace(/^lnurlp:/i, 'https:') : readLnurl(text)
  if (url === null || !URL.canParse(url)) return null
  const { protocol, host, hostname, username, hash } = new URL(url)
  const isWeb = protocol === `${schemeOf(hostname)}:` || protocol === 'https:'
  return isWeb && username === '' && hash === '' ? { kind: 'address', text: url, url, host, owner: '' } : null
}

function readLnurl(text: string): string | null {
  try {
    const { prefix, words } = bech32.decode(text as `${string}1${string}`, false)
    return prefix === 'lnurl'
      ? new TextDecoder('utf-8', { fatal: true }).decode(bech32.fromWords(words))
      : null
  } catch {
    return null
  }
}

/**
 * Reads a stored account. The text of a node's account ends with `#` and the merchant whose secret opens the
 * node.
 */
export function readAccount(stored: string): Account | null {
  const node = nodeForm.exec(stored)
  if (!node) return readAddress(stored)
  const [, kind = '', url = '', owner = ''] = node
  if (!URL.canParse(url)) return null
  return { kind: kind as NodeKind, text: `${kind}+${url}`, url, host: new URL(url).host, owner }
}

const schemes: Record<NodeKind, RegExp> = {
  phoenixd: /^https?:$/,
  greenfield: /^https?:$/,
  lnd: /^https?:$/,
  cln: /^https?:$/,
  nwc: /^wss?:$/,
}

/**
 * Returns the account of an entered node. Null if the URL is invalid, or contains a password or other secret,
 * since the URL is stored unencrypted.
 */
export function accountOfNode({ kind, url: entered, store }: Omit<NodeConnection, 'secret'>): Account | null {
  const text = entered.trim()
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const { protocol, username, password, hash, search } = url
  const isPlain = username === '' && password === '' && hash === ''
  if (!schemes[kind].test(protocol) || !isPlain || (kind !== 'nwc' && search !== '')) return null
  if (kind === 'greenfield') {
    if (!/^[A-Za-z0-9]{1,64}$/.test(store)) return null
    url.search = `?store=${store}`
  }
  return readAccount(`${kind}+${url.href.replace(/[/]+$/, '')}`)
}
