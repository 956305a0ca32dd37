import type { DashboardLocale } from '../../views/dashboard/locale.ts'
import { chainName } from '../../views/dashboard/texts/chain-names.ts'
import { listFormat } from '../../views/formats.ts'
import { transactionIdOf } from '../domain/payment.ts'
import type { FactsOf, Messages } from './notification-message.ts'
import { serviceTexts } from './notification-service-texts.ts'

type Texts = DashboardLocale['texts']

/** What a notification says of a payment: `unnamed` if the payment has no transaction of its own. */
const ofTransaction = <Facts extends { txId: string }>(of: {
  text: (facts: Facts) => string
  unnamed: string | ((facts: Facts) => string)
}) => ({
  ...of,
  text(facts: Facts): string {
    if (transactionIdOf({ txIn: null, txId: facts.txId }) !== null) return of.text(facts)
    return typeof of.unnamed === 'string' ? of.unnamed : of.unnamed(facts)
  },
})

/** The name of a network; unknown networks keep their key. */
export const networkName = ({ payouts }: Texts, network: string): string =>
  (payouts.networks as Record<string, string>)[network] ?? network

type OfPayments = Pick<
  Messages,
  | 'order_paid'
  | 'payment_unmatched'
  | 'payment_gone'
  | 'payment_back'
  | 'payment_vanished'
  | 'payment_failed'
  | 'unmatched_gone'
  | 'unmatched_back'
  | 'settled_late'
  | 'skipped_payment'
  | 'unpayable'
>

const paymentTexts = ({ messages, payouts }: Texts): OfPayments => {
  const { order_paid, payment_unmatched, settled_late, skipped_payment, unpayable } = messages
  return {
    order_paid: {
      text: ({ amount, number }) =>
        number === null ? order_paid.unnumbered({ amount }) : order_paid.numbered({ amount, number }),
    },
    payment_unmatched: {
      title: payment_unmatched.title,
      text: ({ reason, sum, value, missing }) => {
        const worth = value === null ? sum : payment_unmatched.worth({ sum, value })
        const text = payment_unmatched.reasons[reason]({ sum: worth })
        return missing === null ? text : `${text} ${payment_unmatched.missing(missing)}`
      },
      advice: ({ choice }) => payment_unmatched.choices[choice],
    },
    payment_gone: ofTransaction(messages.payment_gone),
    payment_back: ofTransaction(messages.payment_back),
    payment_vanished: ofTransaction(messages.payment_vanished),
    payment_failed: ofTransaction<FactsOf<'payment_failed'>>(messages.payment_failed),
    unmatched_gone: ofTransaction(messages.unmatched_gone),
    unmatched_back: ofTransaction(messages.unmatched_back),
    settled_late: {
      title: settled_late.title,
      text: ({ arrived, due, value }) =>
        value === null ? settled_late.overdue({ arrived, due }) : settled_late.worth({ arrived, due, value }),
    },
    unpayable: {
      ...unpayable,
      text: ({ since, reasons }) =>
        unpayable.text({ since, reasons: reasons.map(reason => payouts.unpayable[reason]).join(' ') }),
    },
    skipped_payment: {
      ...skipped_payment,
      text: facts => skipped_payment.text({ ...facts, chain: chainName(facts.assetId.split('/')[0] ?? '') }),
    },
  }
}

type OfWallets = Pick<
  Messages,
  | 'webhook_changed'
  | 'key_created'
  | 'wallets_changed'
  | 'source_changed'
  | 'payout_unusable'
  | 'payout_usable'
  | 'people_changed'
  | 'new_login'
>

function problemText(
  { tag, texts: { messages } }: DashboardLocale,
  problem: FactsOf<'payout_unusable'>['problems'][number],
): string {
  const { coin, unknown, elsewhere } = messages.payout_unusable.problems
  const { isCoinOnly, deployedOn, reason } = problem
  const chain = chainName(problem.chain)
  if (isCoinOnly) return coin({ chain, reason })
  if (deployedOn.length === 0) return unknown({ chain, reason })
  const others = listFormat(tag, { type: 'disjunction' }).format(deployedOn.map(chainName))
  return elsewhere({ chain, others })
}

const changeTexts = (locale: DashboardLocale): OfWallets => {
  const { texts } = locale
  const { webhook_changed, key_created, wallets_changed, source_changed } = texts.messages
  const { payout_unusable, payout_usable, people_changed, new_login } = texts.messages
  const { change, none } = wallets_changed
  return {
    webhook_changed: {
      title: webhook_changed.title,
      text: ({ by, url, formerUrl, ...facts }) => {
        const events = facts.events.join(', ')
        if (formerUrl === null) return webhook_changed.set({ by, events, url })
        return webhook_changed.replaced({ by, events, url, formerUrl })
      },
    },
    key_created: {
      title: key_created.title,
      text: facts => key_created.text({ ...facts, scopes: facts.scopes.join(', ') }),
    },
    people_changed: {
      title: people_changed.title,
      advice: people_changed.advice,
      text({ by, email, before, role }) {
        const { roles } = texts.frame
        if (role === null) return people_changed.removed({ by, email })
        if (before === null) return people_changed.added({ by, email, role: roles[role] })
        return people_changed.changed({ by, email, role: roles[role], before: roles[before] })
      },
    },
    new_login: {
      title: new_login.title,
      advice: new_login.advice,
      text: ({ by, browser }) => new_login.text({ by, browser: browser ?? new_login.unknown }),
    },
    wallets_changed: {
      ...wallets_changed,
      text({ by, changes }) {
        const all = changes.map(({ network, from, to }) =>
          change({ network: networkName(texts, network), from: from ?? none, to: to ?? none }),
        )
        return wallets_changed.text({ by, changes: all.join('; ') })
      },
    },
    source_changed: {
      ...source_changed,
      text(facts) {
        const { [facts.source]: source = facts.source } = source_changed.sources as Record<string, string>
        return source_changed.text({ ...facts, source })
      },
    },
    payout_unusable: {
      text({ address, problems }) {
        const all = problems.map(problem => problemText(locale, problem)).join(' ')
        return payout_unusable.text({ address, problems: all })
      },
    },
    payout_usable: {
      text: ({ address, chains }) =>
        payout_usable.text({ address, chains: chains.map(chainName).join(', ') }),
    },
  }
}

/**
 * The texts of all notifications in a language. Most notifications have a fixed text; some texts are
 * composed.
 */
export const notificationTexts = (locale: DashboardLocale): Messages => ({
  ...locale.texts.messages,
  ...locale.texts.serviceMessages,
  ...paymentTexts(locale.texts),
  ...changeTexts(locale),
  ...serviceTexts(locale),
})
