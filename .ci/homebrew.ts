// Prints a formula of Homebrew for the executables in dist/: --url=FOLDER_OF_FILES
import { existsSync, readFileSync } from 'node:fs'
import manifest from '../package.json' with { type: 'json' }

const url = process.argv.find(argument => argument.startsWith('--url='))?.slice('--url='.length)
if (!url) {
  process.stderr.write('Name the folder of the files with --url.\n')
  process.exit(1)
}

/** The processors of each system, as Homebrew and the files name them. */
const systems = {
  macos: [['arm', 'darwin-arm64']],
  linux: [
    ['arm', 'linux-arm64'],
    ['intel', 'linux-x64'],
  ],
} as const

/** The part of the formula for one processor. */
function partOf(processor: string, target: string): string {
  const file = `dist/florin-${target}`
  if (!existsSync(file)) throw new Error(`${file} is missing`)
  const sha256 = new Bun.CryptoHasher('sha256').update(readFileSync(file)).digest('hex')
  return `    on_${processor} do
      url "${url}/florin-${target}"
      sha256 "${sha256}"
    end
`
}

const parts = Object.entries(systems).map(
  ([system, processors]) => `  on_${system} do
${processors.map(([processor, target]) => partOf(processor, target)).join('\n')}  end
`,
)

/** Homebrew wants at most 80 characters, without an article. */
const description = manifest.description
  .replace(/:.*/, '')
  .replace(/^The (.)/, (_, first: string) => first.toUpperCase())

process.stdout.write(`class Florin < Formula
  desc "${description}"
  version "${manifest.version}"
  license "MIT"

${parts.join('\n')}
  def install
    bin.install Dir["florin-*"].first => "florin"
  end

  def post_install
    (var/"florin").mkpath
  end

  service do
    run [opt_bin/"florin", "serve"]
    keep_alive true
    working_dir var/"florin"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/florin version")
  end
end
`)
