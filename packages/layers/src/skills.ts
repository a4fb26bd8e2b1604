/**
 * @module
 * Skills in the form of Agent Skills: folders with a `SKILL.md`, of which the model reads what it needs.
 */
import { type Layer, neutralized } from '@x/agents/loop'
import { plainTool } from '@x/agents/protocol'
import { checkOption, checkOptions, flag, type OptionTable, required } from '@x/core/options'
import { FileError } from './errors.ts'
import { listed, range, stateOf, text, withTools } from './layer-parts.ts'
import { linesOf } from './lines.ts'
import { type FileEntry, pathInside } from './stored-files.ts'

/** Where skills are. `StoredFiles` is one; `skillFolder` of `@x/layers/node` reads a folder. */
export interface SkillSource {
  /**
   * Returns the paths of all files, such as `pdf/SKILL.md` and `pdf/forms.md`, which of them are text from outside, and which were written
   * by a task (`by`).
   */
  list(): Promise<readonly Readonly<Pick<FileEntry, 'path'> & Partial<FileEntry>>[]>
  /** Returns the text of a file. */
  read(path: string): Promise<string>
}

/** Options of {@link skills}. */
interface SkillsOptions {
  /**
   * Whether the skills come from outside: their text is marked, and control tokens in it are neutralized. Otherwise, files of the source
   * that are marked as text from outside, or were written by agents, are left out. @defaultValue false
   */
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
const MAIN = '/SKILL.md'

/**
 * Offers skills: their names and descriptions are part of each request; the tool `read_skill` returns the text of one, or another file of
 * its folder. Nothing is executed. A task keeps the list with which it began.
 * @param source - or the contents of files, by path.
 * @throws {ModelValidationError} if an option is unknown.
 */
export function skills(source: SkillSource | Readonly<Record<string, string>>, options: SkillsOptions = {}): Layer {
  checkOption('skills', 'source', source, required('a source of skills, or an object of files'))
  checkOptions('skills', options, OPTIONS)
  const { untrusted = false } = options
  const texts = source as Readonly<Record<string, string>>
  const given: SkillSource =
    typeof source.list === 'function'
      ? (source as SkillSource)
      : { list: async () => Object.keys(texts).map((path) => ({ path })), read: async (path: string) => texts[path]! }
  const own: SkillSource = {
    list: async () => (await given.list()).filter((file) => untrusted || (!file.untrusted && file.by === undefined)),
    read: (path) => given.read(path),
  }
  const read = plainTool({
    name: 'read_skill',
    description:
      'Returns the text of a skill and the names of its files, or the text of a file, relative to the skill.',
    needed: { name: text },
    optional: { file: text, ...range },
    fn: async ({ name, file, ...lines }, { task }) => {
      const known = stateOf<readonly Skill[] | undefined>(task, KEY, undefined) ?? (await listSkills(own))
      const skill = known.find((one) => one.name === name)
      if (!skill)
        throw new FileError(name, `there is no such skill; there are: ${known.map((one) => one.name).join(', ')}`)
      const start = `${skill.folder}/`
      const names = (await own.list()).flatMap(({ path }) => (path.startsWith(start) ? path.slice(start.length) : []))
      const wanted = file === undefined ? 'SKILL.md' : pathInside(file)
      const path = start + wanted
      if (!names.includes(wanted)) throw new FileError(path, 'it does not exist')
      let content = await own.read(path)
      if (file === undefined) {
        const others = names.filter((one) => one !== wanted).join(', ')
        content = frontMatter(path, content).body + (others && `\n\nFiles: ${others}`)
      }
      return linesOf({ content, untrusted, ...lines })
    },
  })
  return {
    ...withTools('skills', [read]),
    request: listed(
      KEY,
      () => listSkills(own),
      (list, { mustAnswer }) => {
        const rows = list.map(({ name, description }) => `- ${name}: ${description}`).join('\n')
        const head = 'You have skills. Before work that one of them describes, read it with read_skill.'
        return mustAnswer ? '' : `${head}\n${untrusted ? neutralized(rows) : rows}`
      },
    ),
  }
}

/**
 * Returns the skills of a source, ordered by folder.
 * @throws {FileError} naming the `SKILL.md` that is not valid.
 */
async function listSkills(source: SkillSource): Promise<Skill[]> {
  const paths = (await source.list()).map(({ path }) => path).filter((path) => path.endsWith(MAIN))
  const found: Skill[] = []
  for (const path of paths.sort()) {
    const { name = '', description = '' } = frontMatter(path, await source.read(path)).fields
    const folder = path.slice(0, -MAIN.length)
    const isName = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) && name === folder.split('/').at(-1)
    const problem = !isName
      ? `expected the name of its folder, in lower case letters, digits and hyphens, received "${name}"`
      : description === '' || description.length > 1024
        ? `expected a description of 1 to 1024 characters, received ${description.length}`
        : found.some((one) => one.name === name) && `there are two skills "${name}"`
    if (problem) throw new FileError(path, problem)
    found.push({ name, description, folder })
  }
  return found
}

/** Reads the front matter of a `SKILL.md`: the fields that are strings, and the text behind it. @throws {FileError} if there is none. */
function frontMatter(path: string, content: string): { fields: Partial<Record<string, string>>; body: string } {
  const [first, ...rows] = content.replace(/^\uFEFF/, '').split(/\r?\n/)
  const end = rows.indexOf('---')
  if (first !== '---' || end < 0)
    throw new FileError(path, 'expected front matter between two lines "---" at its beginning')
  const fields: Partial<Record<string, string>> = {}
  let name = ''
  for (const row of rows.slice(0, end)) {
    const found = /^(\w[\w-]*):(?:\s+[|>][+-]?$)?(.*)/.exec(row)
    // Rows that are indented continue a value.
    if (found) name = found[1]!
    if (found || /^\s/.test(row)) fields[name] = `${found ? '' : (fields[name] ?? '')} ${(found?.[2] ?? row).trim()}`
  }
  for (const key in fields) fields[key] = fields[key]!.trim().replace(/^(["'])(.*)\1$/, '$2')
  return {
    fields,
    body: rows
      .slice(end + 1)
      .join('\n')
      .trim(),
  }
}
