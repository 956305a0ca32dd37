import { readFile } from 'node:fs/promises'
import type { Rates } from '../outbound/port.ts'
import { type RateSource, readSource } from '../outbound/rate-sources.ts'
import { makeRates } from '../outbound/rates.ts'
import type { Machine } from './machine.ts'

const readText = (path: string): Promise<string> => readFile(path, 'utf8')

export const ratesOf = (sources: readonly RateSource[], { fetch, log }: Machine, now: () => number): Rates =>
  makeRates({ sources, fetch, readFile: readText, now, log })

/** Asks one source alone: what is wrong with it, or null. */
export async function sourceFault(source: RateSource, { fetch }: Machine): Promise<string | null> {
  try {
    return (await readSource(source, fetch, readText)).faults.join('; ') || null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
