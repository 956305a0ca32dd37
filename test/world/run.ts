// Runs simulated worlds: bun test/world/run.ts --seed 1 --steps 1000
import { parseArgs } from 'node:util'
import { engines } from './disks.ts'
import {
  type Choice,
  historyOf,
  type OnLine,
  printFound,
  printShortest,
  runHistory,
  runSeed,
} from './runner.ts'
import { describeStep } from './steps.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: '1000' },
    failures: { type: 'string', default: '1' },
    /** begins no further seed after this time */
    seconds: { type: 'string', default: 'Infinity' },
    /** runs every n-th seed, for processes that share the seeds */
    stride: { type: 'string', default: '1' },
    /** of the database: `sqlite`, or `postgres` with two servers that share one */
    engine: { type: 'string', default: 'sqlite' },
    /** runs only histories of one story: the name of its function, or its index */
    story: { type: 'string' },
    /**
     * the commit of an earlier version with which servers start; during a history they change to this version
     */
    earlier: { type: 'string' },
    'no-shrink': { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
  },
})

const engine = engines.find(one => one === values.engine) ?? 'sqlite'
const { story = null, earlier = null } = values
const choice: Choice = { engine, story, earlier }
const LINE_MAX = 1200
const say = (line: string): boolean => process.stdout.write(`${line}\n`)
const [steps, failuresMax, stride] = [Number(values.steps), Number(values.failures), Number(values.stride)]

/** Prints every fact and saying of one seed. */
async function trace(seed: number): Promise<void> {
  const history = historyOf(seed, steps, choice)
  let told = 0
  const onLine: OnLine = line => {
    for (const step of history.steps.slice(told, line.step)) say(`${++told}. ${describeStep(step)}`)
    const { at, step: _, ...rest } = line
    const text = JSON.stringify(rest, (_key, value) => (typeof value === 'bigint' ? `${value}` : value))
    say(`   ${new Date(at).toISOString()} ${text.slice(0, LINE_MAX)}`)
  }
  const found = await runHistory(history, onLine)
  say(found ? printFound({ seed, ...found, isOfEarlier: false }) : `Seed ${seed} holds.`)
}

/**
 * Runs seed after seed until there were enough steps or failures, or the time is over. Returns the number of
 * failures.
 */
async function run(): Promise<number> {
  const startedAt = performance.now()
  let seed = Number(values.seed)
  let done = 0
  let failures = 0
  const isInTime = (): boolean => performance.now() - startedAt < Number(values.seconds) * 1000
  while (done < steps && failures < failuresMax && isInTime()) {
    const { steps: taken, failure } = await runSeed(seed, steps - done, choice, found => {
      say(printFound(found))
      return !values['no-shrink']
    })
    done += taken
    seed += stride
    if (failure === null) continue
    failures += 1
    if (!values['no-shrink']) say(printShortest(failure))
  }
  const seconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage()
  const cost = (user + system) / 1000 / done
  say(
    `world on ${engine}: ${done} steps, seeds ${values.seed} to ${seed - stride} by ${stride}, ${seconds.toFixed(0)} s, ` +
      `${(done / seconds).toFixed(0)} steps/s, ${cost.toFixed(1)} ms of processor time each, ${failures} failures`,
  )
  return failures
}

if (values.engine !== engine) {
  say(`There is no engine ${values.engine}. Use one of: ${engines.join(', ')}.`)
  process.exit(2)
}
if (values.trace) {
  await trace(Number(values.seed))
  process.exit(0)
}
process.exit((await run()) > 0 ? 1 : 0)
