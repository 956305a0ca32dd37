declare module '*.sql' {
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
declare module '*.min.js' {
  const text: string
  export default text
}
