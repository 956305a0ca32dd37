import { afterAll, afterEach, beforeEach, expect } from 'bun:test'
import type { App } from '../support/app.ts'
import { rest } from './payments.ts'

/**
 * One app for all tests of a file, which costs far less than one for each. `begin` prepares it before each test,
 * with a shop of its own, and its rows are checked after each. The function that it returns begins again with an
 * app that no other test uses: for tests that count all rows, or leave an upstream or the settings changed.
 */
export function oneApp<A extends App>(
  start: () => Promise<A>,
  begin: (app: A) => Promise<void>,
): () => Promise<void> {
  let app: A | null = null
  let isShared = false
  const open = async () => {
    app ??= await start()
    app.logged.length = 0
    await begin(app)
  }
  const close = async () => {
    const open = app
    app = null
    await open?.close()
  }
  beforeEach(async () => {
    isShared = true
    await open()
  })
  afterEach(async () => {
    if (!app) return
    try {
      await rest(app)
      expect(app.audit()).toEqual([])
    } catch (error) {
      isShared = false
      throw error
    } finally {
      if (!isShared) await close()
    }
  })
  afterAll(close)
  return async () => {
    await close()
    isShared = false
    await open()
  }
}
