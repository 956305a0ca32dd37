/**
 * A value, or the promise of one. A page asks for hundreds of values that are nearly always there already,
 * and a promise for each would take longer than the answers.
 */
export type Awaitable<T> = T | Promise<T>

/** Goes on with a value: at once if it is there. */
export const whenKnown = <T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> =>
  value instanceof Promise ? value.then(next) : next(value)

/** All values: at once if they are there. */
export const allKnown = <T>(values: Awaitable<T>[]): Awaitable<T[]> =>
  values.some(value => value instanceof Promise) ? Promise.all(values) : (values as T[])
