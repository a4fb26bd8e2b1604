/**
 * Refuses a `@x/docs-mcp` that does not serve the documentation after an install with npm: packs it and what it depends on, installs the
 * tarballs in an empty folder, and reads every page of the site's menu and every skill with the official clients. Needs built packages. The
 * registry is asked for the SDK of the server; npm's cache serves repeated runs.
 *
 * @example node packages/integrations/docs-mcp/test/packed.ts
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { check, runChecks } from '../../../../tools/checks.ts'
import { runBeside } from '../../../../tools/command.ts'
import { packageFolders } from '../../../../tools/packages.ts'
import { installProject, packedIn, packWithDependencies } from '../../../../tools/packed.ts'
import { menuOf } from '../../../../tools/site/menu.ts'
import { decisionsPage, filePages, madePage } from '../../../../tools/site/pages.ts'
import { skillTexts } from '../../../../tools/skill-texts.ts'
import { type Client, callTool, clients, connectStdio } from '../../ask/test/clients.ts'

const PACKAGE = join(import.meta.dirname, '..')

/** The documents that must be there, with a sentence that they contain. */
function expected(): Map<string, string> {
  const made = { errors: '# Error codes', events: '# Events', sizes: '# Sizes' }
  const pages = [...filePages(), decisionsPage(), ...Object.entries(made).map(([path, text]) => madePage(path, text))]
  const headings = new Map(pages.map(({ path, text }) => [path, /^# .*$/m.exec(text)![0]]))
  const found = new Map<string, string>()
  for (const { link } of menuOf(pages).flatMap(({ items }) => items)) {
    const path = link.slice(1).replace(/(^|\/)$/, '$1index')
    // The site has the reference as pages of TypeDoc, here it is `REFERENCE.md` of each package; sizes are measured for the site alone.
    if (path === 'reference/index' || path === 'sizes') continue
    found.set(`${path}.md`, headings.get(path) ?? `no page has the path ${path}`)
  }
  for (const folder of packageFolders()) {
    const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    found.set(`reference/${basename(folder)}.md`, `# The names of ${name}`)
    for (const path of skillTexts(folder).keys()) {
      const skill = basename(dirname(path))
      found.set(`skills/${skill}.md`, `name: ${skill}\n`)
    }
  }
  return found
}

/** Reads every document as a resource. */
async function readAll(client: Client): Promise<void> {
  const documents = expected()
  const { resources } = await client.listResources()
  const paths = new Set(resources.map(({ uri }) => uri.replace('docs:///', '')))
  const missing = [...documents.keys()].filter((path) => !paths.has(path))
  check(`all ${documents.size} pages and skills are resources`, documents.size > 100 && missing.length === 0, missing)
  const others = [...paths].filter((path) => !documents.has(path) && path !== 'index.md')
  check('and nothing else is', others.length === 0, others)
  const texts = new Map<string, string>()
  for (const path of paths) {
    const { contents } = await client.readResource({ uri: `docs:///${path}` })
    texts.set(path, String((contents[0] as { text?: string }).text))
  }
  const wrong = [...documents].filter(([path, text]) => !texts.get(path)?.includes(text))
  check('each has its text', wrong.length === 0, wrong)
  const links = [...texts].flatMap(([path, text]) =>
    [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/\]\(([a-z][\w/.-]*\.md)(?:#[^)]*)?\)/g)].map(
      ([, link]) => [path, link!],
    ),
  )
  // A README that is read as a skill or by itself may name files of its own package.
  const lost = links.filter(([, link]) => !paths.has(link!) && link !== 'REFERENCE.md')
  check(`${links.length} links lead to documents`, links.length > 300 && lost.length === 0, lost)
}

/** Searches and reads as an assistant does. */
async function speak(name: keyof typeof clients, client: Client): Promise<void> {
  const files = async (query: string, within?: string) => {
    const { structuredContent } = await callTool(client, 'search', { query, ...(within && { within }) })
    return (structuredContent as { passages: { place: string }[] }).passages.map(({ place }) =>
      place.replace(/:.*/, ''),
    )
  }
  check(`${name}: says what it is`, client.getServerVersion()?.name === '@x/docs-mcp', client.getServerVersion())
  const instructions = client.getInstructions() ?? ''
  check(`${name}: says where skills are`, instructions.includes('within "skills"'), instructions)
  const approval = await files('How does a person approve a tool call in a web app?')
  check(`${name}: a search finds the guide first`, approval[0] === 'guides/approve-in-a-web-app.md', approval)
  check(`${name}: without skills, which repeat it`, !approval.some((path) => path.startsWith('skills/')), approval)
  const skills = await files('approve a tool call', 'skills')
  check(`${name}: a search within the skills`, skills[0] === 'skills/agents-approve-in-a-web-app.md', skills)
  const { structuredContent: code } = await callTool(client, 'search', { query: 'docs_path', within: 'errors.md' })
  check(`${name}: a code of an error`, JSON.stringify(code).includes('"heading":"Error codes > docs_path"'), code)
  const { content } = await callTool(client, 'read', { place: 'skills/agents-test.md' })
  check(`${name}: reads a skill`, content[0]?.text.includes('name: agents-test') === true, content)
}

await runChecks('docs-mcp', async (folder) => {
  const project = join(folder, 'project')
  mkdirSync(project)
  await installProject(project, await packWithDependencies(PACKAGE, packedIn(folder)))
  const bin = join(project, 'node_modules', '.bin', 'docs-mcp')
  const version = await runBeside(bin, ['--version'], folder)
  check('the command prints its version', version.status === 0 && /^\d+\.\d+\.\d+\n$/.test(version.output), version)
  const wrong = await runBeside(bin, ['docs'], folder)
  check('an argument ends with 2 and the usage', wrong.status === 2 && wrong.output.includes('Usage: docs-mcp'), wrong)
  for (const name of Object.keys(clients) as (keyof typeof clients)[]) {
    const { client, log } = await connectStdio(name, { command: bin, args: [] })
    if (name === 'client 2') await readAll(client)
    await speak(name, client)
    await client.close()
    check(`${name}: no error in the log`, !/error|warn/i.test(log.join('')), log)
  }
})
