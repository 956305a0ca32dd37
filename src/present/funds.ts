import type {
  FundsHistoryRow,
  FundsOverviewModel,
  FundsRow,
  FundsTableModel,
} from '../../views/dashboard/funds.ts'
import type { DashboardLocale } from '../../views/dashboard/locale.ts'
import { chainName } from '../../views/dashboard/texts/chain-names.ts'
import { numberFormat } from '../../views/formats.ts'
import {
  type ChainFunds,
  costOfFunds,
  type SweepTransaction,
  valueOfFunds,
  type WaitingFunds,
  WORTH_PERCENT,
} from '../domain/waiting-funds.ts'
import type { Context } from '../operations/context.ts'
import { tickerOf } from './amounts.ts'

type Priced = Pick<WaitingFunds, 'currency' | 'chains'>

const coins = (locale: DashboardLocale, { assetId, amount }: { assetId: string | null; amount: string }) =>
  `${locale.coins(amount)} ${assetId === null ? '' : tickerOf(assetId)}`.trim()

const DIGITS = 4

/**
 * Shortens the amount of a fee to its first digits, rounded down. The files for bookkeepers have all digits.
 */
const short = (amount: string): string => {
  const [whole = '', fraction = ''] = amount.split('.')
  const zeros = whole === '0' ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0
  const digits = fraction.slice(0, zeros + DIGITS).replace(/0+$/, '')
  return digits === '' ? whole : `${whole}.${digits}`
}

const HUNDREDTHS = 10_000

const percentIn = ({ formats }: DashboardLocale, share: number): string =>
  numberFormat(formats, { style: 'percent', maximumSignificantDigits: 2 }).format(share)

function rowOf(locale: DashboardLocale, currency: string, funds: ChainFunds): FundsRow {
  const { chain, sums, fee, addresses, lookedAt } = funds
  const { value, isPartial } = valueOfFunds([funds], currency)
  const cost = costOfFunds(funds, currency)
  const money = (amount: string) => locale.money({ amount, currency })
  return {
    network: chainName(chain),
    addresses,
    amounts: sums.map(sum => coins(locale, sum)),
    value: isPartial ? null : money(value),
    fee: fee && {
      amount: coins(locale, { ...fee, amount: short(fee.amount) }),
      value: cost && money(cost.fee),
    },
    share: cost?.share == null ? null : percentIn(locale, Number(cost.share) / HUNDREDTHS),
    worthFrom: cost && money(cost.worthFrom),
    readAt: lookedAt,
  }
}

/** The funds that wait on each network, and the cost of moving them. */
export function presentFunds(
  locale: DashboardLocale,
  { currency, chains }: Priced,
): Omit<FundsTableModel, 'ownNetworks' | 'providers'> {
  const { value, isPartial } = valueOfFunds(chains, currency)
  return {
    rows: chains.map(chain => rowOf(locale, currency, chain)),
    total: locale.money({ amount: value, currency }),
    isPartial,
    worthPercent: percentIn(locale, WORTH_PERCENT / 100),
  }
}

/** The funds that wait, in one sentence; null if none do. */
export function presentFundsOverview(
  locale: DashboardLocale,
  funds: Priced | null,
): FundsOverviewModel | null {
  if (funds === null || funds.chains.length === 0) return null
  const { currency, chains } = funds
  const { value } = valueOfFunds(chains, currency)
  const unvalued = chains.flatMap(({ sums }) => sums.filter(sum => sum.value === null))
  const isUnvalued = chains.every(({ sums }) => sums.every(sum => sum.value === null))
  return {
    value: isUnvalued ? null : locale.money({ amount: value, currency }),
    unvalued: unvalued.map(sum => coins(locale, sum)).join(', '),
    readAt: Math.min(...chains.map(({ lookedAt }) => lookedAt)),
  }
}

/** A transaction that moved funds. */
export function presentSweepTransaction(
  locale: DashboardLocale,
  { networks: { assets } }: Pick<Context, 'networks'>,
  urlOf: (assetId: string, txId: string) => string | null,
  sweep: SweepTransaction,
): FundsHistoryRow {
  const { chain, txId, status, moved, feeAssetId, feeAmount, feeValue, currency, createdAt, minedAt } = sweep
  const anyAsset = assets.find(asset => asset.chain === chain)
  return {
    at: minedAt ?? createdAt,
    network: chainName(chain),
    moved: moved.map(one => coins(locale, one)),
    status,
    fee:
      feeAmount === null
        ? null
        : {
            amount: coins(locale, { assetId: feeAssetId, amount: short(feeAmount) }),
            value: feeValue === null ? null : locale.money({ amount: feeValue, currency }),
          },
    txId,
    url: anyAsset ? urlOf(anyAsset.id, txId) : null,
  }
}
