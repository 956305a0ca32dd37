import { Command } from 'commander'
import { Refusal } from '../domain/errors.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import { canSignInAt } from '../domain/user.ts'
import type { Context } from '../operations/context.ts'
import { createUser, resetUser } from '../operations/people/create-user.ts'
import { createFirstLink } from '../operations/people/links.ts'
import { listUsers } from '../operations/people/read.ts'
import { restoreUser, suspendUser } from '../operations/people/suspend.ts'
import { type Cli, command, MERCHANT_ID, tableOf } from './cli.ts'

/** URL of a link that works once. */
export const linkUrl = ({ policy }: Pick<Context, 'policy'>, token: string): string =>
  `${policy.dashboardUrl}/dashboard/link/${token}`

const LINK_NOTE = 'The link can be used once, within 3 days. Send it to the person over a private channel.'

/** Warns that a link cannot be used to sign in yet. Empty if it can. */
const httpNote = ({ policy }: Pick<Context, 'policy'>): string[] =>
  canSignInAt(policy.dashboardUrl)
    ? []
    : [
        'This link does not work yet: the dashboard is not served over HTTPS. Put a reverse proxy with a',
        'certificate in front of Florin, set FLORIN_CHECKOUT_URL or FLORIN_DASHBOARD_URL to its https://',
        'URL, and restart. Then make a new link: this one keeps the old address and ends in 3 days.',
      ]

const linkLines = (context: Pick<Context, 'policy'>, link: string): string[] => [
  `${link}\n`,
  LINK_NOTE,
  ...httpNote(context),
]

/** Explains how the first person of a new server sets it up. */
export const codeLines = (context: Pick<Context, 'policy'>, code: string): string[] => [
  'To set up the dashboard, open this link within 3 days:',
  '',
  `  ${linkUrl(context, code)}`,
  '',
  `Or open ${context.policy.dashboardUrl} and enter the code ${code}`,
  ...httpNote(context),
]

const code = (cli: Cli) =>
  command('code', 'print the code with which the first person sets up a server that has no users yet').action(
    cli.withContext(async context => {
      const made = await createFirstLink(context)
      if (made === null)
        throw new Refusal('conflict', 'This server has users. To add one, run florin user create.')
      return {
        json: { code: made, link: linkUrl(context, made) },
        text: codeLines(context, made).join('\n'),
      }
    }),
  )

interface Create {
  email: string
  merchant?: string
  role?: string
  keepPassword?: boolean
}

/** A note about a person who already had an account when they were added. */
const RESET_NOTE = [
  'They already had an account, which somebody else may have made. They are signed out everywhere, and its',
  'password, second factor and passkeys no longer work. If you know that the account is theirs, use',
  '--keep-password next time.\n',
].join('\n')

const create = (cli: Cli) =>
  command(
    'create',
    'let a person sign in to the dashboard, or add them to another merchant; prints a link where they ' +
      'choose a password',
  )
    .requiredOption('--email <email>', 'the email address with which the person signs in')
    .option(
      '--merchant <id>',
      `${MERCHANT_ID}; without it, the person becomes an operator, who may do everything in every shop`,
    )
    .option(
      '--role <role>',
      'owner (everything in the shop), staff (orders and notes) or viewer (reads only); default: owner',
    )
    .option(
      '--keep-password',
      'keep the password, second factor and passkeys of an existing account; otherwise they stop working, ' +
        'because the owner who first invited the person may know the password',
    )
    .action(
      cli.withContext(async (context, { merchant, ...given }: Create) => {
        const invited = await createUser(context, { ...given, merchantId: merchant ?? null })
        const { user, token, wasReset } = invited
        const link = token === null ? null : linkUrl(context, token)
        const note = wasReset ? [RESET_NOTE] : []
        const after =
          link === null ? ['They already have a password.'] : [...note, ...linkLines(context, link)]
        return {
          json: { userId: user.id, email: user.email, link, wasReset },
          text: [`${user.email} can use the dashboard.`, ...after].join('\n'),
        }
      }),
    )

interface Reset {
  secondFactor?: boolean
}

const reset = (cli: Cli) =>
  command('reset', 'sign a person out everywhere and make a link to choose a new password')
    .argument('<email>', 'the email address of the person')
    .option(
      '--second-factor',
      'also switch off their second factor and remove their passkeys, if they lost them',
    )
    .action(
      cli.withContext(async (context, email: string, { secondFactor = false }: Reset) => {
        const { user, token } = await resetUser(context, email, { secondFactor })
        const link = linkUrl(context, token)
        return {
          json: { userId: user.id, email: user.email, link },
          text: [`${user.email} is signed out everywhere.`, ...linkLines(context, link)].join('\n'),
        }
      }),
    )

const suspend = (cli: Cli) =>
  command('suspend', 'sign a person out everywhere and keep them from signing in again')
    .argument('<email>', 'the email address of the person')
    .action(
      cli.withContext(async (context, email: string) => {
        const user = await suspendUser(context, email)
        return {
          json: { userId: user.id, email: user.email, suspended: true },
          text: `${user.email} is signed out everywhere and cannot sign in.`,
        }
      }),
    )

const restore = (cli: Cli) =>
  command('restore', 'let a suspended person sign in again')
    .argument('<email>', 'the email address of the person')
    .action(
      cli.withContext(async (context, email: string) => {
        const user = await restoreUser(context, email)
        return {
          json: { userId: user.id, email: user.email, suspended: false },
          text: `${user.email} can sign in again.`,
        }
      }),
    )

const list = (cli: Cli) =>
  command('list', 'list who can sign in to the dashboard').action(
    cli.withContext(async context => {
      const items = (await listUsers(context)).map(({ user, memberships }) => ({
        userId: user.id,
        email: user.email,
        operator: user.isOperator,
        hasPassword: user.passwordHash !== null,
        suspended: user.suspendedAt !== null,
        merchants: memberships.map(({ merchantId, role }) => ({ merchantId, role })),
        createdAt: formatTimestamp(user.createdAt),
      }))
      const rows = items.map(({ userId, email, operator, hasPassword, suspended, merchants }) => [
        userId,
        email,
        operator
          ? 'operator'
          : merchants.map(({ merchantId, role }) => `${role} of ${merchantId}`).join(', '),
        hasPassword ? 'yes' : 'no',
        suspended ? 'yes' : 'no',
      ])
      return {
        json: { items },
        text: tableOf([['userId', 'email', 'role', 'password', 'suspended'], ...rows]),
      }
    }),
  )

export const user = (cli: Cli): Command =>
  new Command('user')
    .description('manage who can sign in to the dashboard')
    .addCommand(code(cli))
    .addCommand(create(cli))
    .addCommand(list(cli))
    .addCommand(reset(cli))
    .addCommand(suspend(cli))
    .addCommand(restore(cli))
