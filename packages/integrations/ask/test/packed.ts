/**
 * Refuses a `@x/ask` that does not work after an install with npm: packs it and what it depends on, installs the tarballs in an empty
 * folder, and calls the command with the official clients of both SDKs. Needs built packages. The registry is asked for the SDK of the
 * server; npm's cache serves repeated runs.
 *
 * @example node packages/integrations/ask/test/packed.ts
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { check, runChecks } from '../../../../tools/checks.ts'
import { runBeside } from '../../../../tools/command.ts'
import { installProject, packedIn, packWithDependencies } from '../../../../tools/packed.ts'
import { type Command, callTool, clients, connectStdio, notificationsOf, subscribe } from './clients.ts'

const PACKAGE = join(import.meta.dirname, '..')
/** The packages that may be installed beside those of this repository. */
const OTHERS = ['@modelcontextprotocol/core', '@modelcontextprotocol/server', 'zod']

async function until(isTrue: () => boolean): Promise<void> {
  const end = performance.now() + 30_000
  while (!isTrue() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** The names of the packages in a folder. */
function installed(modules: string): string[] {
  const names = readdirSync(modules).filter((name) => !name.startsWith('.'))
  return names.flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((part) => `${name}/${part}`) : name,
  )
}

/** Calls the command with one client. */
async function speak(name: keyof typeof clients, command: Command, docs: string): Promise<void> {
  const { client, log } = await connectStdio(name, command)
  const found = async (query: string) => {
    const { structuredContent } = await callTool(client, 'search', { query })
    return (structuredContent as { passages: { place: string; table?: string }[] }).passages[0]
  }
  const { tools } = await client.listTools()
  check(`${name}: six read-only tools`, tools.filter((tool) => tool.annotations?.readOnlyHint).length === 6, tools)
  const cherry = await found('price of the cherry')
  check(`${name}: a question for a cell finds its table`, cherry?.place === 'fruit.md:3-6', cherry)
  const where = [{ column: 'price', is: 'more', value: '5 €' }]
  const { structuredContent: table } = await callTool(client, 'read_table', { table: cherry?.table, where })
  check(`${name}: rows of a table`, JSON.stringify(table).includes('["cherry","9.10 €"]'), table)
  const { content } = await callTool(client, 'read', { place: 'fruit.md:6' })
  check(`${name}: a line`, content[0]?.text.includes('| cherry | 9.10 € |') === true, content)
  const outside = await callTool(client, 'read', { place: '../outside.md' })
  check(
    `${name}: nothing outside of the folder`,
    outside.isError === true && !JSON.stringify(outside).includes('secret'),
    outside,
  )
  const notes = notificationsOf(client)
  await subscribe(client, 'docs:///notes.md')
  writeFileSync(join(docs, 'notes.md'), `A zeppelin for ${name}.`)
  await until(() => notes.length >= 1)
  const note = await found('zeppelin')
  check(`${name}: a new document, and the notification`, note?.place === 'notes.md:1' && notes.length >= 1, [
    note,
    notes,
  ])
  rmSync(join(docs, 'notes.md'))
  await client.close()
  check(
    `${name}: no error in the log`,
    !/error|warn/i.test(log.join('').replace(/(node:\d+) ExperimentalWarning.*/g, '')),
    log,
  )
}

await runChecks('ask', async (folder) => {
  const [project, docs] = ['project', 'docs'].map((name) => join(folder, name)) as [string, string]
  for (const path of [project, docs]) mkdirSync(path)
  writeFileSync(join(folder, 'outside.md'), 'secret')
  writeFileSync(
    join(docs, 'fruit.md'),
    '# Fruit\n\n| name | price |\n|---|---|\n| apple | 2.10 € |\n| cherry | 9.10 € |\n',
  )
  const tarballs = await packWithDependencies(PACKAGE, packedIn(folder))
  await installProject(project, tarballs)
  const others = installed(join(project, 'node_modules')).filter((name) => !name.startsWith('@x/'))
  check('npm installs the packages, and the SDK of the server alone', String(others) === String(OTHERS), others)

  const bin = join(project, 'node_modules', '.bin', 'ask')
  const version = await runBeside(bin, ['--version'], folder)
  check('the command prints its version', version.status === 0 && /^\d+\.\d+\.\d+$/m.test(version.output), version)
  const wrong = await runBeside(bin, ['--json'], folder)
  check('wrong arguments end with 2 and the usage', wrong.status === 2 && wrong.output.includes('Usage: '), wrong)
  const asked = await runBeside(bin, [docs, 'What is the price of the cherry?'], folder)
  check('a question shows the cell', asked.status === 0 && asked.output.includes('»9.10 €«'), asked)
  const command = { command: bin, args: ['--mcp', docs] }
  for (const name of Object.keys(clients) as (keyof typeof clients)[]) await speak(name, command, docs)
})
