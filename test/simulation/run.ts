// Runs simulated histories: bun test/simulation/run.ts --family evm --histories 500 --lies all --seed 1
import { parseArgs } from 'node:util'
import { chooseLies, type Family, families } from './lies.ts'
import { openRunner, printFailure } from './runner.ts'

const { values } = parseArgs({
  options: {
    family: { type: 'string' },
    histories: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    lies: { type: 'string', default: 'holding' },
    failures: { type: 'string', default: '1' },
  },
})

const say = (line: string): boolean => process.stdout.write(`${line}\n`)
const chosen: readonly Family[] = families.filter(one => values.family === undefined || one === values.family)
const [first, count, failuresMax] = [Number(values.seed), Number(values.histories), Number(values.failures)]
const runner = await openRunner()
let failures = 0
for (const family of chosen) {
  const startedAt = Date.now()
  const lies = chooseLies(family, values.lies)
  let ran = 0
  for (let seed = first; seed < first + count && failures < failuresMax; seed++) {
    const failure = await runner.runSeed(family, seed, lies)
    ran += 1
    if (!failure) continue
    failures += 1
    say(printFailure(failure))
  }
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  say(`${family}: ${ran} histories from seed ${first} in ${seconds} s, ${failures} failures`)
}
runner.close()
process.exit(failures > 0 || chosen.length === 0 ? 1 : 0)
