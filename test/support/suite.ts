import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'bun:test'
import { type App, isOnPostgres, startApp } from './app.ts'

type Environment = Record<string, string>

interface Options<A extends App> {
  start?: (environment?: Environment) => Promise<A>
  /** Opens an app for each test, which takes longer. For tests that count all rows, or move the clock far. */
  isFresh?: boolean
}

/** Waits for the checks that pages started in the background, so that the app can be closed. */
export async function rest(app: App): Promise<void> {
  await app.jobs.settle()
  // A database on a server takes longer to answer.
  await Bun.sleep(isOnPostgres ? 10 : 1)
  // Work that follows an answer waits in this queue, which a timer may overtake on a busy machine.
  await new Promise(setImmediate)
}

/** Stops the server, and starts it again with its database and its clock. */
export async function restart(app: App, environment: Environment = {}): Promise<void> {
  const { dataDir, time } = app
  await rest(app)
  await app.florin.close()
  Object.assign(app, await startApp({ FLORIN_DATA_DIR: dataDir, ...environment }, { time }))
}

/** A proxy for the current object. Tests keep the proxy while each of them gets another object. */
function standIn<T extends object>(current: () => T): T {
  return new Proxy({} as T, {
    get(_, name) {
      const value = Reflect.get(current(), name)
      return typeof value === 'function' ? value.bind(current()) : value
    },
    set: (_, name, value) => Reflect.set(current(), name, value),
    has: (_, name) => Reflect.has(current(), name),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(current(), name),
  })
}

type Make<T> = () => T | Promise<T>
type Makers = (() => Promise<void>)[]

/** Adds a function to a list of makers, and returns what it makes. Some make nothing. */
function addTo(makers: Makers) {
  function add(make: Make<void>): undefined
  function add<T extends object>(make: Make<T>): T
  function add<T extends object>(make: Make<T | undefined>): T {
    let made: T | undefined
    makers.push(async () => {
      made = await make()
    })
    return standIn(() => {
      if (!made) throw new Error('This is made before each test: use it inside of one.')
      return made
    })
  }
  return add
}

/**
 * Opens an app for the tests of a file, checks its rows after each test, and closes it. `once` makes something for
 * every app, `each` for every test. `ownApp` gives a test an app of its own: for tests that count all rows, need
 * other settings, or leave an upstream changed.
 */
export function suite<A extends App = App>({ start, isFresh = false }: Options<A> = {}) {
  const startOne = start ?? (startApp as NonNullable<Options<A>['start']>)
  const [ofApp, ofTest]: [Makers, Makers] = [[], []]
  let opened: A | null = null
  let isShared = !isFresh
  /** `isNew` is true until the first test begins, `isUntouched` until that test uses the app. */
  let [isNew, isUntouched] = [false, false]
  const app = standIn(() => {
    isUntouched = false
    if (!opened) throw new Error('The app is opened before the first test: use it inside of one.')
    return opened
  })

  async function open(environment?: Environment): Promise<void> {
    if (opened) return
    opened = await startOne(environment)
    isNew = environment === undefined
    for (const make of ofApp) await make()
  }
  async function close(): Promise<void> {
    const closing = opened
    opened = null
    await closing?.close()
  }
  async function begin(environment?: Environment): Promise<void> {
    await open(environment)
    for (const make of ofTest) await make()
    isUntouched = isNew
    isNew = false
  }
  async function check(): Promise<void> {
    if (!opened) return
    try {
      await rest(opened)
      expect(opened.audit()).toEqual([])
      opened.logged.length = 0
    } catch (error) {
      isShared = false
      throw error
    }
  }

  beforeAll(() => open())
  beforeEach(() => {
    isShared = !isFresh
    return begin()
  })
  afterEach(async () => {
    try {
      await check()
    } finally {
      if (!isShared) await close()
    }
  })
  afterAll(close)
  return {
    app,
    once: addTo(ofApp),
    each: addTo(ofTest),
    async ownApp(environment?: Environment): Promise<void> {
      isShared = false
      if (isUntouched && environment === undefined) return
      await close()
      await begin(environment)
    },
  }
}
