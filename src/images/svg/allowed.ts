/** Patterns of attribute values. No pattern can match the name of another file, a quote, "<" or "&". */
const integer = /^[0-9]{1,6}$/
const numbers = /^[\s\d.,+\-eE]*$/
const length = /^[+-]?(?:\d{1,9}(?:\.\d{0,12})?|\.\d{1,12})(?:[eE][+-]?\d{1,2})?(?:px|%)?$/
const path = /^[MmZzLlHhVvCcSsQqTtAa\s\d.,+\-eE]*$/
const transform = /^(?:[\s,]|(?:matrix|translate|scale|rotate|skewX|skewY)\([\s\d.,+\-eE]*\))*$/
const word = /^[A-Za-z-]{1,30}$/
const name = /^[A-Za-z_][\w.-]{0,63}$/
const color = /^(?:#[0-9A-Fa-f]{3,8}|[A-Za-z]{3,24}|rgba?\([\s\d.,%]{1,60}\))$/
const paint = /^(?:#[0-9A-Fa-f]{3,8}|[A-Za-z]{3,24}|rgba?\([\s\d.,%]{1,60}\)|url\(#[A-Za-z_][\w.-]{0,63}\))$/
const reference = /^(?:none|url\(#[A-Za-z_][\w.-]{0,63}\))$/
const ratio = /^(?:none|x(?:Min|Mid|Max)Y(?:Min|Mid|Max)(?: meet| slice)?)$/

/** Attributes that are also allowed as declarations in a style attribute. */
const presentation: Record<string, RegExp> = {
  'clip-path': reference,
  'clip-rule': word,
  color,
  display: word,
  fill: paint,
  'fill-opacity': length,
  'fill-rule': word,
  opacity: length,
  'stop-color': color,
  'stop-opacity': length,
  stroke: paint,
  'stroke-dasharray': /^(?:none|[\s\d.,]*)$/,
  'stroke-dashoffset': length,
  'stroke-linecap': word,
  'stroke-linejoin': word,
  'stroke-miterlimit': length,
  'stroke-opacity': length,
  'stroke-width': length,
  visibility: word,
}

const lengths = ['x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'rx', 'ry', 'fx', 'fy', 'width', 'height']

const others: Record<string, RegExp> = {
  clipPathUnits: word,
  d: path,
  gradientTransform: transform,
  gradientUnits: word,
  id: name,
  offset: length,
  pathLength: integer,
  points: numbers,
  preserveAspectRatio: ratio,
  spreadMethod: word,
  transform,
  viewBox: numbers,
}

/** Allowed attributes, with the patterns of their values. */
export const attributes: ReadonlyMap<string, RegExp> = new Map([
  ...Object.entries(presentation),
  ...Object.entries(others),
  ...lengths.map((key): [string, RegExp] => [key, length]),
])

export const isPresentation = (key: string): boolean => Object.hasOwn(presentation, key)

/** Allowed elements: shapes, groups, gradients and clipping. */
export const elements: ReadonlySet<string> = new Set([
  ...['svg', 'g', 'defs', 'clipPath', 'linearGradient', 'radialGradient', 'stop'],
  ...['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon'],
])

/** Invisible additions of drawing programs, which are removed with their content. */
export const isInvisible = (element: string): boolean =>
  ['metadata', 'title', 'desc'].includes(element) || /^(?:sodipodi|inkscape|rdf|cc|dc):\w/.test(element)

/** Attributes without effect in a file without style sheets, scripts and text. */
export const isIdle = (attribute: string): boolean =>
  /^(?:class|role|version|baseProfile|focusable|enable-background|xmlns(?::\w+)?)$/.test(attribute) ||
  /^(?:data-|aria-|font-|text-|letter-|word-|line-height$|writing-mode$|paint-order$)/.test(attribute) ||
  /^(?:xml|inkscape|sodipodi|sketch|serif|figma|i|graph|rdf|cc|dc):\w/.test(attribute)
