import type { Family } from '../simulation/lies.ts'

/** What a payments server needs to be put before endpoints that lie. */
export interface Surroundings {
  /** the endpoints of each chain in the order in which they should be asked, as settings of Florin name them */
  endpoints: { family: Family; settings: string[]; urls: string[] }[]
  /** dollars that one coin costs, by its ticker in capital letters */
  prices: Record<string, string>
  /** orders of this many dollars or more should need what two endpoints say */
  largeFrom: number
}

/** A payment that a buyer opened. */
export interface Opened {
  id: string
  address: string
  /** in the smallest unit */
  due: bigint
}

/** What the server says of an order. */
export interface OrderState {
  isPaid: boolean
  /** the server says to the buyer that it cannot read the chain now */
  isUnread: boolean
}

/** A running payments server, as the battery sees it: from outside. */
export interface Subject {
  /** a URL that answers with status 200 while the server is well */
  health: string
  /** its process on this machine, whose memory is watched; null if there is none */
  pid: number | null
  /** Opens a payment of some dollars, as a buyer does; a text says why the server did not. */
  open(family: Family, asset: string, dollars: number): Promise<Opened | string>
  /** Looks at an order as a buyer on its page does. */
  look(family: Family, id: string): Promise<OrderState>
  /** The warnings that the merchant got since the beginning, one line each. */
  warnings(family: Family): Promise<string[]>
  stop(): Promise<void>
}

/** A module that the battery can run has this as its default export. */
export type StartSubject = (surroundings: Surroundings) => Promise<Subject>
