declare module '*.sql' {
  const text: string
  export default text
}
/** A systemd unit. */
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
/** The part of the package that draws nothing: it computes which modules of a code are dark. */
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
