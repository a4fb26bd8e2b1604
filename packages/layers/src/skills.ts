/**
 * @module
 * Skills in the form of Agent Skills: folders with a `SKILL.md`, of which the model reads what it needs.
 */
import type { Layer } from '@x/agents/loop'
import { checkOption, checkOptions, flag, type OptionTable, required } from '@x/core/options'
import { FileError } from './errors.ts'
import { fileOutput, stateOf, withSystemText, withTools } from './layer-parts.ts'
import { ownTool } from './own-tools.ts'
import { pathInside } from './paths.ts'

/** Where skills are. `StoredFiles` is one; `skillFolder` of `@x/layers/node` reads a folder. */
export interface SkillSource {
  /** Returns the paths of all files, such as `pdf/SKILL.md` and `pdf/forms.md`. */
  list(): Promise<readonly { readonly path: string }[]>
  /** Returns the text of a file. */
  read(path: string): Promise<string>
}

/** Options of {@link skills}. */
interface SkillsOptions {
  /** Whether the skills come from outside: their text is marked, and control tokens in it are neutralized. @defaultValue false */
  untrusted?: boolean | undefined
}

/** A skill, as the model sees it first. */
export interface Skill {
  name: string
  description: string
  /** The folder in the source. */
  folder: string
}

const OPTIONS: OptionTable<SkillsOptions> = { untrusted: flag }
const KEY = 'skills'
const text = { type: 'string' } as const
const count = { type: 'integer', minimum: 1 } as const

/**
 * Offers skills: their names and descriptions are part of each request; the tool `read_skill` returns the text of one, or another file of
 * its folder. Nothing is executed. A task keeps the list with which it began.
 * @param source - or the texts of files, by path.
 * @throws {ModelValidationError} if an option is unknown.
 */
export function skills(source: SkillSource | Readonly<Record<string, string>>, options: SkillsOptions = {}): Layer {
  checkOption('skills', 'source', source, required('a source of skills, or an object of files'))
  checkOptions('skills', options, OPTIONS)
  const { untrusted = false } = options
  const own =
    typeof source['list'] === 'function' ? (source as SkillSource) : sourceOf(source as Record<string, string>)
  const read = ownTool({
    name: 'read_skill',
    description: 'Returns the instructions of a skill and the names of its files, or the text of one of these files.',
    schema: {
      type: 'object',
      properties: { name: text, file: { ...text, description: 'Relative to the skill.' }, from: count, lines: count },
      required: ['name'],
    },
    fn: async ({ name, file, ...range }, { task }) => {
      const known = stateOf<readonly Skill[]>(task, KEY) ?? (await listSkills(own))
      const skill = known.find((one) => one.name === name)
      if (!skill)
        throw new FileError(name, `there is no such skill; there are: ${known.map((one) => one.name).join(', ')}`)
      const start = `${skill.folder}/`
      const all = (await own.list()).map(({ path }) => path).filter((path) => path.startsWith(start))
      const path = start + (file === undefined ? 'SKILL.md' : pathInside(file))
      if (!all.includes(path)) throw new FileError(path, 'it does not exist')
      const content = await own.read(path)
      if (file !== undefined) return fileOutput({ text: content, untrusted }, range)
      const others = all.filter((one) => one !== path).map((one) => one.slice(start.length))
      const body = `${frontMatter(path, content).body}${others.length > 0 ? `\n\nFiles: ${others.join(', ')}` : ''}`
      return fileOutput({ text: body, untrusted }, range)
    },
  })
  return {
    ...withTools('skills', [read]),
    request: (next) => async (plan, scope) => {
      scope.task.extraState[KEY] ??= await listSkills(own)
      const request = await next(plan, scope)
      const list = stateOf<readonly Skill[]>(scope.task, KEY)!.map(
        ({ name, description }) => `- ${name}: ${description}`,
      )
      if (list.length === 0 || scope.mustAnswer) return request
      const head = 'You have skills. Before work that one of them describes, read it with read_skill.'
      const shown = fileOutput({ text: list.join('\n'), untrusted }, { lines: list.length }).content
      return { ...request, messages: withSystemText(request.messages, `${head}\n${shown}`) }
    },
  }
}

function sourceOf(texts: Readonly<Record<string, string>>): SkillSource {
  return { list: async () => Object.keys(texts).map((path) => ({ path })), read: async (path) => texts[path]! }
}

/**
 * Returns the skills of a source, ordered by folder.
 * @throws {FileError} naming the `SKILL.md` that is not valid.
 */
async function listSkills(source: SkillSource): Promise<Skill[]> {
  const paths = (await source.list()).map(({ path }) => path).filter((path) => path.endsWith('/SKILL.md'))
  const found: Skill[] = []
  for (const path of paths.sort()) {
    const { name = '', description = '' } = frontMatter(path, await source.read(path)).fields
    const folder = path.slice(0, -'/SKILL.md'.length)
    if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) || name.length > 64 || name !== folder.split('/').at(-1))
      throw new FileError(
        path,
        `name: expected that of its folder, in lower case letters, digits and hyphens, received "${name}"`,
      )
    if (description === '' || description.length > 1024)
      throw new FileError(path, `description: expected 1 to 1024 characters, received ${description.length}`)
    if (found.some((one) => one.name === name)) throw new FileError(path, `there are two skills "${name}"`)
    found.push({ name, description, folder })
  }
  return found
}

/** Reads the front matter of a `SKILL.md`: the fields that are strings, and the text behind it. @throws {FileError} if there is none. */
function frontMatter(path: string, text: string): { fields: Record<string, string>; body: string } {
  const rows = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const end = rows.indexOf('---', 1)
  if (rows[0] !== '---' || end < 0)
    throw new FileError(path, 'expected front matter between two lines "---" at its beginning')
  const fields: Record<string, string> = {}
  let key = ''
  for (const row of rows.slice(1, end)) {
    const field = /^([\w-]+):(?:\s+|$)/.exec(row)
    if (field) {
      key = field[1]!
      fields[key] = row
        .slice(field[0].length)
        .trim()
        .replace(/^[|>][+-]?$/, '')
    } else if (/^\s+\S/.test(row) && key) fields[key] = `${fields[key]} ${row.trim()}`.trim()
  }
  for (const [name, value] of Object.entries(fields)) fields[name] = value.replace(/^(["'])([\s\S]*)\1$/, '$2')
  return {
    fields,
    body: rows
      .slice(end + 1)
      .join('\n')
      .trim(),
  }
}
