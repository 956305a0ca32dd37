/** The characters with the codes 0x80 to 0x9f. A space stands for an unused code. */
const HIGH = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'

const codes = new Map([...HIGH].flatMap((sign, at) => (sign === ' ' ? [] : [[sign, 0x80 + at] as const])))

function codeOf(sign: string): number {
  const code = sign.codePointAt(0) ?? 0
  if (code < 0x80 || (code >= 0xa0 && code <= 0xff)) return code
  return codes.get(sign) ?? '?'.charCodeAt(0)
}

/** Encodes a text for programs that read no Unicode. Letters that the set lacks lose their accents. */
export function toWindows1252(text: string): Uint8Array {
  const signs = [...text.normalize('NFC')].flatMap(sign => {
    if (codeOf(sign) !== 0x3f || sign === '?') return [sign]
    const [plain = '?'] = sign.normalize('NFD')
    return [plain]
  })
  return Uint8Array.from(signs, codeOf)
}
