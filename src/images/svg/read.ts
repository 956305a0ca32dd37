import type { ImageSize } from '../../domain/image.ts'
import type { ReadImage } from '../port.ts'
import { attributes, elements, isIdle, isInvisible, isPresentation } from './allowed.ts'
import { SvgProblem, type Token, tokensOf } from './tokens.ts'

const NAMESPACE = 'http://www.w3.org/2000/svg'
const ELEMENTS_MAX = 2000
const DEPTH_MAX = 32
/** Longer side of the image in pixels, because a drawing has no size of its own. */
const DRAWN_PIXELS = 512

type Attributes = Map<string, string>

function keep(kept: Attributes, name: string, value: string, where: string): void {
  const pattern = attributes.get(name)
  const trimmed = value.trim()
  if (!pattern?.test(trimmed)) throw new SvgProblem(`have no such ${where}`)
  kept.set(name, trimmed.replace(/\s+/g, ' '))
}

/**
 * Turns the known declarations of a style attribute into attributes. Other declarations have no effect here.
 */
function keepStyle(kept: Attributes, style: string): void {
  for (const declaration of style.split(';')) {
    const colon = declaration.indexOf(':')
    const name = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase()
    const value = declaration.slice(colon + 1)
    if (isPresentation(name)) keep(kept, name, value, `style as "${name}" with this value`)
    else if (/url|@|\\|\(/i.test(declaration)) throw new SvgProblem('refer to nothing in a style attribute')
  }
}

function keptOf(element: string, found: Attributes): Attributes {
  const kept: Attributes = new Map()
  for (const [name, value] of found) {
    if (attributes.has(name)) keep(kept, name, value, `${name} of <${element}> with this value`)
  }
  for (const [name, value] of found) {
    if (attributes.has(name)) continue
    if (name === 'style') keepStyle(kept, value)
    else if (name === 'xmlns' && value !== NAMESPACE) throw new SvgProblem('be in the namespace of SVG')
    else if (!isIdle(name)) throw new SvgProblem(`have no attribute ${name} at <${element}>`)
  }
  return kept
}

const printed = (found: Attributes): string =>
  [...found].map(([name, value]) => ` ${name}="${value}"`).join('')

const pixels = (text: string | undefined): number | null =>
  text !== undefined && /^\+?(?:\d+(?:\.\d*)?|\.\d+)(?:px)?$/.test(text) ? Number.parseFloat(text) : null

/** The visible part of the plane: the root's viewBox, or its width and height. */
function viewOf(root: Attributes): { box: string; width: number; height: number } {
  const box = root.get('viewBox') ?? `0 0 ${pixels(root.get('width'))} ${pixels(root.get('height'))}`
  const parts = box.split(/[\s,]+/).map(Number)
  const [, , width = 0, height = 0] = parts
  if (parts.length !== 4 || !parts.every(Number.isFinite) || width <= 0 || height <= 0)
    throw new SvgProblem('have a viewBox of four numbers, or a width and a height in pixels')
  return { box: parts.join(' '), width, height }
}

function rootOf(root: Attributes, { min, max }: ImageSize): Omit<ReadImage, 'bytes'> & { tag: string } {
  const { box, width, height } = viewOf(root)
  const scale = DRAWN_PIXELS / Math.max(width, height)
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) }
  if (Math.min(size.width, size.height) < min || DRAWN_PIXELS > max)
    throw new SvgProblem(
      `be at most ${Math.floor(DRAWN_PIXELS / min)} times as wide as it is high, or as high`,
    )
  for (const name of ['viewBox', 'width', 'height', 'x', 'y', 'id']) root.delete(name)
  const own = `xmlns="${NAMESPACE}" viewBox="${box}" width="${size.width}" height="${size.height}"`
  return { ...size, tag: `<svg ${own}${printed(root)}>` }
}

/** Copies the allowed elements of a file. */
class Writer {
  readonly #open: string[] = []
  readonly #size: ImageSize
  /** number of open elements that are left out */
  #hidden = 0
  #count = 0
  #isDone = false
  #text = ''
  root: Omit<ReadImage, 'bytes'> | null = null

  constructor(size: ImageSize) {
    this.#size = size
  }

  add(token: Token): void {
    if (token.kind === 'open') this.#start(token)
    else if (token.kind === 'close') this.#end(token.name)
    else if (this.#hidden === 0 && token.text.trim() !== '') throw new SvgProblem('contain no text')
  }

  #start({ name, attributes: found, isEmpty }: Extract<Token, { kind: 'open' }>): void {
    if (++this.#count > ELEMENTS_MAX) throw new SvgProblem(`have at most ${ELEMENTS_MAX} elements`)
    if (this.#isDone || this.#open.length >= DEPTH_MAX) throw new SvgProblem('be a single, flat drawing')
    const isHidden = this.#hidden > 0 || (this.root !== null && isInvisible(name))
    if (!isHidden) this.#write(name, found, isEmpty)
    if (isEmpty) {
      this.#isDone = this.#open.length === 0
      return
    }
    this.#open.push(name)
    if (isHidden) this.#hidden++
  }

  #write(name: string, found: Attributes, isEmpty: boolean): void {
    const isRoot = this.root === null
    if (!elements.has(name) || isRoot !== (name === 'svg')) throw new SvgProblem(`contain no <${name}>`)
    const kept = keptOf(name, found)
    if (isRoot) {
      const { tag, ...size } = rootOf(kept, this.#size)
      this.root = size
      this.#text += isEmpty ? `${tag}</svg>` : tag
    } else this.#text += `<${name}${printed(kept)}${isEmpty ? '/' : ''}>`
  }

  #end(name: string): void {
    if (this.#open.pop() !== name) throw new SvgProblem(`be well-formed XML (</${name}>)`)
    if (this.#hidden > 0) this.#hidden--
    else this.#text += `</${name}>`
    this.#isDone = this.#open.length === 0
  }

  finish(): ReadImage {
    if (!this.#isDone || this.root === null) throw new SvgProblem('be a whole SVG file')
    return { ...this.root, bytes: new TextEncoder().encode(this.#text) }
  }
}

/**
 * Makes a new file from a drawing's allowed shapes, gradients and clipping. Everything else is left out. If
 * the drawing cannot be used, returns the problem, as words that follow "must".
 */
export function readSvg(bytes: Uint8Array, size: ImageSize): ReadImage | { problem: string } {
  try {
    const writer = new Writer(size)
    for (const token of tokensOf(new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim()))
      writer.add(token)
    return writer.finish()
  } catch (error) {
    if (error instanceof SvgProblem) return { problem: error.message }
    if (error instanceof TypeError) return { problem: 'be UTF-8 text' }
    throw error
  }
}
