import type { ChartModel } from './chart.ts'
import type { Options } from './parts.ts'

type PeriodLength = 'day' | 'week' | 'month'

export const presets = ['today', '7d', '30d', 'month', 'last-month', 'year'] as const
export type Preset = (typeof presets)[number]

/** A choice of the page: a link that leaves the other choices as they are. */
export interface Choice<Key extends string = string> {
  key: Key
  url: string
  isCurrent: boolean
}

/** Amounts, formatted for people. */
export interface PaymentCells {
  name: string
  paid: string
  gross: string
  fees: string
  refunds: string
  net: string
}

export interface PeriodCells extends PaymentCells {
  orders: string
  conversion: string
}

export interface Figures {
  currency: string
  total: PeriodCells
  /** null if there were none */
  forced: string | null
  cancelled: string | null
  /** the periods in which something happened */
  periods: readonly PeriodCells[]
  methods: readonly PaymentCells[]
  assets: readonly PaymentCells[]
  /** null if nothing was paid or refunded */
  chart: ChartModel | null
}

export interface ReportsModel {
  presets: readonly Choice<Preset>[]
  lengths: readonly Choice<PeriodLength>[]
  /** the currencies of the shop, if there are several */
  currencies: readonly (Choice & PaymentCells)[]
  /** the days to show in the form */
  from: string
  to: string
  /** what the form sends besides the days */
  kept: Readonly<Record<string, string>>
  problem: string | null
  /** the range in words; null if it was refused */
  range: string | null
  figures: Figures | null
  csvUrl: string
  /** sales by product and by person */
  soldUrl: string
  taxUrl: string
  exportUrl: string
  /** files for bookkeepers */
  formats: Options
  /** the currency of the figures, and of files that have one; null without orders */
  shownCurrency: string | null
}
