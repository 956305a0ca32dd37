import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** These test answers before anything is stored, or drawing: that is the same with either database. */
const STORING_NOTHING = new Set(
  [
    'body-floods error-pages files forms headers help-links hosts icons image-metadata languages openapi',
    'openapi-client qr-content qr-size validation-messages dashboard/language',
  ]
    .flatMap(names => names.split(' '))
    .map(name => `test/http/${name}.test.ts`),
)
/** The tests of chains that store something. The results of scans are the same with either database. */
const STORING = /(app|open-payments|checkout-scene)\.ts'/

/** The names of the files that `repeating/run.ts` found to repeat others. */
export const REPEATING = join(import.meta.dir, 'repeating/files.json')

const scan = (glob: string): string[] => [...new Bun.Glob(glob).scanSync()].sort()

/** The tests of the API, the dashboard and payments on chains whose results may depend on the database. */
export const onEitherEngine = (): string[] => [
  ...scan('test/http/**/*.test.ts').filter(file => !STORING_NOTHING.has(file)),
  ...scan('test/networks/*.test.ts').filter(file => STORING.test(readFileSync(file, 'utf8'))),
]

/** The files that run on PostgreSQL; with `isWhole`, also those that repeat others. */
export function onPostgres(isWhole: boolean): string[] {
  const repeating: string[] = isWhole ? [] : JSON.parse(readFileSync(REPEATING, 'utf8'))
  return onEitherEngine().filter(file => !repeating.includes(file))
}
