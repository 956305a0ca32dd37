import { createHash } from 'node:crypto'
import { formatTimestamp } from '../../../domain/timestamp.ts'
import { KNOWN_MS, type User } from '../../../domain/user.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import type { Browser } from './enter.ts'

/** The network of an address: 256 neighbours in IPv4, one site in IPv6. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return plain.includes(':') ? plain.split(':').slice(0, 3).join(':') : plain.split('.').slice(0, 3).join('.')
}

/** Without the versions, so that an update does not make a browser new. */
const hashOf = ({ userAgent, address }: Browser): string =>
  createHash('sha256')
    .update(`${userAgent.replace(/[\d._]+/g, '')}\n${networkOf(address)}`)
    .digest('hex')

/** Remembers the browser of a login. Returns whether the user has not used it for 30 days. */
export async function isNewBrowser(
  { clock }: Pick<Context, 'clock'>,
  tables: Tables,
  { id }: User,
  browser: Browser,
): Promise<boolean> {
  const now = clock()
  return !(await tables.knownBrowsers.see(id, hashOf(browser), now, now - KNOWN_MS))
}

/** Sends a mail about a login to the person, if the server sends mails. Nobody waits for it. */
export function mailNewLogin(
  { channels, clock, ids, log, policy }: Pick<Context, 'channels' | 'clock' | 'ids' | 'log' | 'policy'>,
  { id, email }: User,
  { name, address }: Browser,
): void {
  const account = `${policy.dashboardUrl}/dashboard/account`
  const text = [
    `Somebody signed in to the dashboard at ${policy.dashboardUrl} as ${email},`,
    'in a browser or from a network that you have not used in the last 30 days.',
    '',
    `Browser: ${name}`,
    `Network address: ${address}`,
    `Time: ${formatTimestamp(clock())}`,
    '',
    'If this was you, there is nothing to do. If not, change your password at once. This signs out all other',
    `browsers: ${account}`,
  ].join('\n')
  const message = { id: ids.uuid(), subject: 'New login to your dashboard', text, items: [], more: 0 }
  channels.mail?.send(message, { email }).then(
    fault => fault !== null && log.warn({ userId: id, reason: fault }, 'login.mail.failed'),
    error => log.warn({ userId: id, error: String(error) }, 'login.mail.failed'),
  )
}
