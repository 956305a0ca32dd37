// Runs simulated histories: bun test/simulation/run.ts --family evm --from 1 --count 500 --lies all
import { parseArgs } from 'node:util'
import { chooseLies, type Family, families, type Lie } from './lies.ts'
import { openRunner, printFailure } from './runner.ts'

/** After this number of histories, a long run says how far it is, so that another can go on from there. */
const REPORTED = 500

const { values } = parseArgs({
  options: {
    family: { type: 'string' },
    from: { type: 'string', default: '1' },
    count: { type: 'string', default: '500' },
    lies: { type: 'string', default: 'holding' },
    failures: { type: 'string', default: '1' },
  },
})

const say = (line: string): boolean => process.stdout.write(`${line}\n`)
const chosen: readonly Family[] = families.filter(one => values.family === undefined || one === values.family)
const [from, count, failuresMax] = [Number(values.from), Number(values.count), Number(values.failures)]
const runner = await openRunner()

async function runFamily(family: Family, lies: readonly Lie[]): Promise<number> {
  const startedAt = Date.now()
  let failures = 0
  let seed = from
  const report = (): boolean => {
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
    return say(
      `${family}: ${seed - from} histories, seeds ${from} to ${seed - 1}, ${seconds} s, ${failures} failures`,
    )
  }
  while (seed < from + count && failures < failuresMax) {
    const failure = await runner.runSeed(family, seed, lies)
    seed += 1
    if (failure) {
      failures += 1
      say(printFailure(failure))
    }
    if ((seed - from) % REPORTED === 0 && seed < from + count) report()
  }
  report()
  return failures
}

if (chosen.length === 0) say(`There is no family ${values.family}. Use one of: ${families.join(', ')}.`)
let failures = 0
for (const family of chosen) failures += await runFamily(family, chooseLies(family, values.lies))
runner.close()
process.exit(failures > 0 || chosen.length === 0 ? 1 : 0)
