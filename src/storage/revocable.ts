import type { Tables } from './port.ts'

/** Throws if the read or write to which the tables belong has ended. */
type Check = () => void

type Repository = Record<string, (...args: never[]) => unknown>
type RepositoryClass = new (check: Check) => object

/** Defines the methods on a prototype, so that creating tables for each read and write is cheap. */
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

/** Returns a function that creates tables which run a check before every call. */
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
