/** One change of a source file. The text to find occurs exactly once. */
export interface Edit {
  file: string
  find: string
  put: string
}

/** A fault that is put into a copy of the source, to check that the simulation finds it. */
export interface Fault {
  /** a short name for `--only` */
  name: string
  what: string
  edits: readonly Edit[]
  /** the commit of the earlier version with which servers have to start */
  earlier?: string
  /** a test file that finds the fault, which no world does */
  test?: string
}

export const fault = (name: string, what: string, ...edits: Edit[]): Fault => ({ name, what, edits })

export const edit = (file: string, find: string, put: string): Edit => ({ file: `src/${file}`, find, put })

/** A fault that no world finds, but a test file does. */
export const foundBy = (file: string, one: Fault): Fault => ({ ...one, test: `test/${file}` })
