import { createHash } from 'node:crypto'
import { KNOWN_MS, type User } from '../../../domain/user.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import type { BrowserNames } from '../../letters.ts'

/** The browser in which a person signs in. */
export interface Browser {
  userAgent: string
  /** the names of the browser and its system, if they are known; null for unknown parts */
  names: BrowserNames
  address: string
  /** the network of the address, in one spelling */
  network: string
  /** the random token of a cookie by which the browser is known later */
  token: string
  /** the token of the browser's present login; null without a login */
  loginToken: string | null
}

/** A hash of a browser's name and network, without versions: an update does not make a browser new. */
const hashOf = ({ userAgent, network }: Browser): string =>
  createHash('sha256')
    .update(`${userAgent.replace(/[\d._]+/g, '')}\n${network}`)
    .digest('hex')

/** A hash of a browser's cookie, which strangers cannot guess, unlike the browser's name and network. */
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
