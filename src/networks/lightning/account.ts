import { bech32 } from '@scure/base'

/** Names of LUD-16, and the tags that some servers allow after a plus sign. */
const addressForm = /^([a-z0-9._+-]{1,64})@([a-z0-9.-]{1,253}(?::[0-9]{1,5})?)$/
const webForm = /^(?:lnurlp|https):\/\//i
const LOOPBACK = /^(?:localhost|127(?:[.][0-9]{1,3}){3})(?::|$)/

/** A Lightning account: where the server of its wallet describes how to pay it. */
export interface Account {
  /** how it is stored and shown: `name@host`, or the URL */
  text: string
  /** of LUD-06 */
  url: string
  /** the server that learns of each payment's amount */
  host: string
}

/** Servers on this machine, which the operator has to allow, need no certificate. */
const schemeOf = (host: string): string => (LOOPBACK.test(host) ? 'http' : 'https')

/**
 * Reads a Lightning address (`name@host`), an LNURL (`lnurl1…`, also after `lightning:`), or a URL that
 * begins with `lnurlp://` or `https://`. Null for any other text.
 */
export function readAccount(entered: string): Account | null {
  const text = entered.trim().replace(/^lightning:/i, '')
  const address = addressForm.exec(text.toLowerCase())
  if (address) {
    const [whole, name = '', host = ''] = address
    const url = `${schemeOf(host)}://${host}/.well-known/lnurlp/${name}`
    return URL.canParse(url) ? { text: whole, url, host } : null
  }
  const url = webForm.test(text) ? text.replace(/^lnurlp:/i, 'https:') : readLnurl(text)
  if (url === null || !URL.canParse(url)) return null
  const { protocol, host, hostname, username, hash } = new URL(url)
  const isWeb = protocol === `${schemeOf(hostname)}:` || protocol === 'https:'
  return isWeb && username === '' && hash === '' ? { text: url, url, host } : null
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
