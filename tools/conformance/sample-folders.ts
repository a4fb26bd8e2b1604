/** The storage folders of `conformance/lines/samples.json`, as files. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Writes a folder per release into a new temporary folder, which is removed when the process ends. Returns its path. */
export function writeSamples(): string {
  const path = join(import.meta.dirname, '..', '..', 'conformance', 'lines', 'samples.json')
  const releases: Record<string, Record<string, string>> = JSON.parse(readFileSync(path, 'utf8'))
  const samples = mkdtempSync(join(tmpdir(), 'samples-'))
  process.once('exit', () => rmSync(samples, { recursive: true, force: true }))
  for (const [release, files] of Object.entries(releases)) {
    mkdirSync(join(samples, release))
    for (const [name, text] of Object.entries(files)) writeFileSync(join(samples, release, name), text)
  }
  return samples
}
