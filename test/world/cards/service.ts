import type { State } from '../../../src/sandbox/state.ts'
import type { CardProvider } from '../steps.ts'

/** The origin of the stand-ins' pages. */
export const PAGES = 'https://cards.example'

/** An event or a webhook, as a provider sends it. */
export interface CardEvent {
  url: string
  body: string
  headers: Record<string, string>
}

/** The parts that a provider's stand-in needs. */
export interface ServiceParts {
  state: State
  clock(): number
  random(bytes: number): Uint8Array
  isDown(): boolean
  deliver(event: CardEvent): Promise<number>
}

/** A page on which a buyer pays into the account of a shop. */
export interface CardPage {
  id: string
  state: 'open' | 'approved' | 'pending' | 'paid' | 'over'
  /** the amount to pay, in the smallest unit of its currency */
  minor: number
  isDisputed: boolean
}

/** An action of a buyer or a bank on a page. A debit takes days. */
export type Press = 'card' | 'refused' | 'debit' | 'debit-paid' | 'debit-returned' | 'dispute'

/** An approved payment that a request of the server captures. */
export interface Taking {
  page: string
  what: 'charged' | 'pending' | 'failed'
}

export interface CardRefund {
  id: string
  /** the page of the payment */
  page: string
  minor: number
}

/** A provider with an account for each shop: its stand-in, and functions that read its requests and pages. */
export interface CardService {
  name: CardProvider
  host: string
  /** the beginning of the paths of its API at the stand-in */
  root: string
  handle(request: Request): Promise<Response>
  /** Replaces a live key by a test key: the stand-in has test accounts, and the server uses live ones. */
  toTest(authorization: string): string
  toLive(answer: string): string
  /** changes the answer to a look-up of a page, so that only a part of its amount counts as received */
  inPart(answer: string, minor: number): string
  /** the page that a request is about; null for other requests */
  pageIn(path: string): string | null
  /**
   * the approved payment that a request captures; null for other requests, and for providers that charge at
   * once
   */
  takingOf(path: string): Taking | null
  /** the page to which a buyer is redirected */
  pageAt(location: string): string | null
  find(id: string): CardPage | null
  press(id: string, what: Press): Promise<unknown>
  /** a refund that the shop makes at the provider, not in Florin */
  refund(id: string, minor: number): Promise<unknown>
  refunds(): CardRefund[]
  /** an event that a stranger sends instead of this one */
  forge(event: CardEvent): CardEvent
  /** an event that claims that a page was paid, even if it was not */
  claim(id: string): { body: string; headers: Record<string, string> }
}

/** Sends a form to a page of a stand-in. */
export const sendForm = (
  { handle }: Pick<CardService, 'handle'>,
  path: string,
  fields: Record<string, string>,
): Promise<Response> =>
  handle(new Request(PAGES + path, { method: 'POST', body: new URLSearchParams(fields) }))

/** Sends JSON to the API of a stand-in, as the shop itself does. */
export const sendJson = (
  { handle }: Pick<CardService, 'handle'>,
  path: string,
  authorization: string,
  body: object,
): Promise<Response> =>
  handle(
    new Request(PAGES + path, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )

/** Replaces the first amount after `beginning`, and keeps the number of decimals. */
export const withAmount = (answer: string, beginning: RegExp, minor: number): string =>
  answer.replace(
    new RegExp(`(${beginning.source})([0-9]+)([.][0-9]+)?`),
    (_, start: string, _whole, decimals?: string) =>
      start + (decimals === undefined ? `${minor}` : (minor / 100).toFixed(2)),
  )

const withoutDecimals = new Set(['JPY'])

/** An amount as Mollie and PayPal write it. */
export const decimalIn = (minor: number, currency: string): string =>
  withoutDecimals.has(currency) ? `${minor}` : (minor / 100).toFixed(2)

export const minorIn = (value: string): number => Number(value.replace('.', ''))
