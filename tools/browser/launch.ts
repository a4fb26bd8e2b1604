import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import serverless, { inflate } from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

/** The paths of installed browsers on common systems. */
const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  `${process.env['PROGRAMFILES']}\\Google\\Chrome\\Application\\chrome.exe`,
  `${process.env['PROGRAMFILES(X86)']}\\Microsoft\\Edge\\Application\\msedge.exe`,
]

/**
 * Starts the Chromium that comes with the install on Linux x64, elsewhere an installed one; `X_BROWSER` is the path of another one.
 * @throws when no browser is found: a check that did not run must not look like one that passed.
 */
export async function launch(): Promise<Browser> {
  const own = process.env['X_BROWSER']
  if (own === undefined && process.platform === 'linux' && process.arch === 'x64') return launchBundled()
  const executablePath = own ?? installed.find((path) => existsSync(path))
  if (executablePath === undefined) throw new Error('No browser was found; set X_BROWSER to the path of a Chromium.')
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}

/** Once for each process: unpacking changes its folder for temporary files for a while. */
let unpacking: Promise<string> | undefined

async function launchBundled(): Promise<Browser> {
  unpacking ??= unpacked()
  const folder = await unpacking
  // A GPU in software takes as much time to draw as all the rest of a page's work.
  const args = serverless.args.filter((arg) => !/web-security|insecure-content|gl=|swiftshader|gpu/.test(arg))
  args.push('--disable-gpu')
  const env = { ...process.env, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') }
  return chromium.launch({ executablePath: join(folder, 'chromium'), args, env })
}

/** The folder with the browser and the libraries that a system without a desktop lacks; unpacked once for each version. */
async function unpacked(): Promise<string> {
  const bin = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..', 'bin')
  const { version } = JSON.parse(readFileSync(join(bin, '..', 'package.json'), 'utf8'))
  const cache = join(import.meta.dirname, '..', 'node_modules', '.cache')
  const folder = join(cache, `chromium-${version}`)
  if (existsSync(folder)) return folder
  const unfinished = join(cache, `chromium-${process.pid}`)
  mkdirSync(unfinished, { recursive: true })
  const before = process.env['TMPDIR']
  // The package unpacks into the folder for temporary files, where a file of another version or user may be in the way.
  process.env['TMPDIR'] = unfinished
  try {
    await Promise.all([serverless.executablePath(), inflate(join(bin, 'al2023.tar.br'))])
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
  // Another process may have unpacked it first.
  if (existsSync(folder)) rmSync(unfinished, { recursive: true })
  else renameSync(unfinished, folder)
  return folder
}
