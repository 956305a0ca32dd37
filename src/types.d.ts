declare module '*.sql' {
  const text: string
  export default text
}
/** The text of a systemd unit. */
declare module '*.service' {
  const text: string
  export default text
}
declare module '*.css' {
  const text: string
  export default text
}
declare module '*/client.js' {
  const text: string
  export default text
}

declare module '*/embed.js' {
  const text: string
  export default text
}

declare module '*/framed.js' {
  const text: string
  export default text
}

declare module '*/passkey-browser.js' {
  const text: string
  export default text
}

declare module '*/sweep-wallet.js' {
  const text: string
  export default text
}

declare module '*/wallet.js' {
  const text: string
  export default text
}
declare module '*/swagger-ui-bundle.js' {
  const path: string
  export default path
}
declare module '*.min.js' {
  const text: string
  export default text
}
/** The part of the package that computes which modules of a QR code are dark, and draws nothing. */
declare module 'qrcode/lib/core/qrcode' {
  export { create, type QRCodeSegment } from 'qrcode'
}
declare module '*.php' {
  const text: string
  export default text
}
declare module '*.py' {
  const text: string
  export default text
}
declare module '*.ttf' {
  const path: string
  export default path
}
/** The parts of PDFKit that invoices use. */
declare module '*/pdfkit.browser.mjs' {
  type Options = Record<string, unknown>
  export default class PDFDocument {
    constructor(options: Options)
    x: number
    y: number
    readonly page: { width: number; height: number }
    readonly _font: { font: { hasGlyphForCodePoint(code: number): boolean } }
    on(event: 'data', listener: (chunk: Uint8Array) => void): this
    on(event: 'end', listener: () => void): this
    on(event: 'error', listener: (error: Error) => void): this
    registerFont(name: string, bytes: Uint8Array): this
    font(name: string): this
    fontSize(size: number): this
    text(text: string, x?: number, y?: number, options?: Options): this
    widthOfString(text: string, options: Options): number
    currentLineHeight(includeGap: boolean): number
    moveDown(lines?: number): this
    moveTo(x: number, y: number): this
    lineTo(x: number, y: number): this
    lineWidth(width: number): this
    stroke(): this
    addPage(): this
    file(content: Uint8Array, options: Options): this
    appendXML(xml: string): void
    end(): void
  }
}
