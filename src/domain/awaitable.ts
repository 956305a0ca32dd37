/**
 * A value, or the promise of one. A page asks for hundreds of values that are nearly always cached; a promise
 * for each would take longer than the answers.
 */
export type Awaitable<T> = T | Promise<T>

/** Calls `next` with the value: at once if it is known, otherwise when the promise resolves. */
export const whenKnown = <T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> =>
  value instanceof Promise ? value.then(next) : next(value)

/** Like `Promise.all`, but returns the values themselves if all are known. */
export const allKnown = <T>(values: Awaitable<T>[]): Awaitable<T[]> =>
  values.some(value => value instanceof Promise) ? Promise.all(values) : (values as T[])
