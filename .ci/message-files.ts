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

const hashOf = (message: string): string => createHash('sha256').update(message).digest('hex').slice(0, 8)

/**
 * The hash of the English text that a translation was compared with: one for all languages, or per language.
 */
type Reviews = Record<string, string | Record<string, string>>

const reviewedIn = (reviews: Reviews, path: string, tag: string): string | undefined => {
  const noted = reviews[path]
  return typeof noted === 'object' ? noted[tag] : noted
}

/** Translations whose English text has changed since they were compared, such as "de choose.title". */
export function staleIn(area: Area): string[] {
  const reviews = read(reviewsFile(area)) as Reviews
  const translations = [...cataloguesOf(area).keys()].slice(1)
  return messagesIn(englishOf(area)).flatMap(([path, message]) =>
    translations
      .filter(tag => reviewedIn(reviews, path, tag) !== hashOf(message))
      .map(tag => `${tag} ${path}`),
  )
}

/** The reviews of an area, after these translations were compared with English. */
export function reviewed(area: Area, isReviewed: (tag: string, path: string) => boolean): Reviews {
  const before = read(reviewsFile(area)) as Reviews
  const translations = [...cataloguesOf(area).keys()].slice(1)
  const after = messagesIn(englishOf(area)).map(([path, message]): [string, Reviews[string]] => {
    const now = translations.map((tag): [string, string] => [
      tag,
      isReviewed(tag, path) ? hashOf(message) : (reviewedIn(before, path, tag) ?? ''),
    ])
    const [first = ''] = now.map(([, hash]) => hash)
    return [path, now.every(([, hash]) => hash === first) ? first : Object.fromEntries(now)]
  })
  return Object.fromEntries(after)
}
