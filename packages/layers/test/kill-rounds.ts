/**
 * Kills an agent with layers at random points, and starts it again until its task is finished. Finds lost or doubled changes of files,
 * to-do lists, memories and messages, wrong costs, and effects with other arguments under one key.
 *
 * @example node --conditions=@x/source test/kill-rounds.ts 20
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { oneFile } from '../../../tools/one-file.ts'

export interface LayersReport {
  kills: number
  effects: number
  /** Effects that were repeated under their key with the same arguments. */
  repeated: number
  faults: string[]
}

/** Starts the work and kills it, later after each 4 kills, so that it ends. Returns what it printed at its end. */
function live(worker: string, folder: string, kills: number): Promise<{ printed: string; failure: string }> {
  const child = spawn(process.execPath, [worker, '--work', folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [printed, failure] = ['', '']
  let killer: NodeJS.Timeout | undefined
  child.stderr.on('data', (data) => {
    failure += String(data)
  })
  child.stdout.on('data', (data) => {
    printed += String(data)
    killer ??= setTimeout(() => child.kill('SIGKILL'), Math.random() * 700 * 2 ** Math.floor(kills / 4))
  })
  return new Promise((resolve) => {
    child.on('exit', (_code, signal) => {
      clearTimeout(killer)
      resolve({ printed: signal ? '' : printed, failure: signal ? '' : failure })
    })
  })
}

/** What the task must have left. */
const EXPECTED = {
  response: 'large is done.',
  todos: [
    { content: 'Part 1', status: 'completed' },
    { content: 'Part 2', status: 'completed' },
  ],
  report: 'one\ntwo\nthree\nfour\n',
  memory: ['Ann wants short reports.'],
  // How often the conversation has the message that was sent into the task, and the end of the one in the background.
  sent: 1,
  ended: 1,
}

export async function killRounds(rounds: number): Promise<LayersReport> {
  const worker = await oneFile(join(import.meta.dirname, 'kill-worker.ts'))
  const report: LayersReport = { kills: 0, effects: 0, repeated: 0, faults: [] }
  for (let round = 0; round < rounds; round++) {
    const folder = mkdtempSync(join(tmpdir(), 'layers-'))
    const fault = (what: string) => report.faults.push(`round ${round}: ${what}`)
    try {
      let [kills, shown] = [0, '']
      while (shown === '') {
        const { printed, failure } = await live(worker, folder, kills)
        if (failure) throw new Error(failure)
        shown = printed.split('\n')[1] ?? ''
        if (shown === '') kills++
      }
      report.kills += kills
      const { files, cost, ...left } = JSON.parse(shown)
      for (const [name, value] of Object.entries(EXPECTED))
        if (JSON.stringify(left[name]) !== JSON.stringify(value)) fault(`${name}: ${JSON.stringify(left[name])}`)
      const paths = files.map(({ path }: { path: string }) => path.replace(/-[0-9a-f]{16}/, ''))
      if (JSON.stringify(paths) !== '["notes.md","outputs/send.txt","report.md"]')
        fault(`files: ${JSON.stringify(paths)}`)
      judgeCost(cost, fault)
      judgeEffects(folder, report, fault)
    } catch (error) {
      fault(String(error))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return report
}

/** Each reply of the agent costs 0.0045, each of its helper 0.00045. */
function judgeCost(cost: number, fault: (what: string) => void): void {
  const helpers = 2 * 0.00045
  const answers = (cost - helpers) / 0.0045
  if (Math.abs(answers - Math.round(answers)) > 1e-6 || answers < 6 || answers > 8) fault(`cost: ${cost}`)
}

function judgeEffects(folder: string, report: LayersReport, fault: (what: string) => void): void {
  const path = join(folder, 'effects.jsonl')
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
  const effects = lines.map((line) => JSON.parse(line) as { key: string; what: string })
  const byKey = new Map(effects.map(({ key, what }) => [key, what]))
  report.effects += byKey.size
  report.repeated += effects.length - byKey.size
  if (byKey.size !== 1) fault(`${byKey.size} effects`)
  for (const { key, what } of effects) if (byKey.get(key) !== what) fault(`other arguments under ${key}`)
}

if (process.argv[1] === import.meta.filename) {
  const rounds = Number(process.argv[2] ?? 20)
  const { kills, effects, repeated, faults } = await killRounds(rounds)
  for (const fault of faults) console.log(`  ${fault}`)
  console.log(
    `layers: ${rounds} rounds, ${kills} kills, ${effects} effects, ${repeated} repeated under the same key and arguments`,
  )
  process.exitCode = faults.length > 0 ? 1 : 0
}
