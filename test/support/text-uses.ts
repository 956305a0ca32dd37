/** A catalogue of texts, or a section of it. */
type Section = object

const isSection = (value: unknown): value is Section => typeof value === 'object' && value !== null

/** The path of every text of a catalogue, such as "choose.title". */
export const pathsOf = (section: Section, before = ''): string[] =>
  Object.entries(section).flatMap(([key, value]) =>
    isSection(value) ? pathsOf(value, `${before}${key}.`) : [`${before}${key}`],
  )

const under = (section: Section, keys: readonly string[]): unknown =>
  keys.reduce<unknown>(
    (found, key) => (isSection(found) ? (found as Record<string, unknown>)[key] : undefined),
    section,
  )

const flat = '[\\w\\s,:.]'
/** Matches a destructuring, such as "{ crypto: texts, page }", and the value that is taken apart. */
const pattern = new RegExp(
  `(\\{(?:${flat}|\\{(?:${flat}|\\{${flat}*\\})*\\})*\\})(?:\\s*=\\s*([\\w.]+)|: Locale\\['(texts)'\\])?`,
  'g',
)
const assignment = /\bconst (\w+) = ([\w.]+)(?![\w.([])/g
const chain = /(?<![\w.])(?:\.\.\.)?([A-Za-z_]\w*)((?:\??\.\w+)*)(\[)?/g

/** The parts of "a: b, c: { d, e }". */
function entriesOf(inner: string): string[] {
  const parts = ['']
  let depth = 0
  for (const letter of inner) {
    if (letter === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
    depth += letter === '{' ? 1 : letter === '}' ? -1 : 0
  }
  return parts.map(part => part.trim()).filter(part => part !== '')
}

/** Finds the texts of a catalogue that a source file uses, by the names that the file gives to sections. */
class Reader {
  readonly used = new Set<string>()
  readonly #names = new Map<string, Set<string>>([['texts', new Set([''])]])

  constructor(private readonly catalogue: Section) {}

  read(source: string): void {
    // Repeats until no name is new: a name may stand for a section that is named further down.
    for (let names = -1; names !== this.#count(); ) {
      names = this.#count()
      this.#learnNames(source)
    }
    for (const [, first = '', rest = '', isDynamic] of source.matchAll(chain)) {
      for (const path of this.#pathsOf(first + rest)) this.#use(path, isDynamic !== undefined)
    }
  }

  #learnNames(source: string): void {
    for (const [, name = '', of = ''] of source.matchAll(assignment)) {
      for (const path of this.#sectionsOf(of)) this.#name(name, path)
    }
    for (const [, braces = '', of, texts = ''] of source.matchAll(pattern)) {
      const sections = this.#sectionsOf(of ?? texts)
      for (const path of sections.length > 0 ? sections : [null]) this.#takeApart(braces, path)
    }
  }

  #count = (): number => [...this.#names.values()].reduce((sum, { size }) => sum + size, 0)

  #name(name: string, path: string): void {
    if (!isSection(this.#find(path))) return void this.#use(path, false)
    this.#names.set(name, (this.#names.get(name) ?? new Set()).add(path))
  }

  #find = (path: string): unknown => under(this.catalogue, path === '' ? [] : path.split('.'))

  #use(path: string, isDynamic: boolean): void {
    const found = this.#find(path)
    if (found === undefined || path === '') return
    if (!isSection(found)) this.used.add(path)
    else if (isDynamic) for (const text of pathsOf(found, `${path}.`)) this.used.add(text)
  }

  /** The sections for which "locale.texts.page" or "page.titles" may stand. */
  #pathsOf(names: string): string[] {
    // The method `html` of a message draws a part of a page.
    const keys = names
      .replaceAll('?', '')
      .replace(/\.html$/, '')
      .split('.')
    const at = keys.lastIndexOf('texts')
    if (at > 0) return [keys.slice(at + 1).join('.')]
    const [first = '', ...rest] = keys
    return [...(this.#names.get(first) ?? [])].map(path =>
      [...path.split('.'), ...rest].filter(key => key !== '').join('.'),
    )
  }

  #sectionsOf = (names: string): string[] =>
    names === '' ? [] : this.#pathsOf(names).filter(path => isSection(this.#find(path)))

  /** `path` is null outside the catalogue, where only "texts" leads into it. */
  #takeApart(braces: string, path: string | null): void {
    for (const entry of entriesOf(braces.slice(1, -1))) {
      const [key = '', value = key] = entry.split(/:\s*([\s\S]*)/)
      const at = path === null ? (key === 'texts' ? '' : null) : path === '' ? key : `${path}.${key}`
      if (value.startsWith('{')) this.#takeApart(value, at)
      else if (at !== null) this.#name(value, at)
    }
  }
}

/** The texts of a catalogue that these source files use. */
export function usedTexts(catalogue: Section, sources: readonly string[]): Set<string> {
  const used = sources.map(source => {
    const reader = new Reader(catalogue)
    reader.read(source)
    return [...reader.used]
  })
  return new Set(used.flat())
}
