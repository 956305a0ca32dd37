import type { OrderFilters } from '../../../../views/dashboard/order-filters.ts'
import { addDays, isDate, startOfDay } from '../../../domain/calendar.ts'
import { Refusal } from '../../../domain/errors.ts'
import { parseAmount } from '../../../domain/money.ts'
import { type OrderStatus, orderStatuses, paymentStates } from '../../../domain/order.ts'
import type { PageStart, PageTurn } from '../../../domain/page.ts'
import type { OrderSelection } from '../../../operations/orders/browse.ts'
import { withPoint } from '../../pages/product-form.ts'

const TEXT_MAX = 200
const textNames = [
  'q',
  'method',
  'asset',
  'from',
  'to',
  'currency',
  'min',
  'max',
  'refunded',
  'payment',
  'customer',
] as const

/** Reads the filters of the list from its URL. A value is cut at a length that no valid one has. */
export function readFilters(params: URLSearchParams): OrderFilters {
  const text = (name: string): string => (params.get(name) ?? '').trim().replaceAll('\0', '')
  const texts = textNames.map(name => [name, text(name).slice(0, TEXT_MAX)] as const)
  return {
    ...(Object.fromEntries(texts) as Record<(typeof textNames)[number], string>),
    currency: text('currency').slice(0, TEXT_MAX).toUpperCase(),
    status: orderStatuses.filter(status => params.getAll('status').includes(status)),
  }
}

/** The query string of filters, in a fixed order, so that the same filters have the same URL. */
export function queryOf(filters: OrderFilters): string {
  const params = new URLSearchParams()
  for (const name of textNames) if (filters[name] !== '') params.set(name, filters[name])
  for (const status of filters.status) params.append('status', status)
  return params.toString()
}

/** Returns a function that reads one filter, and adds its name to `wrong` if it is not valid. */
function reader(wrong: string[]) {
  return <T>(name: string, text: string, read: (text: string) => T): T | undefined => {
    if (text === '') return undefined
    try {
      return read(text)
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof RangeError)) throw error
      wrong.push(name)
      return undefined
    }
  }
}

const currencyPattern = /^[A-Z]{3}$/

function matching(pattern: RegExp, text: string): string {
  if (!pattern.test(text)) throw new RangeError('not in this form')
  return text
}

interface Selected {
  selection: OrderSelection
  /** names of the filters that are not valid */
  wrong: string[]
}

/** The orders that the filters select. Amounts need a currency. */
export function selectionOf(filters: OrderFilters, timeZone: string): Selected {
  const wrong: string[] = []
  const read = reader(wrong)
  const day = (days: number) => (text: string) => {
    if (!isDate(text)) throw new RangeError('not a date')
    return startOfDay(addDays(text, days), timeZone)
  }
  const hasAmounts = filters.min !== '' || filters.max !== ''
  const currency = read('currency', filters.currency || (hasAmounts ? '-' : ''), text =>
    matching(currencyPattern, text),
  )
  const amount = (text: string) => parseAmount(withPoint(text), currency ?? 'USD')
  const { status, method, asset, customer, refunded, payment, q } = filters
  const selection: OrderSelection = {
    text: q || undefined,
    statuses: status.length > 0 ? (status as OrderStatus[]) : undefined,
    method: method || undefined,
    asset: asset || undefined,
    customerId: customer || undefined,
    isRefunded: refunded === '' ? undefined : refunded === 'yes',
    paymentState: paymentStates.find(state => state === payment),
    createdFrom: read('from', filters.from, day(0)),
    createdTo: read('to', filters.to, day(1)),
    currency,
    amountFrom: read('min', filters.min, amount),
    amountTo: read('max', filters.max, amount),
  }
  return { selection, wrong }
}

const turnPattern = /^(\d{1,16})[.]([0-9a-zA-Z-]{1,64})$/

/** The place in the list of orders where the requested page begins; null for the newest orders. */
export function turnOf(params: URLSearchParams): PageTurn | null {
  for (const direction of ['older', 'newer'] as const) {
    const [, at, id] = turnPattern.exec(params.get(direction) ?? '') ?? []
    if (id !== undefined) return { at: Number(at), id, direction }
  }
  return null
}

/** The URL of a page of the list of orders. */
export function listUrl(query: string, direction?: PageTurn['direction'], start?: PageStart | null): string {
  const params = new URLSearchParams(query)
  if (direction && start) params.set(direction, `${start.at}.${start.id}`)
  return params.size > 0 ? `/dashboard/orders?${params}` : '/dashboard/orders'
}
