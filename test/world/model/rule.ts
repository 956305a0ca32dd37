import type { CallFact, Fact, Json, Saying } from '../facts.ts'
import type { Book, KnownOrder } from './book.ts'

/** An order as an answer or a list of the API tells of it. */
export interface Told {
  order: KnownOrder
  json: Json
  at: number
  /** the shop that was answered */
  shop: number
  /** the answer of a request; null for what was read to be judged */
  call: CallFact | null
  /** other requests ran at the same time, so the answer may be older than one heard before */
  isConcurrent: boolean
}

/** A part of the model, with one number of README.md or more. Each method returns what does not hold. */
export interface Rule {
  note?(fact: Fact): string[]
  hear?(saying: Saying): string[]
  told?(told: Told): string[]
  /** after a step, for each order of which something changed */
  review?(order: KnownOrder, at: number): string[]
  /** after each step, however little changed: has to be cheap */
  step?(at: number): string[]
  end?(at: number): string[]
}

export type MakeRule = (book: Book) => Rule

export const nameOf = ({ number, id }: KnownOrder): string => `order ${number} (${id})`

export const isWellAnswered = ({ status }: { status: number | null }): boolean =>
  status !== null && status >= 200 && status < 300

/** What an answer of the API holds; null where it is an error or none. */
export const dataOf = ({ answer }: CallFact): Json | null => answer?.data ?? null

/** Sentences of the conditions that do not hold. */
export const broken = (conditions: readonly (readonly [holds: boolean, sentence: string])[]): string[] =>
  conditions.flatMap(([holds, sentence]) => (holds ? [] : [sentence]))
