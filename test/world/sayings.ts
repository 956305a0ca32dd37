import type { Json } from './facts.ts'
import type { Base } from './facts-of-chains.ts'

/** `data` of GET /v1/orders/UUID. */
export interface OrderSaying extends Base {
  says: 'order'
  shop: number
  order: string
  json: Json
}

/** `data` of GET /pay/UUID/status, for scripts. */
export interface StatusSaying extends Base {
  says: 'status'
  order: string
  json: Json
}

/** The checkout page of an order, in HTML. */
export interface PageSaying extends Base {
  says: 'page'
  order: string
  status: number
  html: string
}

/** A delivery of an event that reached a merchant's webhook. */
export interface DeliverySaying extends Base {
  says: 'delivery'
  /** the shop that received it */
  shop: number
  url: string
  /** in lower case */
  headers: Record<string, string>
  body: string
  /** status of the webhook's answer; null if there was none */
  answered: number | null
}

/** All pages of a list of the API: the `data` of each, in order. */
export interface ListSaying extends Base {
  says: 'list'
  shop: number
  /** such as `/v1/orders?status=PAID` */
  path: string
  items: Json[]
}

/** A page of the dashboard: HTML. */
export interface DashboardSaying extends Base {
  says: 'dashboard'
  shop: number
  /** such as `/dashboard/reports` */
  path: string
  status: number
  html: string
}

/** A file for accounts, such as the export of movements. */
export interface ExportSaying extends Base {
  says: 'export'
  shop: number
  path: string
  text: string
}

/** A line of the server's log that says that something is wrong. */
export interface LogSaying extends Base {
  says: 'log'
  level: 'warn' | 'error'
  event: string
  fields: Json
}

/** Access to the rows of the database, at the end of a run and at intervals during it. */
export interface BooksSaying extends Base {
  says: 'books'
  /** Returns the rows of a query. Only for what no answer, page or event shows. */
  rows<T>(sql: string): T[]
}

export type Saying =
  | OrderSaying
  | StatusSaying
  | PageSaying
  | DeliverySaying
  | ListSaying
  | DashboardSaying
  | ExportSaying
  | LogSaying
  | BooksSaying
