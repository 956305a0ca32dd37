// Parses message files and generates TypeScript from them. Only the generator and tests parse messages; pages
// do not.
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { hoistSelectors } from '@formatjs/icu-messageformat-parser/manipulator.js'

/** A message file: messages by key, in groups. */
export interface Catalogue {
  [key: string]: string | Catalogue
}

/** The words, values and choices of a message. */
export const parsed = (message: string): MessageFormatElement[] => parse(message, { ignoreTag: true })

/** All messages of a catalogue with their paths, such as "choose.title". */
export const messagesIn = (catalogue: Catalogue, before = ''): [path: string, message: string][] =>
  Object.entries(catalogue).flatMap(([key, text]): [string, string][] =>
    typeof text === 'string' ? [[`${before}${key}`, text]] : messagesIn(text, `${before}${key}.`),
  )

const isTruth = (keys: string[]): boolean => keys.every(key => ['true', 'false', 'other'].includes(key))

/** The TypeScript type of the value that an element needs. */
function typeOf(element: MessageFormatElement): string | null {
  if (element.type === TYPE.argument) return 'Value'
  if (element.type === TYPE.plural) return 'number'
  if (element.type !== TYPE.select) return null
  return isTruth(Object.keys(element.options)) ? 'boolean' : 'string'
}

/**
 * The values of a message by name, with their types. A choice determines the type more precisely than a plain
 * use.
 */
export function valuesOf(elements: readonly MessageFormatElement[]): Map<string, string> {
  const found = elements.flatMap((element): [string, string][] => {
    const inner = 'options' in element ? Object.values(element.options).flatMap(({ value }) => value) : []
    const type = typeOf(element)
    return [
      ...valuesOf(inner),
      ...(type && 'value' in element ? [[element.value, type] as [string, string]] : []),
    ]
  })
  return new Map(found.sort((one, other) => Number(other[1] === 'Value') - Number(one[1] === 'Value')))
}

const inTemplate = (text: string): string => text.replace(/[`\\]|\$(?=\{)/g, '\\$&')
const keyOf = (key: string): string => (/^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key))

/** The expression of a message. `count` is the value that "#" stands for. */
function expressionOf(elements: readonly MessageFormatElement[], tag: string, count = ''): string {
  const [first] = elements
  if (elements.length === 1 && (first?.type === TYPE.plural || first?.type === TYPE.select)) {
    const isPlural = first.type === TYPE.plural
    const forms = Object.entries(first.options).map(
      ([key, { value }]) =>
        `${keyOf(key)}: () => ${expressionOf(value, tag, isPlural ? first.value : count)}`,
    )
    const of = isPlural ? `plural(${JSON.stringify(tag)}, ` : 'select('
    return `${of}v.${first.value}, { ${forms.join(', ')} })`
  }
  const parts = elements.map(element => {
    if (element.type === TYPE.literal) return inTemplate(element.value)
    // Matches "#" inside nested choices, which `hoistSelectors` turns into such an element.
    const isCount = element.type === TYPE.number && !element.style
    if (element.type === TYPE.argument || isCount) return `\${v.${element.value}}`
    if (element.type === TYPE.pound) return `\${v.${count}}`
    throw new Error('A message can have {name}, {name, plural, …}, {name, select, …} and #, nothing else')
  })
  return `t\`${parts.join('')}\``
}

function textOf(message: string, tag: string): string {
  const elements = parsed(message)
  if (elements.every(({ type }) => type === TYPE.literal))
    return JSON.stringify(elements.map(element => ('value' in element ? element.value : '')).join(''))
  const values = [...valuesOf(elements)].map(([name, type]) => `${name}: ${type}`)
  const types = tag === 'en' ? `<{ ${values.join('; ')} }>` : ''
  return `message${types}((v, t) => ${expressionOf(hoistSelectors(elements), tag)})`
}

function groupOf(catalogue: Catalogue, tag: string, before: string): string {
  const lines = Object.entries(catalogue).map(([key, text]) => {
    const value = typeof text === 'string' ? textOf(text, tag) : groupOf(text, tag, `${before}  `)
    return `${before}  ${keyOf(key)}: ${value},\n`
  })
  return `{\n${lines.join('')}${before}}`
}

/** A TypeScript module with the texts of a message file. */
export function moduleOf(catalogue: Catalogue, tag: string, direction: string, messageFile: string): string {
  const body = groupOf(catalogue, tag, '')
  const imported = [
    'messagesOf',
    ...['plural', 'select'].filter(name => body.includes(`${name}(`)),
    ...(tag === 'en' ? ['type Value'] : []),
  ]
  return `// Made from ../${tag}.json by "npm run texts".
import { ${imported.join(', ')} } from '${messageFile}'
${tag === 'en' ? '' : "import type { Texts } from '../types.ts'\n"}
const message = messagesOf('${direction}')

export const texts${tag === 'en' ? '' : ': Texts'} = ${body}
`
}
