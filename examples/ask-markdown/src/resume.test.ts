// @module-tag system
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chatServer } from './testing/chat-server.ts'
import { workspace } from './testing/workspace.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))
const FRUIT = '# Fruit\n\n| name | price |\n|---|---|\n| apple | 2.40 |\n'
const SEARCH = 'Thought: I look.\nAction: search_text\nAction Input: {"query": "apple"}'
const ANSWER = 'Thought: I know it.\nAnswer: 2.40 (fruit.md:5)'

/** The program in a separate process. */
function start(folder: string, args: readonly string[]) {
  const child = spawn(process.execPath, ['--conditions=@x/source', MAIN, '--runs', '.runs', ...args], {
    env: { ...process.env, INIT_CWD: folder, NO_COLOR: '1' },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (output += text))
  const ended = once(child, 'close').then(([exitCode, signal]) => ({ exitCode, signal, output }))
  return { child, ended }
}

const asking = (baseUrl: string) => [
  'fruit.md',
  'What does an apple cost?',
  '--base-url',
  baseUrl,
  '--model',
  'tiny',
  '--text-tools',
]

describe('ask --resume', () => {
  it('resumes a killed run without repeating its steps', async () => {
    let hang = true
    const inTheMiddle = Promise.withResolvers<void>()
    const { baseUrl, requests } = await chatServer(({ messages }) => {
      if (!messages.at(-1)!.content.startsWith('Observation:')) return SEARCH
      if (!hang) return ANSWER
      inTheMiddle.resolve()
      return undefined
    })
    const { folder } = await workspace({ 'fruit.md': FRUIT })

    const first = start(folder, asking(baseUrl))
    await inTheMiddle.promise
    first.child.kill('SIGKILL')
    expect((await first.ended).signal).toBe('SIGKILL')

    hang = false
    const asked = requests.length
    const { exitCode, output } = await start(folder, ['--resume']).ended
    expect(output).toContain('What does an apple cost?\nResuming after 1 step of an earlier run:\n\n1 I look.')
    expect(output).toContain('Answer\n2.40 (fruit.md:5)')
    expect(exitCode).toBe(0)
    // Only the interrupted model call is repeated, with the result of the search.
    expect(requests).toHaveLength(asked + 1)
    expect(requests.at(-1)!.messages).toEqual(requests.at(-2)!.messages)
    expect(await readdir(join(folder, '.runs'))).toEqual(['tasks'])
    expect(await readdir(join(folder, '.runs/tasks'))).toEqual([])
  })

  it('resumes after Ctrl-C', async () => {
    let hang = true
    const inTheMiddle = Promise.withResolvers<void>()
    const { baseUrl } = await chatServer(() => {
      if (!hang) return ANSWER
      inTheMiddle.resolve()
      return undefined
    })
    const { folder } = await workspace({ 'fruit.md': FRUIT })
    const first = start(folder, asking(baseUrl))
    await inTheMiddle.promise
    first.child.kill('SIGINT')
    expect(await first.ended).toMatchObject({
      exitCode: 130,
      output: expect.stringContaining('Stopped; --resume continues.'),
    })
    hang = false
    expect(await start(folder, ['--resume']).ended).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining('Answer\n2.40'),
    })
  })

  it('resumes after an error of the server, and reports all steps in its JSON', async () => {
    let broken = true
    const { baseUrl } = await chatServer(({ messages }, response) => {
      if (!messages.at(-1)!.content.startsWith('Observation:')) return SEARCH
      if (!broken) return ANSWER
      response.statusCode = 500
      response.end()
      return undefined
    })
    const { run } = await workspace({ 'fruit.md': FRUIT })
    expect(
      (await run(['fruit.md', 'What does an apple cost?', '--base-url', baseUrl, '--model', 'tiny', '--text-tools']))
        .exitCode,
    ).toBe(4)
    broken = false
    expect(JSON.parse((await run(['--resume', '--json'])).stdout)).toMatchObject({
      question: 'What does an apple cost?',
      resumedSteps: 1,
      steps: [{ tool: 'search_text', input: { query: 'apple' }, thought: 'I look.' }],
      answer: '2.40 (fruit.md:5)',
      sources: [{ file: 'fruit.md', line: 5 }],
    })
  })

  it('starts again when the documents have changed', async () => {
    let broken = true
    const { baseUrl, requests } = await chatServer(({ messages }, response) => {
      if (!messages.at(-1)!.content.startsWith('Observation:')) return SEARCH
      if (!broken) return ANSWER
      response.statusCode = 500
      response.end()
      return undefined
    })
    const { run, folder } = await workspace({ 'fruit.md': FRUIT })
    await run(['fruit.md', 'What does an apple cost?', '--base-url', baseUrl, '--model', 'tiny', '--text-tools'])
    broken = false
    await writeFile(join(folder, 'fruit.md'), FRUIT.replace('2.40', '2.60'))
    const { exitCode, stdout, stderr } = await run(['--resume'])
    expect(stderr).toContain('The documents have changed since this run started: it starts again.')
    expect(stdout).not.toContain('Resuming')
    expect(requests.at(-1)!.messages.at(-1)!.content).toContain('2.60')
    expect(exitCode).toBe(0)
  })
})

describe('main', () => {
  it('leaves no run behind when the reader closes the pipe', async () => {
    const { baseUrl } = await chatServer(async ({ messages }) => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      return messages.length < 20 ? SEARCH.replace('apple', `apple ${messages.length}`) : ANSWER
    })
    const { folder } = await workspace({ 'fruit.md': FRUIT })
    const args = ['fruit.md', 'What does an apple cost?', '--base-url', baseUrl, '--model', 'tiny', '--text-tools']
    const { child, ended } = start(folder, args)
    child.stdout.once('data', () => child.stdout.destroy())
    expect(await ended).toMatchObject({ exitCode: 0 })
    expect(await readdir(join(folder, '.runs'))).toEqual(['tasks'])
  })

  it('sets the exit code, and prints the same text to terminals and pipes', async () => {
    const { folder } = await workspace({ 'fruit.md': FRUIT })
    const [good, bad] = await Promise.all([
      start(folder, ['fruit.md', 'What is the price of the apple?']).ended,
      start(folder, ['nowhere.md', 'What?']).ended,
    ])
    expect(good).toMatchObject({ exitCode: 0, output: expect.stringContaining('2.40 (fruit.md:5)') })
    expect(bad).toMatchObject({ exitCode: 3, output: 'nowhere.md: no such file or folder.\n' })
  })
})
