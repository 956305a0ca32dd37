// Prints a formula of Homebrew for the executables in dist/: --url=FOLDER_OF_FILES
import { existsSync, readFileSync } from 'node:fs'
import manifest from '../package.json' with { type: 'json' }

const url = process.argv.find(argument => argument.startsWith('--url='))?.slice('--url='.length)
if (!url) {
  process.stderr.write('Name the folder of the files with --url.\n')
  process.exit(1)
}

const systems = {
  'darwin-arm64': ['macos', 'arm'],
  'linux-arm64': ['linux', 'arm'],
  'linux-x64': ['linux', 'intel'],
}

/** The part of the formula for one system and processor. */
function partOf(target: string, system: string, processor: string): string {
  const file = `dist/florin-${target}`
  if (!existsSync(file)) throw new Error(`${file} is missing`)
  const sha256 = new Bun.CryptoHasher('sha256').update(readFileSync(file)).digest('hex')
  return `  on_${system} do
    on_${processor} do
      url "${url}/florin-${target}"
      sha256 "${sha256}"
    end
  end
`
}

const parts = Object.entries(systems).map(([target, [system = '', processor = '']]) =>
  partOf(target, system, processor),
)

process.stdout.write(`class Florin < Formula
  desc "${manifest.description.replace(/[.]$/, '').replace(/^The /, '')}"
  version "${manifest.version}"
  license "MIT"

${parts.join('\n')}
  def install
    bin.install Dir["florin-*"].first => "florin"
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
