import type { Family } from '../simulation/lies.ts'

/** The parts that a payments server needs to be tested with lying endpoints. */
export interface Surroundings {
  /** the endpoints of each chain in the order of their use, as Florin's settings write them */
  endpoints: { family: Family; settings: string[]; urls: string[] }[]
  /** the price of one coin in dollars, by its ticker in upper case */
  prices: Record<string, string>
  /** the number of dollars from which an order should need the confirmation of two endpoints */
  largeFrom: number
}

/** A payment that a buyer opened. */
export interface Opened {
  id: string
  address: string
  /** the amount to pay, in the smallest unit of the asset */
  due: bigint
}

/** The server's report of an order. */
export interface OrderState {
  isPaid: boolean
  /** true if the server's page says that it cannot read the chain now */
  isUnread: boolean
}

/** A running payments server under test, as a buyer, a merchant and a monitor can use it. */
export interface Subject {
  /** a URL with status 200 while the server is healthy */
  health: string
  /** the server's process on this machine, whose memory is measured; null without one */
  pid: number | null
  /** Opens a payment of this many dollars, as a buyer does. A string is the reason for a refusal. */
  open(family: Family, asset: string, dollars: number): Promise<Opened | string>
  /** Reads the state of an order from its page. */
  look(family: Family, id: string): Promise<OrderState>
  /** All warnings that the merchant received so far, one line each. */
  warnings(family: Family): Promise<string[]>
  stop(): Promise<void>
}

/** The default export of a module for a payments server that these tests can start. */
export type StartSubject = (surroundings: Surroundings) => Promise<Subject>
