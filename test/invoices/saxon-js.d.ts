declare module 'saxon-js' {
  interface Transformation {
    stylesheetInternal: object
    sourceText: string
    destination: 'serialized'
  }
  const SaxonJS: { transform(what: Transformation, how: 'sync'): { principalResult: string } }
  export default SaxonJS
}
