// Runs simulated histories: bun test/simulation/run.ts --family evm --from 1 --count 500 --lies all
// Runs whole worlds: bun test/simulation/run.ts --seed 1 --steps 100000
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { TEST_RUNTIME } from '../support/runtime.ts'
import { chooseLies, type Family, families } from './lies.ts'
import { openPriceRunner } from './price-runner.ts'
import { openRunner, printFailure } from './runner.ts'

/**
 * After this number of histories, a long run prints its progress, so that another run can continue from
 * there.
 */
const REPORTED = 500

const { values } = parseArgs({
  options: {
    family: { type: 'string' },
    from: { type: 'string', default: '1' },
    count: { type: 'string' },
    lies: { type: 'string', default: 'holding' },
    failures: { type: 'string', default: '1' },
    seed: { type: 'string' },
    steps: { type: 'string' },
    seconds: { type: 'string' },
    engine: { type: 'string', default: 'sqlite' },
    /** the commit of an earlier version with which the servers of worlds start */
    earlier: { type: 'string' },
  },
})

/** Of worlds in a run without arguments: the number of steps, and the seconds after which no further seed begins. */
const [STEPS, SECONDS] = [100_000, 280]
const OUTPUT = { stdout: 'inherit', stderr: 'inherit', env: { ...process.env, ...TEST_RUNTIME } } as const
const say = (line: string): boolean => process.stdout.write(`${line}\n`)
/** The histories of orders with changing prices. They belong to no single family, and each takes longer. */
const PRICES = 'prices'
const count = Number(values.count ?? (values.family === PRICES ? 20 : 60))
const [from, failuresMax] = [Number(values.from), Number(values.failures)]

/** Runs one history after another. `failureOf` returns the failure of a seed as text, or null. */
async function runSeeds(name: string, failureOf: (seed: number) => Promise<string | null>): Promise<number> {
  const startedAt = Date.now()
  let failures = 0
  let seed = from
  const report = (): boolean => {
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
    return say(
      `${name}: ${seed - from} histories, seeds ${from} to ${seed - 1}, ${seconds} s, ${failures} failures`,
    )
  }
  while (seed < from + count && failures < failuresMax) {
    const failure = await failureOf(seed)
    seed += 1
    if (failure !== null) {
      failures += 1
      say(failure)
    }
    if ((seed - from) % REPORTED === 0 && seed < from + count) report()
  }
  report()
  return failures
}

async function runFamily(family: Family): Promise<number> {
  const runner = await openRunner()
  const lies = chooseLies(family, values.lies)
  const failures = await runSeeds(family, async seed => {
    const failure = await runner.runSeed(family, seed, lies)
    return failure && printFailure(failure)
  })
  runner.close()
  return failures
}

async function runPrices(): Promise<number> {
  const runner = await openPriceRunner()
  const failures = await runSeeds(PRICES, runner.failureOf)
  runner.close()
  return failures
}

/** Runs a process for each family, because a history uses one core. Returns true if one failed. */
async function runAll(): Promise<boolean> {
  // Monero, the last family of the table, takes longest, so it starts first.
  const waiting: string[] = [...families.toReversed(), PRICES]
  let hasFailed = false
  const runNext = async (): Promise<void> => {
    const family = waiting.shift()
    if (family === undefined) return
    const command = [process.execPath, import.meta.path, ...process.argv.slice(2), '--family', family]
    const child = Bun.spawn(command, OUTPUT)
    hasFailed = (await child.exited) !== 0 || hasFailed
    return runNext()
  }
  await Promise.all(Array.from({ length: availableParallelism() }, runNext))
  return hasFailed
}

/** Runs simulated worlds of the whole server, in one process for each core. Returns true if one failed. */
async function runWorlds(seed: number, steps: number, seconds: number): Promise<boolean> {
  const processes = availableParallelism()
  const children = Array.from({ length: processes }, (_, index) => {
    const share = ['--steps', `${Math.ceil(steps / processes)}`, '--stride', `${processes}`]
    const command = [join(import.meta.dir, '../world/run.ts'), '--seed', `${seed + index}`, ...share]
    const given = ['--failures', values.failures, '--engine', values.engine, '--seconds', `${seconds}`]
    if (values.earlier !== undefined) given.push('--earlier', values.earlier)
    return Bun.spawn([process.execPath, ...command, ...given], OUTPUT)
  })
  const codes = await Promise.all(children.map(child => child.exited))
  return codes.some(code => code !== 0)
}

async function runChosen(family: string): Promise<boolean> {
  if (family === PRICES) return (await runPrices()) > 0
  const known = families.find(one => one === family)
  if (known !== undefined) return (await runFamily(known)) > 0
  say(`There is no family ${family}. Use one of: ${[...families, PRICES].join(', ')}.`)
  return true
}

/** Runs the histories of all families, and then the worlds. */
async function run(): Promise<boolean> {
  const { seed, steps, seconds, family } = values
  const isOfWorlds = seed !== undefined || steps !== undefined
  if (family !== undefined) return runChosen(family)
  const haveFailed = !isOfWorlds && (await runAll())
  const longest = Number(seconds ?? (isOfWorlds ? Number.POSITIVE_INFINITY : SECONDS))
  return (await runWorlds(Number(seed ?? 1), Number(steps ?? STEPS), longest)) || haveFailed
}

process.exit((await run()) ? 1 : 0)
