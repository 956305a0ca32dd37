import type { Tables } from './port.ts'

/** Throws when the read or the write that the tables were handed to has ended. */
type Check = () => void

type Repository = Record<string, (...args: never[]) => unknown>
type RepositoryClass = new (check: Check) => object

/**
 * The methods are built once for each repository, on a prototype. Handing out tables then only makes small
 * objects, which costs well under a microsecond.
 */
function revocableRepository(repository: Repository): RepositoryClass {
  class Revocable {
    constructor(readonly check: Check) {}
  }
  for (const [name, method] of Object.entries(repository)) {
    const value = function (this: Revocable, ...args: never[]): unknown {
      this.check()
      return method(...args)
    }
    Object.defineProperty(Revocable.prototype, name, { value })
  }
  return Revocable
}

/** Answers a function that hands out the tables, each time with another check before every call. */
export function revocableTables(tables: Tables): (check: Check) => Tables {
  class Revocable {
    constructor(readonly check: Check) {}
  }
  for (const [name, repository] of Object.entries(tables)) {
    const RevocableRepository = revocableRepository(repository)
    const get = function (this: Revocable): object {
      return new RevocableRepository(this.check)
    }
    Object.defineProperty(Revocable.prototype, name, { get })
  }
  return check => new Revocable(check) as unknown as Tables
}
