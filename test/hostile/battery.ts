import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Family } from '../simulation/lies.ts'
import { liarsOf } from './liars.ts'
import { Stand } from './stand.ts'
import type { StartSubject, Subject } from './subject.ts'
import { type Setting, type Trial, type TrialOptions, Trials } from './trial.ts'

export interface BatteryOptions {
  start: StartSubject
  settings: readonly Setting[]
  families: readonly Family[]
  /** names of the lies to try; empty for all */
  lies: readonly string[]
  patienceMs: number
  /** the time within which the server must answer its health check */
  healthMs: number
  memoryMb: number
  say(line: string): void
}

/** The outcome for one payments server. The first endpoint of each of its chains lied. */
export interface Outcome {
  setting: Setting
  families: readonly Family[]
  trials: Trial[]
  /** faults that concern the server, not a single chain */
  faults: string[]
  slowestHealthMs: number
  /** the largest growth of the server's memory in MB; null where it cannot be measured */
  grownMb: number | null
}

const LARGE_FROM = 1000
const prices = { USDC: '1', USDT: '1', POL: '0.5', TRX: '0.2', SOL: '150', XMR: '160', BTC: '60000' }

/** The families that share a server. Families that read the same chain cannot share one. */
const groups: Family[][] = [['evm', 'bitcoin', 'tron', 'solana', 'monero'], ['blockbook'], ['core']]

/** The most memory that a process has used so far, in MB. */
function peakMb(pid: number | null): number | null {
  const file = `/proc/${pid}/status`
  if (pid === null || !existsSync(file)) return null
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(file, 'utf8')) ?? []
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024)
}

/** Checks the health of the server again and again, from a process that the chains do not delay. */
function watchHealth({ health }: Subject, stands: readonly Stand[]) {
  const seen = { slowestMs: 0, during: '', failures: 0 }
  const probe = Bun.spawn([process.execPath, join(import.meta.dir, 'probe.ts'), health], { stdout: 'pipe' })
  const note = (line: string): void => {
    const [ms = 0, isWell] = line.split(' ').map(part => (part === 'true' ? 1 : Number(part)))
    if (isWell !== 1) seen.failures += 1
    if (ms <= seen.slowestMs) return
    const lies = stands.map(({ family, lie }) => `${family} ${lie}`)
    Object.assign(seen, { slowestMs: ms, during: lies.join(', ') })
  }
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const part of probe.stdout) decoder.decode(part).trim().split('\n').forEach(note)
  })()
  const stop = async () => {
    probe.kill()
    await Promise.all([probe.exited, reading])
    return seen
  }
  return { stop }
}

/** Tries the lies of one family of networks on one server, one after another. */
async function runFamily(
  subject: Subject,
  stand: Stand,
  options: BatteryOptions & TrialOptions,
): Promise<{ trials: Trial[]; faults: string[] }> {
  const trials = new Trials(subject, stand, options)
  const done: Trial[] = []
  const isChosen = (name: string): boolean => options.lies.length === 0 || options.lies.includes(name)
  for (const liar of liarsOf(stand.family).filter(({ name }) => isChosen(name))) {
    const trial = await trials.run(liar)
    done.push(trial)
    options.say(sentenceOf(trial))
  }
  return { trials: done, faults: (await trials.finish()).map(fault => `${stand.family}, ${fault}`) }
}

export const sentenceOf = ({ family, lie, what, setting, faults, seen }: Trial): string =>
  `${faults.length > 0 ? 'FAULT' : 'holds'}  ${family}: an endpoint ${setting} ${what} (${lie}): ${[...seen, ...faults].join('; ')}`

async function runGroup(
  families: readonly Family[],
  setting: Setting,
  options: BatteryOptions,
): Promise<Outcome> {
  const stands = families.map(family => new Stand(family))
  for (const stand of stands) stand.confirm()
  const endpoints = stands.map(stand => {
    const served = setting === 'alone' ? [stand.liar] : [stand.liar, stand.honest]
    return {
      family: stand.family,
      settings: served.map(one => stand.settingOf(one)),
      urls: served.map(({ url }) => url),
    }
  })
  const subject = await options.start({ endpoints, prices, largeFrom: LARGE_FROM })
  try {
    const beforeMb = peakMb(subject.pid)
    const watching = watchHealth(subject, stands)
    const each = await Promise.all(
      stands.map(stand => runFamily(subject, stand, { ...options, setting, largeFrom: LARGE_FROM })),
    )
    const { slowestMs, during, failures } = await watching.stop()
    const afterMb = peakMb(subject.pid)
    const grownMb = beforeMb === null || afterMb === null ? null : afterMb - beforeMb
    return {
      setting,
      families,
      trials: each.flatMap(({ trials }) => trials),
      faults: [
        ...each.flatMap(({ faults }) => faults),
        ...(failures > 0 ? [`the server said ${failures} times that it is not well`] : []),
        ...(slowestMs > options.healthMs
          ? [`the server once took ${slowestMs} ms to say that it is well (${during})`]
          : []),
        ...((grownMb ?? 0) > options.memoryMb ? [`its memory grew by ${grownMb} MB`] : []),
      ],
      slowestHealthMs: slowestMs,
      grownMb,
    }
  } finally {
    await subject.stop()
    await Promise.all(stands.map(stand => stand.stop()))
  }
}

/** Tries all lies, on one server after another. */
export async function runBattery(options: BatteryOptions): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const group of groups) {
    const families = group.filter(family => options.families.includes(family))
    if (families.length === 0) continue
    for (const setting of options.settings) outcomes.push(await runGroup(families, setting, options))
  }
  return outcomes
}
