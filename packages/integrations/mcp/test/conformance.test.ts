// @module-tag system
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { oneFile } from '../../../../tools/one-file.ts'

const folder = `${import.meta.dirname}/conformance`
const suite = `${import.meta.dirname}/../node_modules/@modelcontextprotocol/conformance/dist/index.js`
const revisions = ['2025-11-25', '2026-07-28']

function start(args: string[]): ChildProcess {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill())
  return child
}

/** Runs the suite; returns its exit code, and the summary of what it prints. */
async function run(args: string[]): Promise<{ code: number; summary: string }> {
  const child = start([suite, ...args])
  let output = ''
  child.stdout!.on('data', (piece) => {
    output += piece
  })
  const [code] = await once(child, 'close')
  return { code, summary: output.slice(output.search(/=== .*SUMMARY/)) }
}

const passed = { code: 0, summary: expect.not.stringContaining('Unexpected failures') }
const notApplicable = (revision: string) => `${folder}/not-applicable-${revision}.yml`

describe.each(revisions)('the conformance suite, revision %s', (revision) => {
  it('passes for a server', async () => {
    const server = start(['--conditions=@x/source', `${folder}/server.ts`, revision])
    const [url] = await once(createInterface(server.stdout!), 'line')
    const args = ['server', '--url', url, '--requirements', revision, '--expected-failures', notApplicable(revision)]
    expect(await run(args)).toEqual(passed)
  }, 120_000)

  // The earlier revision of the client takes half a minute.
  const tags = revision === revisions[0] ? ['nightly'] : []
  it('passes for a client', { tags, timeout: 300_000 }, async () => {
    const command = `${process.execPath} ${await oneFile(`${folder}/client.ts`)}`
    const { code, summary } = await run([
      'client',
      '--command',
      command,
      '--requirements',
      revision,
      '--timeout',
      '200000',
    ])
    const failed = summary.slice(0, summary.indexOf('Not scored')).match(/✗ .*/g) ?? []
    const extensions = summary.slice(summary.indexOf('Not scored'))
    expect(failed.filter((line) => !extensions.includes(line.slice(2, line.indexOf(':'))))).toEqual([])
    expect(summary).toContain('✓ tools_call')
    expect(code).toBe(0)
  })
})

it('names every scenario that is not applicable, with a reason', () => {
  const listed = revisions.flatMap((revision) => readFileSync(notApplicable(revision), 'utf8').match(/(?<=- ).+/g)!)
  const rows = readFileSync(`${folder}/README.md`, 'utf8').match(/^\| `.*(?= \|.*\|$)/gm)!
  const named = rows.flatMap((row) => row.match(/(?<=`)[^`,]+(?=`)/g)!)
  expect(named.sort()).toEqual([...new Set(listed)].sort())
})
