import { type DashboardLocale, dashboardLocale } from '../../views/dashboard/locale.ts'
import { chainName } from '../../views/dashboard/texts/chain-names.ts'
import { filled } from '../../views/texts/message.ts'
import type { Author, NotificationFacts } from '../domain/notification-facts.ts'
import { formatTimestamp, readableTime } from '../domain/timestamp.ts'
import type { Reader } from '../operations/letters.ts'
import type { SentNotification } from '../operations/notices/list.ts'
import type { LocalizedFacts, Message } from './notification-message.ts'
import { networkName, notificationTexts } from './notification-texts.ts'

/** The command on the server for a notification, if there is one. */
function commandOf(facts: NotificationFacts): string | null {
  switch (facts.about) {
    case 'payment_unmatched': {
      const { choice, unmatchedId } = facts
      if (choice === 'none') return null
      if (choice === 'force')
        return 'Return it to the buyer, or mark the order as paid with florin order force.'
      const accept = `florin unmatched accept ${unmatchedId} --by NAME`
      return `To accept it as payment: ${accept}. Otherwise return it to the buyer.`
    }
    case 'event_given_up':
      return 'It is sent when your webhook works again, or with florin event redeliver --failed.'
    case 'release_security':
      return 'Install it soon, with florin update.'
    case 'pool_low':
      return 'Add more with florin wallet pool.'
    case 'pool_refilled':
      return facts.isLow ? 'Add more with florin wallet pool.' : null
    default:
      return null
  }
}

function authorName({ messages }: DashboardLocale['texts'], { by: actor, person, client }: Author): string {
  if (actor === 'cli' || actor === 'server') return messages.by[actor]
  if (person)
    return client ? messages.by.personAt({ email: person, client }) : messages.by.person({ email: person })
  return actor.startsWith('key:') ? messages.by.key({ id: actor.slice('key:'.length) }) : messages.by.user
}

/** Facts that are amounts with their currency or coin, such as "12.50 USD". */
const sums = [
  'amount',
  'sum',
  'value',
  'arrived',
  'due',
  'extra',
  'missing',
  'of',
  'before',
  'after',
  'from',
  'total',
]

/** Puts the decimal sign of a language into amounts. */
const inLanguage = (locale: DashboardLocale, facts: object): object =>
  Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => {
      const isAmount = sums.includes(name) && /^[0-9]+[.][0-9]+( |$)/.test(String(fact))
      if (name === 'missing' && fact instanceof Object) return [name, inLanguage(locale, fact)]
      return [name, isAmount ? locale.coins(fact) : fact]
    }),
  )

type Said = string | ((values: object) => string)

/** The beginning of a text, up to its first stop. */
const beginning = (text: string): string => text.replace(/(: |[.]( |$)).*/s, '')

/** Writes a notification in the language of its reader. */
export function writeNotification(
  locale: DashboardLocale,
  facts: NotificationFacts,
  reader: Reader,
): { title: string; text: string } {
  const { texts, timeZone } = locale
  const time = (at: number) =>
    reader === 'shell' ? readableTime(at) : `${locale.dateTime(at)} (${timeZone})`
  const shown: LocalizedFacts = {
    ...('by' in facts && { by: authorName(texts, facts) }),
    ...('since' in facts && { since: time(facts.since) }),
    ...('at' in facts && { time: time(facts.at) }),
  }
  const { title, text, advice = '' } = notificationTexts(locale)[facts.about] as Message<NotificationFacts>
  const values = {
    ...(reader === 'shell' ? facts : inLanguage(locale, facts)),
    ...shown,
    ...('network' in facts && { network: networkName(texts, facts.network) }),
    ...('chain' in facts && { chain: chainName(facts.chain) }),
  }
  const what = filled(text as Said, values)
  const todo = (reader === 'shell' ? commandOf(facts) : null) ?? filled(advice as Said, values)
  return { title: title ?? beginning(what), text: todo === '' ? what : `${what} ${todo}` }
}

/** A notification for the command line, which is English. */
export const presentNotification = ({
  id,
  kind,
  orderId,
  facts,
  createdAt,
  sentTo,
}: Omit<SentNotification, 'merchantId'>) => ({
  id,
  kind,
  orderUUID: orderId,
  text: writeNotification(dashboardLocale('en', 'UTC'), facts, 'shell').text,
  createdAt: formatTimestamp(createdAt),
  sentTo,
})
