import { dateAt } from '../../domain/calendar.ts'
import { fiatCurrency } from '../../domain/fiat.ts'
import { amountOf, minorOf, total } from '../../domain/money.ts'
import type { Movement } from '../../operations/reports/movement.ts'
import { tickerOf } from '../amounts.ts'
import type { Books } from './books.ts'
import { percentOf } from './columns.ts'

/** A line of a transaction: an account and an amount, with its cost if the amount is in a coin. */
interface Posting {
  account: string
  amount: string
  unit: string
  cost?: { amount: string; currency: string } | undefined
}

const negated = (amount: string): string => (amount.startsWith('-') ? amount.slice(1) : `-${amount}`)

/** The name of a coin's commodity. It has only letters, so that both programs can read it. */
const unitOf = (assetId: string): string =>
  tickerOf(assetId)
    .replaceAll(/[^A-Z]/g, '')
    .slice(0, 20)
    .padEnd(2, 'X')

const partOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** What arrived for an order that was paid in several ways. Its values are rounded: the last has the rest. */
function partsOf({ parts, worth, currency, ...movement }: Movement): Posting[] {
  const minor = (amount: string | null) => minorOf(amount ?? '0', currency)
  const rest = minor(worth) - total(parts.map(({ credited }) => minor(credited)))
  return parts.flatMap(({ methodKey, assetId, amount, credited }, at) =>
    arrived({
      ...{ ...movement, currency, methodKey, received: amount, parts: [] },
      receivedIn: fiatCurrency(assetId) ?? assetId,
      worth: amountOf(minor(credited) + (at === parts.length - 1 ? rest : 0n), currency),
    }),
  )
}

/** The coins or the money that arrived, and their value. */
function arrived(movement: Movement): Posting[] {
  const { received, receivedIn, currency, worth, methodKey } = movement
  if (movement.parts.length > 0 && worth !== null) return partsOf(movement)
  if (received === null || receivedIn === null) {
    return worth === null ? [] : [{ account: 'assets:cash', amount: worth, unit: currency }]
  }
  if (receivedIn === currency || fiatCurrency(`fiat/${receivedIn.toLowerCase()}`) === receivedIn) {
    const account = `assets:provider:${partOf(methodKey ?? 'unknown')}`
    return worth === null ? [] : [{ account, amount: worth, unit: currency }]
  }
  const unit = unitOf(receivedIn)
  const coins = { account: `assets:crypto:${partOf(receivedIn)}`, amount: received, unit }
  if (worth !== null) return [{ ...coins, cost: { amount: worth, currency } }]
  return [coins, { account: 'equity:unvalued', amount: negated(received), unit }]
}

/** The revenue and the tax of an amount. Both are negative if money is earned. */
function earned({ tax, amount, currency: unit }: Movement, account: string): Posting[] {
  if (tax === null) return [{ account, amount: negated(amount ?? '0'), unit }]
  return tax.lines.flatMap(({ rate, net, tax: sum }) => [
    { account, amount: negated(net), unit },
    ...(/[1-9]/.test(sum)
      ? [{ account: `liabilities:tax:${partOf(`rate ${percentOf(rate)}`)}`, amount: negated(sum), unit }]
      : []),
  ])
}

function postingsOf(movement: Movement): Posting[] {
  const { type, amount, currency: unit, worth } = movement
  const owed = (of: string | null) =>
    of === null ? [] : [{ account: 'assets:receivable', amount: of, unit }]
  switch (type) {
    case 'payment':
      return [
        ...owed(amount),
        ...earned(movement, 'income:sales'),
        ...arrived(movement),
        ...owed(worth && negated(worth)),
      ]
    case 'shortfall':
      return [...owed(amount), ...earned(movement, 'income:shortfalls')]
    case 'excess':
      return [...owed(amount), { account: 'liabilities:excess', amount: negated(amount ?? '0'), unit }]
    case 'fee':
      return [
        { account: 'expenses:platform-fee', amount: negated(amount ?? '0'), unit },
        { account: 'liabilities:platform-fee', amount: amount ?? '0', unit },
      ]
    case 'refund':
      return [
        ...earned(movement, 'income:refunds'),
        { account: 'liabilities:refunds', amount: amount ?? '0', unit },
      ]
    case 'forced':
      return [{ account: 'assets:cash', amount: amount ?? '0', unit }, ...earned(movement, 'income:sales')]
    case 'network_fee':
      // The fee was paid with coins of a wallet that is not part of these books.
      return amount === null
        ? arrived(movement)
        : [
            { account: 'expenses:network-fees', amount: negated(amount), unit },
            { account: 'equity:wallet', amount, unit },
          ]
    case 'unmatched': {
      const owner = worth === null ? [] : [{ account: 'liabilities:unmatched', amount: negated(worth), unit }]
      return [...arrived(movement), ...owner]
    }
  }
}

const isNothing = ({ amount }: Posting): boolean => !/[1-9]/.test(amount)

interface Dialect {
  account(name: string): string
  head(day: string, code: string, text: string): string
  posting(posting: Posting): string
  declare(day: string, accounts: ReadonlySet<string>, units: ReadonlySet<string>): string
}

/** Text in one line without the signs that end a description. */
const plain = (text: string): string => text.replaceAll(/[\s;|"\\]+/g, ' ').trim()

const capital = (name: string): string =>
  name.replaceAll(/(^|:)([a-z0-9])/g, (_, before: string, letter: string) => before + letter.toUpperCase())

const amountText = ({ amount, unit, cost }: Posting, open: string, close: string): string =>
  `${amount} ${unit}${cost ? `${open}${cost.amount} ${cost.currency}${close}` : ''}`

const dialects: Record<'hledger' | 'beancount', Dialect> = {
  hledger: {
    account: name => name,
    head: (day, code, text) => `${day} * (${plain(code).replaceAll(/[()]/g, '-')}) ${plain(text)}`,
    posting: one => `    ${one.account}  ${amountText(one, ' @@ ', '')}`,
    declare: (_, accounts, units) =>
      [...[...units].map(unit => `commodity ${unit}`), ...[...accounts].map(name => `account ${name}`)].join(
        '\n',
      ),
  },
  beancount: {
    account: capital,
    head: (day, code, text) => `${day} * "${plain(text)}" "${plain(code)}"`,
    posting: one => `  ${capital(one.account)}  ${amountText(one, ' {{', '}}')}`,
    declare: (day, accounts) => [...accounts].map(name => `${day} open ${capital(name)}`).join('\n'),
  },
}

const minorOfSigned = (amount: string, currency: string): bigint =>
  amount.startsWith('-') ? -minorOf(amount.slice(1), currency) : minorOf(amount, currency)

/** Adds up the postings of each account, so that an amount which is owed and paid at once leaves no line. */
function summed(postings: readonly Posting[], currency: string): Posting[] {
  const sums = new Map<string, bigint>()
  const isPlain = ({ cost, unit }: Posting) => cost === undefined && unit === currency
  for (const one of postings.filter(isPlain)) {
    sums.set(one.account, (sums.get(one.account) ?? 0n) + minorOfSigned(one.amount, currency))
  }
  const totals = [...sums].map(([account, sum]) => ({
    account,
    amount: amountOf(sum, currency),
    unit: currency,
  }))
  return [...postings.filter(one => !isPlain(one)), ...totals].filter(one => !isNothing(one))
}

/**
 * A journal for plain text accounting. Accounts and commodities are declared where they are first used, so
 * that strict checks pass and a journal of any length can be written while its movements are read.
 */
export async function* ledgerFile(books: Books, name: keyof typeof dialects): AsyncGenerator<string> {
  const { timeZone, firstDay, locale, movements } = books
  const { head, posting, declare } = dialects[name]
  const known = new Set<string>()
  const fresh = (names: string[]): Set<string> => {
    const all = new Set(names.filter(one => !known.has(one)))
    for (const one of all) known.add(one)
    return all
  }
  for await (const movement of movements) {
    const postings = summed(postingsOf(movement), movement.currency)
    if (postings.length === 0) continue
    const accounts = fresh(postings.map(({ account }) => account))
    const units = fresh(postings.flatMap(({ unit, cost }) => (cost ? [unit, cost.currency] : [unit])))
    const declared = declare(firstDay, accounts, units)
    const kind = locale.texts.reports.movements[movement.type]
    const what = [movement.customerFullName, movement.productName ?? movement.description]
    const text = [kind, ...what].filter(Boolean).join(' · ')
    const day = dateAt(movement.at, timeZone)
    const code = movement.externalId ?? movement.orderId ?? movement.id
    const lines = [head(day, code, text), ...postings.map(posting)].join('\n')
    yield `${declared === '' ? '' : `${declared}\n\n`}${lines}\n\n`
  }
}
