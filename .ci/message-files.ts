import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Catalogue, messagesIn, moduleOf } from './messages.ts'

const root = join(import.meta.dir, '..')

/** A folder of message files, one per language, and the path of `message.ts` for their modules. */
export interface Area {
  folder: string
  messageFile: string
  /** true if texts isolate names of the other direction; the dashboard marks them in its pages */
  isolates: boolean
}

export const areas: readonly Area[] = [
  { folder: join(root, 'views/texts'), messageFile: '../message.ts', isolates: true },
  { folder: join(root, 'views/dashboard/texts'), messageFile: '../../../texts/message.ts', isolates: false },
]

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

const catalogueIn = ({ folder }: Area, tag: string): Catalogue =>
  read(join(folder, `${tag}.json`)) as Catalogue

/** English, the source of all texts. */
export const englishOf = (area: Area): Catalogue => catalogueIn(area, 'en')

/** The file that records which English text each translation was compared with. */
export const reviewsFile = ({ folder }: Area): string => join(folder, 'reviews.json')

/** Catalogues by language tag. English, the source, is the first. */
export function cataloguesOf(area: Area): Map<string, Catalogue> {
  const tags = readdirSync(area.folder).flatMap(name => name.match(/^([a-z]{2}(?:-\w+)?)\.json$/)?.[1] ?? [])
  const sorted = ['en', ...tags.filter(tag => tag !== 'en').sort()]
  return new Map(sorted.map(tag => [tag, catalogueIn(area, tag)]))
}

/** The module that is generated from a message file. */
export function moduleIn(area: Area, tag: string): { file: string; text: string } {
  const { folder, messageFile, isolates } = area
  const catalogue = catalogueIn(area, tag)
  const direction = isolates ? (new Intl.Locale(tag).getTextInfo().direction ?? 'ltr') : 'none'
  return { file: join(folder, 'made', `${tag}.ts`), text: moduleOf(catalogue, tag, direction, messageFile) }
}

/** Enough to notice that a text has changed. */
const HASH_LENGTH = 4
const hashOf = (message: string): string =>
  createHash('sha256').update(message).digest('hex').slice(0, HASH_LENGTH)

/** The English texts that translations were compared with: by group, each key with the hash of its text. */
type Reviews = Record<string, string>

function reviewedIn(area: Area): Map<string, string> {
  const groups = Object.entries(read(reviewsFile(area)) as Reviews)
  const pairs = groups.flatMap(([group, noted]) =>
    [...noted.matchAll(/(\S+) (\S+)/g)].map(([, key, hash = '']): [string, string] => [
      `${group}.${key}`,
      hash,
    ]),
  )
  return new Map(pairs)
}

/** Texts that have changed in English since their translations were compared, such as "choose.title". */
export function staleIn(area: Area): string[] {
  const noted = reviewedIn(area)
  return messagesIn(englishOf(area)).flatMap(([path, message]) =>
    noted.get(path) === hashOf(message) ? [] : path,
  )
}

/** The reviews of an area, after the translations of these texts were compared with English. */
export function reviewed(area: Area, isReviewed: (path: string) => boolean): Reviews {
  const before = reviewedIn(area)
  const groups = Map.groupBy(messagesIn(englishOf(area)), ([path]) => path.slice(0, path.lastIndexOf('.')))
  const notedOf = ([path, message]: [path: string, message: string]): string[] => {
    const hash = isReviewed(path) ? hashOf(message) : before.get(path)
    return hash === undefined ? [] : [`${path.slice(path.lastIndexOf('.') + 1)} ${hash}`]
  }
  return Object.fromEntries(
    [...groups].map(([group, messages]) => [group, messages.flatMap(notedOf).join(' ')]),
  )
}
