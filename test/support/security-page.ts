import { pageOf } from './docs.ts'
import { words } from './words.ts'

const PAGE = '.github/docs/security.md'

/** The requirements of OWASP ASVS 5.0.0 at levels 1 and 2, chapter by chapter. */
const ranges = words(`
  1.1.1-2 1.2.1-9 1.3.1-11 1.4.1-3 1.5.1-2
  2.1.1-3 2.2.1-3 2.3.1-4 2.4.1
  3.2.1-2 3.3.1-4 3.4.1-6 3.5.1-5 3.7.1-2
  4.1.1-3 4.2.1 4.3.1-2 4.4.1-4
  5.1.1 5.2.1-3 5.3.1-2 5.4.1-3
  6.1.1-3 6.2.1-12 6.3.1-4 6.4.1-4 6.5.1-5 6.6.1-3 6.8.1-4
  7.1.1-3 7.2.1-4 7.3.1-2 7.4.1-5 7.5.1-2 7.6.1-2
  8.1.1-2 8.2.1-3 8.3.1 8.4.1
  9.1.1-3 9.2.1-4
  10.1.1-2 10.2.1-2 10.3.1-4 10.4.1-11 10.5.1-5 10.6.1-2 10.7.1-3
  11.1.1-2 11.2.1-3 11.3.1-3 11.4.1-4 11.5.1 11.6.1
  12.1.1-3 12.2.1-2 12.3.1-4
  13.1.1 13.2.1-5 13.3.1-2 13.4.1-5
  14.1.1-2 14.2.1-4 14.3.1-3
  15.1.1-3 15.2.1-3 15.3.1-7
  16.1.1 16.2.1-5 16.3.1-4 16.4.1-3 16.5.1-3
  17.1.1 17.2.1-4 17.3.1-2
`)

/** "1.2.6-8" means three requirements. */
function inRange(range: string): string[] {
  const [, section, from, to = from] = /^(\d+\.\d+)\.(\d+)(?:-(\d+))?$/.exec(range) ?? []
  if (section === undefined) throw new Error(`${range} names no requirements`)
  const count = Number(to) - Number(from) + 1
  return Array.from({ length: count }, (_, at) => `${section}.${Number(from) + at}`)
}

export const requirements: readonly string[] = ranges.flatMap(inRange)

interface Row {
  requirements: string[]
  state: string
  how: string
}

/** The rows of the table, for levels 1 and 2. */
export function securityRows(): Row[] {
  const [text = ''] = pageOf(PAGE).split('### Selected requirements of level 3')
  const rows = text.matchAll(/^\| (\d[^|]*) \| [^|]+ \| ([^|]+) \| (.+) \|$/gm)
  return [...rows].map(([, which = '', state = '', how = '']) => {
    const named = which.replaceAll('–', '-').split(', ').flatMap(inRange)
    return { requirements: named, state, how }
  })
}

/** Links to tests that name a title which the test file does not have. */
export function brokenTestLinks(text = pageOf(PAGE)): string[] {
  const links = [...text.matchAll(/\[([^\]]+)\]\(\.\.\/\.\.\/(test\/[^)]+)\)/g)]
  return links.flatMap(([, title = '', file = '']) => {
    const source = pageOf(file).replaceAll("\\'", "'")
    const isThere = ["'", '"', '`'].some(quote => source.includes(`${quote}${title}${quote},`))
    return isThere ? [] : [`${file}: ${title}`]
  })
}

/** The sentence with the number of requirements in each state. */
export function stateCounts(): string {
  const count = (state: string) =>
    securityRows()
      .filter(row => row.state === state)
      .flatMap(row => row.requirements).length
  const not = count('not met')
  return `${count('met')} are met, ${count('partly met')} are partly met, ${not} ${not === 1 ? 'is' : 'are'} not met, and ${count('n/a')} do not apply`
}
