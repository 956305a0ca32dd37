import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { logoSize } from '../../../src/domain/brand.ts'
import { readSvg } from '../../../src/images/svg/read.ts'
import { words } from '../../support/words.ts'

const read = (text: string | Uint8Array) =>
  readSvg(typeof text === 'string' ? new TextEncoder().encode(text) : text, logoSize)

/** The stored form of a file. Throws if it is refused. */
function stored(text: string): string {
  const result = read(text)
  if ('problem' in result) throw new Error(`must ${result.problem}`)
  return new TextDecoder().decode(result.bytes)
}

const problemOf = (text: string | Uint8Array): string | null => {
  const result = read(text)
  return 'problem' in result ? result.problem : null
}

const drawing = (content: string, attributes = 'viewBox="0 0 24 24"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`

const HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="512" height="512">'

describe('a drawing', () => {
  test('keeps its shapes, gradients and clipping', () => {
    const content =
      '<defs><linearGradient id="a" x1="0" y2="100%" gradientUnits="userSpaceOnUse">' +
      '<stop offset="0.5" stop-color="#fff"/></linearGradient><clipPath id="c"><circle r="4"/></clipPath></defs>' +
      '<g transform="translate(1,2) scale(.5)" clip-path="url(#c)"><path d="M0 0l4-4z" fill="url(#a)"/>' +
      '<rect x="1" rx="2" width="4" height="4" stroke="rgb(1, 2, 3)"/></g>'
    expect(stored(drawing(content))).toBe(`${HEAD}${content}</svg>`)
  })

  test('from a drawing program loses its invisible parts, and its styles become attributes', () => {
    const file = `<?xml version="1.0" encoding="UTF-8"?>
<!-- Generator: a program -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg version="1.1" id="Layer_1" xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org"
 viewBox="0 0 24 24" xml:space="preserve"><title>A &amp; B <b>logo</b></title>
<metadata><rdf:RDF><script>alert(1)</script></rdf:RDF></metadata><sodipodi:namedview pagecolor="#fff"/>
<path class="st0" inkscape:label="cup" style="fill:#14614a; -inkscape-stroke:none;stroke-width:2" d="M0 0h4"/>
</svg>`
    expect(stored(file)).toBe(`${HEAD}<path d="M0 0h4" fill="#14614a" stroke-width="2"/></svg>`)
  })

  test('gets a size in pixels from its shape', () => {
    const sizeOf = (attributes: string) => {
      const result = read(drawing('', attributes))
      return 'problem' in result ? result.problem : [result.width, result.height]
    }
    expect(sizeOf('viewBox="0 0 200 80"')).toEqual([512, 205])
    expect(sizeOf('viewBox="-4,-4,8,16"')).toEqual([256, 512])
    expect(sizeOf('width="64" height="32px"')).toEqual([512, 256])
    expect(sizeOf('viewBox="0 0 1 16"')).toEqual([32, 512])
    expect(sizeOf('viewBox="0 0 1 17"')).toMatch(/16 times/)
    for (const wrong of ['', 'viewBox="0 0 0 9"', 'viewBox="0 0 9"', 'viewBox="0 0 1e999 1"', 'width="100%"'])
      expect(sizeOf(wrong)).toMatch(/viewBox/)
  })
})

describe('a drawing is refused', () => {
  const elements = [
    ...words('script foreignObject image use style a animate set animateTransform text'),
    ...words('filter mask pattern symbol iframe handler SCRIPT svg svg:script html:script'),
    ...words('switch marker link audio embed object tspan view cursor feImage discard'),
  ]
  test.each(elements)('with the element %s, empty or not, also deep inside', name => {
    for (const content of [`<${name}/>`, `<${name}>1</${name}>`, `<g><g><${name}/></g></g>`])
      expect(problemOf(drawing(content))).toContain(`contain no <${name}>`)
  })

  const attributes = [
    ...['onload="alert(1)"', 'onclick="alert(1)"', 'ONLOAD="alert(1)"', 'href="#a"', 'xlink:href="#a"'],
    ...['src="https://evil.example/x"', 'fill="url(https://evil.example/x)"'],
    ...['fill="url(//evil.example/x#a)"', 'fill="url(#a) url(https://evil.example)"'],
    ...['fill="url(data:image/svg+xml,x)"', 'fill="javascript:alert(1)"'],
    ...['fill="&#117;rl(https://evil.example)"', 'fill="red;}"', 'clip-path="url(https://evil.example#a)"'],
    ...['filter="url(#a)"', 'mask="url(#a)"', 'style="background:url(https://evil.example/x)"'],
    ...['style="fill:url(https://evil.example/x)"', 'style="fill:u\\72l(https://evil.example)"'],
    ...['style="@import url(x)"', 'style="--x:url(x)"', 'style="behavior:expression(alert(1))"'],
    ...['transform="translate(1)\\"onload=alert(1)"', 'd="M0 0&lt;script&gt;"', 'id="a b"'],
    ...['xml:base="https://evil.example/"', 'begin="0s"', 'xmlns="http://www.w3.org/1999/xhtml"'],
  ]
  const isKnownIdle = (attribute: string) => attribute.startsWith('xml:base')
  test.each(attributes)('with the attribute %s, unless it is removed', attribute => {
    const file = drawing(`<g ${attribute}/>`)
    if (isKnownIdle(attribute)) expect(stored(file)).toBe(`${HEAD}<g/></svg>`)
    else expect(problemOf(file)).not.toBeNull()
    expect(problemOf(drawing('', `viewBox="0 0 4 4" ${attribute}`)) === null).toBe(isKnownIdle(attribute))
  })

  test.each([
    ['an entity', '<!DOCTYPE svg [<!ENTITY a "b">]><svg viewBox="0 0 4 4"/>'],
    ['a doctype of another file', '<!DOCTYPE svg SYSTEM "file:///etc/passwd"><svg viewBox="0 0 4 4"/>'],
    ['CDATA', drawing('<![CDATA[<script>]]>')],
    ['a style sheet', `<?xml-stylesheet href="https://evil.example/x.css"?>${drawing('')}`],
    ['a processing instruction', drawing('<?php 1 ?>')],
    ['text', drawing('hello')],
    ['an entity in text', drawing('&#60;script&#62;')],
    ['elements that overlap', drawing('<g><path></g></path>')],
    ['an open element', '<svg viewBox="0 0 4 4"><g></svg>'],
    ['an open comment', drawing('<!-- <path/>')],
    ['an open title', '<svg viewBox="0 0 4 4"><title></svg>'],
    ['two roots', drawing('') + drawing('')],
    ['text after the root', `${drawing('')}<p/>`],
    ['another root', '<html><svg viewBox="0 0 4 4"/></html>'],
    ['a prefixed root', '<svg:svg xmlns:svg="http://www.w3.org/2000/svg" viewBox="0 0 4 4"/>'],
    ['an attribute twice', drawing('<g id="a" id="b"/>')],
    ['an attribute without quotes', drawing('<g id=a/>')],
    ['an attribute with "<"', drawing('<g id="<"/>')],
    ['a control character', drawing('<g id="a\u0000"/>')],
    ['no root', '<!-- nothing -->'],
    ['nothing', ''],
    ['very many elements', drawing('<g/>'.repeat(2001))],
    ['very deep elements', drawing(`${'<g>'.repeat(40)}${'</g>'.repeat(40)}`)],
  ])('with %s', (_, file) => {
    expect(problemOf(file)).not.toBeNull()
  })

  test('if it is not UTF-8', () => {
    expect(problemOf(new Uint8Array([0xff, 0xfe, 0x3c, 0x00]))).toBe('be UTF-8 text')
    expect(
      problemOf(new TextEncoder().encode(drawing('')).map(byte => (byte === 34 ? 0xc0 : byte))),
    ).not.toBeNull()
  })

  test('quickly, whatever its content', () => {
    const long = 100_000
    const files = [
      drawing(`<g transform="${'translate(1) '.repeat(long / 13)}x"/>`),
      drawing(`<g transform="${' '.repeat(long)}x"/>`),
      drawing(`<path d="${'M0 0 '.repeat(long / 5)}x"/>`),
      drawing(`<g fill="${'a'.repeat(long)}"/>`),
      drawing(`<g ${'a '.repeat(long / 2)}`),
      drawing(`<g style="${'a:'.repeat(long / 2)}("/>`),
      '<'.repeat(long),
      `<svg ${' '.repeat(long)}`,
      `<!--${'-'.repeat(long)}`,
      `<!DOCTYPE svg PUBLIC "${' '.repeat(long)}`,
    ]
    const started = performance.now()
    for (const file of files) expect(problemOf(file)).not.toBeNull()
    expect(performance.now() - started).toBeLessThan(2000)
  })
})

test('the stored drawing is harmless for any mixture of harmful pieces, and is accepted unchanged', () => {
  const pieces = [
    ...['<svg', ' viewBox="0 0 4 4"', '>', '</svg>', '<g', '<path', '/>', '</g>', '<script>', '</script>'],
    '<!--',
    ...['-->', '<![CDATA[', ']]>', ' onload="x"', ' href="x"', ' style="', 'fill:url(x)', '"', "'"],
    ...[' id="a"', '&lt;'],
    ...['<title>', '</title>', '<metadata>', '</metadata>', ' d="M0 0"', ' fill="url(#a)"', 'alert(1)', ' '],
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 24 }), parts => {
      for (const file of [parts.join(''), drawing(parts.join(''))]) {
        const result = read(file)
        if ('problem' in result) continue
        const text = new TextDecoder().decode(result.bytes)
        expect(text).toMatch(/^(?:<\/?(?:svg|g|path)(?: [a-zA-Z:]+="[^"<>&']*")*\/?>)+$/)
        expect(text).not.toMatch(/script|onload|href|alert|style/)
        expect(stored(text)).toBe(text)
      }
    }),
    { numRuns: 3000 },
  )
})
