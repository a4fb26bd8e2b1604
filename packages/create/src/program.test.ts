import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { packageName } from './make-project.ts'
import { createProject } from './program.ts'
import { models, templates } from './templates.ts'

const root = mkdtempSync(join(tmpdir(), 'x-create-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

interface Asked {
  /** What the user types, if there is a terminal. */
  typed?: string
  agent?: string
  cwd?: string
  node?: string
}

/** Runs the program in a folder. */
async function create(args: readonly string[], { typed, agent, cwd = root, node }: Asked = {}) {
  const isTTY = typed !== undefined
  const stdin = Object.assign(new PassThrough(), { isTTY })
  const stdout = Object.assign(new PassThrough(), { isTTY })
  const stderr = new PassThrough()
  stdin.end(typed)
  const code = await createProject(args, { stdin, stdout, stderr, cwd, node, env: { npm_config_user_agent: agent } })
  stdout.end()
  stderr.end()
  return { code, printed: await text(stdout), problem: await text(stderr) }
}

const filesOf = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.git'))
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(join(root, folder).length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()
const read = (path: string) => readFileSync(join(root, path), 'utf8')

describe('createProject', () => {
  it('makes a project for each template, whose manifest names what its files import', async () => {
    for (const name of Object.keys(templates)) expect((await create([name, '--template', name])).code).toBe(0)
    expect(filesOf('chat')).toEqual(
      expect.arrayContaining(['index.html', 'server/model.ts', 'server/server.ts', 'src/chat.tsx']),
    )
    const next = filesOf('next')
    expect(next).toEqual(expect.arrayContaining(['app/api/chat/[[...path]]/route.ts', 'server/chat.ts', 'src/app.tsx']))
    expect(next).not.toEqual(expect.arrayContaining(['src/main.tsx']))
    expect(JSON.parse(read('next/package.json'))).toMatchObject({
      scripts: { start: 'next build && next start -H 127.0.0.1', dev: 'next dev -H 127.0.0.1' },
      dependencies: { next: expect.any(String), 'react-dom': expect.any(String) },
      devDependencies: expect.not.objectContaining({ vite: expect.any(String) }),
    })
    expect(read('next/.gitignore')).toContain('.next/')
    expect(filesOf('workers')).toEqual(expect.arrayContaining(['wrangler.jsonc', 'server/worker.ts', 'src/main.tsx']))
    expect(filesOf('workers')).not.toContain('server/server.ts')
    expect(JSON.parse(read('workers/package.json'))).toMatchObject({
      scripts: {
        start: expect.stringContaining(' && wrangler dev '),
        deploy: expect.stringContaining('wrangler deploy'),
      },
      dependencies: expect.not.objectContaining({ '@hono/node-server': expect.any(String) }),
      devDependencies: expect.objectContaining({ vite: expect.any(String), wrangler: expect.any(String) }),
    })
    expect(read('workers/.gitignore')).toContain('.wrangler/')
    expect(filesOf('part')).toEqual([
      '.env',
      '.gitignore',
      'README.md',
      'package.json',
      'src/model.ts',
      'src/part.ts',
      'tsconfig.json',
    ])
    const { name, scripts, dependencies, devDependencies } = JSON.parse(read('durable/package.json'))
    expect(name).toBe('durable')
    expect(scripts).toEqual({
      start: 'vite build --logLevel warn && node --env-file-if-exists=.env server/server.ts',
      dev: 'vite',
      typecheck: 'tsc',
    })
    expect(Object.keys(dependencies)).toEqual(
      expect.arrayContaining(['@ai-sdk/react', '@x/agents', '@x/core', '@x/durable', '@x/sqlite', 'ai', 'react-dom']),
    )
    expect(Object.keys(devDependencies)).toEqual([
      '@types/node',
      '@types/react',
      '@types/react-dom',
      '@vitejs/plugin-react',
      'typescript',
      'vite',
    ])
    expect(read('durable/src/texts.ts')).toContain('Kill me while I wait')
    expect(devDependencies.typescript).toMatch(/^\^7/)
    expect(Object.keys(JSON.parse(read('chat/package.json')).dependencies)).toContain('@hono/node-server')
    expect(Object.keys(JSON.parse(read('documents/package.json')).dependencies)).toContain('@x/retrieval')
    expect(filesOf('documents')).toContain('docs/fruit.md')
    expect(read('part/README.md')).toMatch(/^# part\n[\s\S]*src\/part\.ts[\s\S]*## The model/)
    expect(read('part/.gitignore')).toContain('.env\n')
  })

  it.each(Object.keys(models))('writes .env for the model %s', async (model) => {
    await create([`with-${model}`, '--template=part', `--model=${model}`])
    expect(read(`with-${model}/.env`)).toBe(models[model as keyof typeof models].env)
  })

  it('asks in a terminal for what is missing, again after an invalid answer', async () => {
    const { code, printed } = await create([], { typed: 'mine\n7\ndurable\n2\n' })
    expect(printed).toContain('Folder? (my-app)')
    expect(printed).toContain('  5  durable    Durable agents\n')
    expect(printed).toContain('Expected a number from 1 to 6, or a name.')
    expect(code).toBe(0)
    expect(read('mine/server/agent.ts')).toContain('`pay` needs approval')
    expect(read('mine/.env')).toContain('MODEL_URL=')
    await create(['only-model'], { typed: '\n\n' })
    expect(filesOf('only-model')).toContain('src/chat.tsx')
  })

  it('ends with 130 and writes nothing when the user ends the questions', async () => {
    expect((await create(['stopped'], { typed: '' })).code).toBe(130)
    expect(readdirSync(root)).not.toContain('stopped')
  })

  it.each([
    [[], 'FOLDER and --template: missing'],
    [['a'], '--template: missing'],
    [['--template', 'chat'], 'FOLDER: missing'],
    [['a', '--templat', 'chat'], '--templat: unknown option; did you mean --template?'],
    [['a', '--template', 'cat'], '--template: expected chat, next, workers, documents, durable, part; received "cat".'],
    [['a', '--template'], '--template: expected a string'],
    [['a', '--template', 'chat', '--model', 'gpt'], '--model: expected openai, ollama, none; received "gpt".'],
    [['a', 'chat'], 'npm create @x FOLDER -- --template TEMPLATE'],
    [['', '--template', 'chat'], 'FOLDER: expected a path'],
  ])('refuses %j without a terminal, with 2', async (args, message) => {
    const { code, problem, printed } = await create(args)
    expect(problem).toContain(message)
    expect({ code, printed }).toEqual({ code: 2, printed: '' })
    expect(readdirSync(root)).not.toContain('a')
  })

  it.each(['20.20.0', '22.17.9', '18.0.0'])('refuses Node %s before anything is written', async (node) => {
    const { code, problem } = await create([`on-${node}`, '--template', 'part'], { node })
    expect([code, problem]).toEqual([
      1,
      `The project needs Node 22.18 or newer, and this is ${node}. Nothing was written.\n`,
    ])
    expect(readdirSync(root)).not.toContain(`on-${node}`)
    expect((await create(['--help'], { node })).code).toBe(0)
  })

  it('begins a repository of git, unless the folder is in one', async () => {
    await create(['own', '--template', 'part'])
    expect(readdirSync(join(root, 'own'))).toContain('.git')
    await create(['own/inner', '--template', 'part'])
    expect(readdirSync(join(root, 'own', 'inner'))).not.toContain('.git')
  })

  it('takes the name of a template by --door too', async () => {
    expect((await create(['by-door', '--door', 'part'])).code).toBe(0)
  })

  it('writes nothing into a folder with files, or where a folder cannot be', async () => {
    mkdirSync(join(root, 'full'))
    writeFileSync(join(root, 'full', 'mine.txt'), 'mine')
    const full = await create(['full', '--template', 'part'])
    expect(full.problem).toContain('expected an empty folder, found mine.txt in it. Nothing was written.')
    expect(full.code).toBe(1)
    expect(filesOf('full')).toEqual(['mine.txt'])
    const file = await create(['full/mine.txt', '--template', 'part'])
    expect(file).toMatchObject({ code: 1, problem: expect.stringContaining('The project cannot be written') })
    const below = await create(['full/mine.txt/below', '--template', 'part'])
    expect(below).toMatchObject({ code: 1, problem: expect.stringContaining('The project cannot be written') })
  })

  it('takes the current folder, and one that contains only .git', async () => {
    const cwd = join(root, 'My Repo')
    mkdirSync(join(cwd, '.git'), { recursive: true })
    const { code, printed } = await create(['.', '--template', 'part'], { cwd })
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
    const { printed } = await create([folder, '--template', 'chat'], { agent })
    expect(printed).toContain(`  cd "${folder}"\n  ${install}\n  ${start}\n`)
    // TypeScript finds no packages in the archives of Yarn.
    expect(filesOf(folder).includes('.yarnrc.yml')).toBe(install === 'yarn install')
  })

  it('prints the help and the version', async () => {
    const help = await create(['--help'])
    expect(help.code).toBe(0)
    for (const name of [...Object.keys(templates), ...Object.keys(models)]) expect(help.printed).toContain(`  ${name} `)
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
