import { success } from './envelope.ts'
import type { Access, DescribedOperation } from './openapi/describe.ts'

/** The names of the properties of every member of a union. */
type KeyOf<T> = T extends unknown ? keyof T : never

/**
 * True for an object with arbitrary keys, or without a required key. Such an object is data, not a list of
 * fields.
 */
type IsRecord<T> = string extends keyof T ? true : object extends T ? true : false

/** A presenter's result for a response type. Every field is named, but optional fields may be undefined. */
type Presented<T> = T extends readonly (infer Item)[]
  ? readonly Presented<Item>[]
  : T extends object
    ? IsRecord<T> extends true
      ? T
      : {
          [K in keyof Required<T>]: object extends Pick<T, K> ? Presented<T[K]> | undefined : Presented<T[K]>
        }
    : T

/** The fields of R that the response type T lacks, at any depth; never if there are none. */
type UnknownField<R, T> = R extends readonly (infer Item)[]
  ? UnknownField<Item, T extends readonly (infer Expected)[] ? Expected : never>
  : R extends object
    ? IsRecord<T> extends true
      ? never
      : Exclude<keyof R, KeyOf<T>> | { [K in keyof R & keyof T]: UnknownField<R[K], T[K]> }[keyof R & keyof T]
    : never

type Checked<R, T> = [UnknownField<R, T>] extends [never]
  ? unknown
  : { 'not in the response schema': UnknownField<R, T> }

/**
 * A successful response. The call does not compile if the data lacks a field of the operation's response
 * schema, or has a field that the schema lacks. A presenter names every field, with undefined for a missing
 * value.
 */
export const respond = <T, R extends Presented<T>>(
  _operation: DescribedOperation<Access, T>,
  data: R & Checked<R, T>,
) => success<R>(data)
