import type { CallFact, Fact, Json, Saying } from '../facts.ts'
import type { Book, KnownOrder } from './book.ts'

/** An order in an answer or a list of the API. */
export interface Told {
  order: KnownOrder
  json: Json
  at: number
  /** the shop that got the answer */
  shop: number
  /** the request; null if the order was only read to be checked */
  call: CallFact | null
  /**
   * true if other requests ran at the same time, so that the answer may show an older state than an earlier
   * answer
   */
  isConcurrent: boolean
}

/** A part of the model, for one or more rules of README.md. Each method returns the broken rules. */
export interface Rule {
  note?(fact: Fact): string[]
  hear?(saying: Saying): string[]
  told?(told: Told): string[]
  /** called after a step for each order that may have changed */
  review?(order: KnownOrder, at: number): string[]
  /** called after every step, so it has to be fast */
  step?(at: number): string[]
  end?(at: number): string[]
}

export type MakeRule = (book: Book) => Rule

export const nameOf = ({ number, id }: KnownOrder): string => `order ${number} (${id})`

export const isWellAnswered = ({ status }: { status: number | null }): boolean =>
  status !== null && status >= 200 && status < 300

/** The data of an answer of the API; null if it is an error or missing. */
export const dataOf = ({ answer }: CallFact): Json | null => answer?.data ?? null

/** The sentences of the conditions that are false. */
export const broken = (conditions: readonly (readonly [holds: boolean, sentence: string])[]): string[] =>
  conditions.flatMap(([holds, sentence]) => (holds ? [] : [sentence]))
