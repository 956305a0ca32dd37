import { invalid, Refusal } from '../../domain/errors.ts'
import { MAIL_ROW, type MailServer, mailSecurities } from '../../domain/mail-server.ts'
import { isEmail } from '../../domain/merchant.ts'
import type { UpstreamProblem } from '../../domain/upstream-fault.ts'
import type { User } from '../../domain/user.ts'
import type { AuditContext } from '../audit/record.ts'
import type { Context } from '../context.ts'
import type { MailContext } from '../people/steps/mail-person.ts'
import { notifyOperators } from './steps/notify-operators.ts'
import { recordServer } from './steps/record-server.ts'

type ChoiceContext = AuditContext &
  MailContext &
  Pick<Context, 'storage' | 'upstreams' | 'outbound' | 'secrets' | 'policy'>

/** The settings of a mail server, as an operator enters them. */
interface EnteredMailServer {
  host: string
  port: string
  security: string
  userName: string
  /** empty to keep the present password, which requires the same server and user */
  password: string
  sender: string
}

const hostPattern = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:[.][a-z0-9-]+)*|\[[0-9a-f:.]+\])$/i
const portPattern = /^[1-9][0-9]{0,4}$/
const PORT_MAX = 65_535
const TEXT_MAX = 500

function readServer(entered: EnteredMailServer): Omit<MailServer, 'password'> {
  const [host, port] = [entered.host.trim().toLowerCase(), entered.port.trim()]
  const security = mailSecurities.find(one => one === entered.security)
  const [userName, sender] = [entered.userName.trim(), entered.sender.trim()]
  if (!hostPattern.test(host) || host.length > TEXT_MAX) throw invalid('host', 'must be the name of a server')
  if (!portPattern.test(port) || Number(port) > PORT_MAX) throw invalid('port', 'must be a port')
  if (!security) throw invalid('security', `must be ${mailSecurities.join(' or ')}`)
  if (userName.length > TEXT_MAX) throw invalid('userName', `must have at most ${TEXT_MAX} characters`)
  if (!isEmail(sender)) throw invalid('sender', 'must be an email address')
  return { host, port: Number(port), security, userName, sender }
}

const isSame = (a: Omit<MailServer, 'password'>, b: Omit<MailServer, 'password'>): boolean =>
  a.host === b.host && a.port === b.port && a.security === b.security && a.userName === b.userName

/**
 * The password that was entered, or else the present one, but only for the same server and user: it must not
 * be sent to another server, which may be that of a thief.
 */
function passwordOf(
  server: Omit<MailServer, 'password'>,
  entered: string,
  present: MailServer | null,
): string | null {
  if (server.userName === '') return null
  if (entered.length > TEXT_MAX) throw invalid('password', `must have at most ${TEXT_MAX} characters`)
  if (entered !== '') return entered
  if (present?.password && isSame(server, present)) return present.password
  throw invalid('password', 'must be given for this server and user')
}

function requireOpen({ upstreams }: Pick<Context, 'upstreams'>): void {
  if (upstreams.mail().origin !== 'environment') return
  throw new Refusal('conflict', 'FLORIN_SMTP_URL takes precedence. Remove it from the settings first.')
}

const refuseUnusable = (problem: UpstreamProblem | null): void => {
  if (problem === null) return
  const reason = { kind: 'unusable_source', problem } as const
  throw new Refusal('validation_error', `The mail server refuses the test: ${problem.reason}`, { reason })
}

/** The test mail to the person who tries a mail server. */
function testTo({ ids, letters, policy }: ChoiceContext, { email, language }: User) {
  const shop = new URL(policy.dashboardUrl).host
  const letter = letters.channelTest({ shop }, language ?? 'en')
  return { message: { id: ids.uuid(), ...letter, items: [], more: 0 }, to: email }
}

const audited = ({ host, port, security, userName, sender }: Omit<MailServer, 'password'>) => ({
  ...{ host, port, security, userName, sender },
})

/**
 * Sends a test by a mail server, and uses the server from now on if it takes the mail. Otherwise nothing
 * changes. The other operators are notified through the server that was used before, because a thief may have
 * chosen the new one.
 */
export async function chooseMailServer(
  context: ChoiceContext,
  user: User,
  entered: EnteredMailServer,
): Promise<void> {
  requireOpen(context)
  const server = readServer(entered)
  const { chosen: present } = context.upstreams.mail()
  const password = passwordOf(server, entered.password, present)
  await context.outbound.endpoint.check(`https://${server.host}:${server.port}/`, 'host', true)
  refuseUnusable(await context.upstreams.tryMail({ ...server, password }, testTo(context, user)))
  const sealed = password === null ? null : context.secrets.seal(password, MAIL_ROW)
  await context.storage.write(async tables => {
    const before = await tables.chosenMailServers.find()
    const now = context.clock()
    await tables.chosenMailServers.put({ id: 'mail', ...server, password: sealed, updatedAt: now })
    const after = { ...audited(server), changedAt: now }
    await recordServer(context, tables, {
      action: 'mail_server.set',
      before: before && { ...audited(before), changedAt: before.updatedAt },
      after,
    })
  })
  const isFirst = context.channels.mail === null
  if (!isFirst) await notifyOperators(context, 'mailServerSet')
  await context.upstreams.reload()
  if (isFirst) await notifyOperators(context, 'mailServerSet')
}

/** Stops using the mail server that was chosen in the dashboard. A repeated request changes nothing. */
export async function removeMailServer(context: ChoiceContext): Promise<void> {
  const isRemoved = await context.storage.write(async tables => {
    const before = await tables.chosenMailServers.find()
    if (!before || !(await tables.chosenMailServers.remove())) return false
    return recordServer(context, tables, {
      action: 'mail_server.removed',
      before: audited(before),
      after: null,
    })
  })
  if (isRemoved) await notifyOperators(context, 'mailServerRemoved')
  await context.upstreams.reload()
}

/** Sends a test by the mail server in use. */
export async function testMailServer(context: ChoiceContext, user: User): Promise<void> {
  refuseUnusable(await context.upstreams.tryMail(null, testTo(context, user)))
}
