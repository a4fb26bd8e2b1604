import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { launch } from '../../../tools/browser/launch.ts'
import { someOf } from '../../../tools/extent.ts'
import { ENGINES } from '../src/engines.ts'
import { type RunOptions, run } from '../src/run.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const start = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['--conditions=@x/source', main, ...args], { encoding: 'utf8' })

/** Returns the expected effects of the orders 1, 2, …. */
const deedsOf = (amounts: readonly number[]) =>
  amounts
    .flatMap((amount, i) => [
      `charged ${amount} EUR for order ${i + 1}`,
      `shipped order ${i + 1}`,
      `wrote to Ann about order ${i + 1}`,
    ])
    .sort()

const quick: Omit<RunOptions, 'engine' | 'patience' | 'onReady'> = {
  orders: 3,
  workers: 2,
  kills: 2,
  slowMs: 60,
  port: 0,
  print: () => {},
}

describe.each(ENGINES)('the example on %s', (engine) => {
  // The tests of the engines kill workers too.
  const tags = engine === ENGINES[0] ? [] : ['nightly']
  it('has each effect once, although workers are killed', { tags }, async () => {
    const lines: string[] = []
    const { answers, deeds, kills } = await run({ ...quick, engine, patience: 0, print: (line) => lines.push(line) })
    expect(answers).toEqual([1, 2, 3].map((order) => `Order ${order} is paid and on its way.`))
    expect(deeds.map(({ what }) => what).sort()).toEqual(deedsOf([60, 90, 120]))
    expect(kills).toBe(2)
    expect(lines).toContain('order-3: charge is approved, because nobody decided')
    expect(lines.at(-1)).toContain('2 workers were killed; 9 things were done, once each;')
  })

  it('shows orders and steps on a page, where calls are approved', { tags }, async () => {
    const browser = await launch()
    try {
      const page = await browser.newPage()
      let shown = ''
      const onReady = async (url: string) => {
        await page.goto(url)
        const other = await fetch(`${url}/tasks/order-3/decide`, { method: 'POST', body: '{}' })
        expect(other.status).toBe(400)
        const { status } = (await (await fetch(`${url}/tasks/order-3`)).json()) as { status: string }
        expect(['queued', 'running', 'waiting']).toContain(status)
        await page.fill('#order-3 form [name=amount]', '"a lot"')
        await page.click('#order-3 .approve')
        await page.waitForSelector('#order-3 .refused:has-text("amount: expected a finite number")')
        await page.fill('#order-3 form [name=amount]', '110')
        await page.click('#order-3 .approve')
        // The state and the events arrive by different requests.
        await page.waitForSelector('#order-3[data-state="finished"]:has-text("Order 3 is paid and on its way.")')
        shown = (await page.textContent('#order-3'))!
      }
      const { deeds } = await run({ ...quick, engine, kills: 0, patience: 1000, onReady })
      expect(deeds.map(({ what }) => what).sort()).toEqual(deedsOf([60, 90, 110]))
      expect(shown).toContain('charge waits for approval')
      expect(shown).toContain('charged 110 EUR for order 3')
      expect(shown.split('Order 3 is paid and on its way.').length - 1).toBe(1)
    } finally {
      await browser.close()
    }
  })
})

describe('the command', () => {
  it('refuses wrong options', async () => {
    const refused = [
      ['orders', 'many', '1 to 1000'],
      ['orders', '1e9', '1 to 1000'],
      ['workers', '51', '1 to 50'],
      ['kills', '-1', '0 to 1000'],
      ['patience', '86401', '0 to 86400'],
      ['slow', '0', '1 to 60000'],
      ['port', '65536', '0 to 65535'],
    ] as const
    for (const [name, value, range] of someOf(refused, 2))
      await expect(start(`--${name}=${value}`)).rejects.toMatchObject({
        stderr: `durable-agent: --${name}: expected an integer from ${range}, received ${value}.\n`,
      })
    await expect(start('--engine=other')).rejects.toMatchObject({
      stderr: 'durable-agent: --engine: expected one of store, dbos, restate, received other.\n',
    })
    await expect(start('--nothing')).rejects.toMatchObject({
      stderr: expect.stringMatching(/^durable-agent: Unknown option '--nothing'.*\n$/),
    })
  })

  it('leaves no processes and files behind when it is interrupted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'interrupted-'))
    const env = { ...process.env, TMPDIR: folder, TMP: folder, TEMP: folder }
    const child = spawn(process.execPath, ['--conditions=@x/source', main], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([130, null])
    await expect.poll(() => readdirSync(folder)).toEqual([])
    rmSync(folder, { recursive: true })
  })
})
