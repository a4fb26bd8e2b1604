import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { doors, models } from './doors.ts'
import { packageName } from './make-project.ts'
import { createProject } from './program.ts'

const root = mkdtempSync(join(tmpdir(), 'x-create-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

interface Asked {
  /** What the user types, if there is a terminal. */
  typed?: string
  agent?: string
  cwd?: string
}

/** Runs the program in a folder. */
async function create(args: readonly string[], { typed, agent, cwd = root }: Asked = {}) {
  const isTTY = typed !== undefined
  const stdin = Object.assign(new PassThrough(), { isTTY })
  const stdout = Object.assign(new PassThrough(), { isTTY })
  const stderr = new PassThrough()
  stdin.end(typed)
  const code = await createProject(args, { stdin, stdout, stderr, cwd, env: { npm_config_user_agent: agent } })
  stdout.end()
  stderr.end()
  return { code, printed: await text(stdout), problem: await text(stderr) }
}

const filesOf = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(join(root, folder).length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()
const read = (path: string) => readFileSync(join(root, path), 'utf8')

describe('createProject', () => {
  it('makes a project for each door, whose manifest names what its files import', async () => {
    for (const door of Object.keys(doors)) expect((await create([door, '--door', door])).code).toBe(0)
    expect(filesOf('chat')).toEqual([
      '.env',
      '.gitignore',
      'README.md',
      'package.json',
      'src/chat.ts',
      'src/model.ts',
      'src/page.html',
      'src/page.js',
      'src/script.ts',
      'tsconfig.json',
    ])
    const { name, scripts, dependencies, devDependencies } = JSON.parse(read('durable/package.json'))
    expect(name).toBe('durable')
    expect(scripts).toEqual({
      start: 'node --env-file-if-exists=.env src/durable.ts',
      approve: 'node --env-file-if-exists=.env src/durable.ts approve',
      typecheck: 'tsc',
    })
    expect(Object.keys(dependencies)).toEqual([
      '@x/agents',
      '@x/core',
      '@x/core-model',
      '@x/llm',
      '@x/openai',
      '@x/sqlite',
    ])
    expect(devDependencies.typescript).toMatch(/^\^7/)
    expect(Object.keys(JSON.parse(read('chat/package.json')).dependencies)).toContain('@hono/node-server')
    expect(Object.keys(JSON.parse(read('documents/package.json')).dependencies)).toContain('@x/retrieval')
    expect(filesOf('documents')).toContain('docs/fruit.md')
    expect(read('part/README.md')).toMatch(/^# part\n[\s\S]*src\/part\.ts[\s\S]*## The model/)
    expect(read('part/.gitignore')).toContain('.env\n')
  })

  it.each(Object.keys(models))('writes .env for the model %s', async (model) => {
    await create([`with-${model}`, '--door=part', `--model=${model}`])
    expect(read(`with-${model}/.env`)).toBe(models[model as keyof typeof models].env)
  })

  it('asks in a terminal for what is missing, again after an invalid answer', async () => {
    const { code, printed } = await create([], { typed: 'mine\n7\ndurable\n2\n' })
    expect(printed).toContain('Folder? (my-app)')
    expect(printed).toContain('  3  durable    Durable agents\n')
    expect(printed).toContain('Expected a number from 1 to 4, or a name.')
    expect(code).toBe(0)
    expect(filesOf('mine')).toContain('src/durable.ts')
    expect(read('mine/.env')).toContain('MODEL_URL=')
    await create(['only-model'], { typed: '\n\n' })
    expect(filesOf('only-model')).toContain('src/chat.ts')
  })

  it('ends with 130 and writes nothing when the user ends the questions', async () => {
    expect((await create(['stopped'], { typed: '' })).code).toBe(130)
    expect(readdirSync(root)).not.toContain('stopped')
  })

  it.each([
    [[], 'FOLDER and --door: missing'],
    [['a'], '--door: missing'],
    [['--door', 'chat'], 'FOLDER: missing'],
    [['a', '--dor', 'chat'], '--dor: unknown option; did you mean --door?'],
    [['a', '--door', 'cat'], '--door: expected chat, documents, durable, part; received "cat".'],
    [['a', '--door'], '--door: expected a string'],
    [['a', '--door', 'chat', '--model', 'gpt'], '--model: expected openai, ollama, none; received "gpt".'],
    [['a', 'chat'], 'npm create @x FOLDER -- --door DOOR'],
    [['', '--door', 'chat'], 'FOLDER: expected a path'],
  ])('refuses %j without a terminal, with 2', async (args, message) => {
    const { code, problem, printed } = await create(args)
    expect(problem).toContain(message)
    expect({ code, printed }).toEqual({ code: 2, printed: '' })
    expect(readdirSync(root)).not.toContain('a')
  })

  it('writes nothing into a folder with files, or where a folder cannot be', async () => {
    mkdirSync(join(root, 'full'))
    writeFileSync(join(root, 'full', 'mine.txt'), 'mine')
    const full = await create(['full', '--door', 'part'])
    expect(full.problem).toContain('expected an empty folder, found mine.txt in it. Nothing was written.')
    expect(full.code).toBe(1)
    expect(filesOf('full')).toEqual(['mine.txt'])
    const file = await create(['full/mine.txt', '--door', 'part'])
    expect(file).toMatchObject({ code: 1, problem: expect.stringContaining('The project cannot be written') })
    const below = await create(['full/mine.txt/below', '--door', 'part'])
    expect(below).toMatchObject({ code: 1, problem: expect.stringContaining('The project cannot be written') })
  })

  it('takes the current folder, and one that contains only .git', async () => {
    const cwd = join(root, 'My Repo')
    mkdirSync(join(cwd, '.git'), { recursive: true })
    const { code, printed } = await create(['.', '--door', 'part'], { cwd })
    expect(code).toBe(0)
    expect(printed).not.toContain('cd ')
    expect(JSON.parse(read('My Repo/package.json')).name).toBe('my-repo')
  })

  it.each([
    [undefined, 'npm install', 'npm start'],
    ['npm/11.0.0 node/v24', 'npm install', 'npm start'],
    ['pnpm/10.1.0 npm/? node/v24', 'pnpm install', 'pnpm start'],
    ['yarn/4.9.0 npm/? node/v24', 'yarn install', 'yarn start'],
    ['bun/1.2.0 npm/? node/v24', 'bun install', 'bun run start'],
  ])('prints the next steps for %s', async (agent, install, start) => {
    const folder = `steps of ${install}${agent ? '' : ' by default'}`
    const { printed } = await create([folder, '--door', 'chat'], { agent })
    expect(printed).toContain(`  cd "${folder}"\n  ${install}\n  ${start}\n`)
    // TypeScript finds no packages in the archives of Yarn.
    expect(filesOf(folder).includes('.yarnrc.yml')).toBe(install === 'yarn install')
  })

  it('prints the help and the version', async () => {
    const help = await create(['--help'])
    expect(help.code).toBe(0)
    for (const name of [...Object.keys(doors), ...Object.keys(models)]) expect(help.printed).toContain(`  ${name} `)
    expect((await create(['--version'])).printed).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})

describe('packageName', () => {
  it.each([
    ['my-app--', 'my-app'],
    ['my-app', 'my-app'],
    ['My App!', 'my-app'],
    ['.hidden', 'hidden'],
    ['_x', 'x'],
    ['日本', 'project'],
  ])('of %s is %s', (folder, name) => {
    expect(packageName(folder)).toBe(name)
  })
})
