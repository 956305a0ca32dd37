import { createHash } from 'node:crypto'
import { KNOWN_MS, type User } from '../../../domain/user.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import type { BrowserNames } from '../../letters.ts'

/** The browser in which somebody signs in. */
export interface Browser {
  userAgent: string
  /** its description, in known words only; null for unknown parts */
  names: BrowserNames
  address: string
  /** the random token of a cookie by which the browser is known later */
  token: string
  /** of the login that the browser has until now; null without one */
  loginToken: string | null
}

/** The network of an address: 256 neighbours in IPv4, one site in IPv6. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return plain.includes(':') ? plain.split(':').slice(0, 3).join(':') : plain.split('.').slice(0, 3).join('.')
}

/** Without versions, so that an update does not make a browser new. */
const hashOf = ({ userAgent, address }: Browser): string =>
  createHash('sha256')
    .update(`${userAgent.replace(/[\d._]+/g, '')}\n${networkOf(address)}`)
    .digest('hex')

/** Of the cookie of a browser, which strangers cannot guess, unlike its name and its network. */
export const browserHash = (token: string): string =>
  createHash('sha256').update(`browser\n${token}`).digest('hex')

/** Remembers the browser of a login. Returns true if the user has not used it for 30 days. */
export async function isNewBrowser(
  { clock }: Pick<Context, 'clock'>,
  tables: Tables,
  { id }: User,
  browser: Browser,
): Promise<boolean> {
  const now = clock()
  return !(await tables.knownBrowsers.see(id, hashOf(browser), now, now - KNOWN_MS))
}
