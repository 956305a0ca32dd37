import { AsyncLocalStorage } from 'node:async_hooks'

const work = new AsyncLocalStorage<true>()

/**
 * Runs a task that a buyer or a webhook started. Refunds are refused in it: when a cart cannot become an
 * order, Medusa refunds its payment there. Florin does not send money back by itself, so such a refund would
 * only look as if the buyer had got it.
 */
export const runAutomatically = <T>(task: () => T): T => work.run(true, task)

export const isAutomatic = (): boolean => work.getStore() === true
