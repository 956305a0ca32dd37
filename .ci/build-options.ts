// Bytecode halves the time to the first answer, and separate chunks are loaded only when needed, except
// for very small ones: each needs memory of its own. Names are kept, so that stack traces in a log can be read.
const chunks = ['--format=esm', '--splitting', '--min-chunk-size=2048']

/** What every executable of Florin is built with. */
export const BUILD_OPTIONS = [
  '--compile',
  '--bytecode',
  ...chunks,
  '--minify-whitespace',
  '--minify-syntax',
  '--sourcemap',
  // A start runs most functions a few times. To compile them to machine code would take a fifth of its processor
  // time and 5 MiB of memory. `compileAsUsual` sets it back to 1.
  '--compile-jit-policy=100',
  // The executable runs only its own code, and reads settings from the environment and --env-file. By default
  // it would also read both from files in the folder where it is started, which anybody may have written.
  '--no-compile-autoload-bunfig',
  '--no-compile-autoload-dotenv',
  '--no-compile-autoload-package-json',
  '--no-compile-autoload-tsconfig',
]
