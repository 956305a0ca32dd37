import type { ChartModel } from './chart.ts'
import type { Options } from './parts.ts'

type PeriodLength = 'day' | 'week' | 'month'

export const presets = ['today', '7d', '30d', 'month', 'last-month', 'year'] as const
export type Preset = (typeof presets)[number]

/** A link that changes one choice of the page and keeps the others. */
export interface Choice<Key extends string = string> {
  key: Key
  url: string
  isCurrent: boolean
}

/** Formatted amounts. */
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
  /** null if no orders were marked as paid */
  forced: string | null
  cancelled: string | null
  /** periods that have orders or refunds */
  periods: readonly PeriodCells[]
  methods: readonly PaymentCells[]
  assets: readonly PaymentCells[]
  /** null if nothing was paid or refunded */
  chart: ChartModel | null
}

export interface ReportsModel {
  presets: readonly Choice<Preset>[]
  lengths: readonly Choice<PeriodLength>[]
  /** currencies of the shop; empty if there is only one */
  currencies: readonly (Choice & PaymentCells)[]
  /** first and last day of the form */
  from: string
  to: string
  /** hidden values of the form */
  kept: Readonly<Record<string, string>>
  problem: string | null
  /** the range in words; null if the entered one was refused */
  range: string | null
  figures: Figures | null
  csvUrl: string
  /** URL of the sales by product and by person */
  soldUrl: string
  taxUrl: string
  exportUrl: string
  /** formats of files for bookkeepers */
  formats: Options
  /** currency of the figures and of some files; null if there are no orders */
  shownCurrency: string | null
}
